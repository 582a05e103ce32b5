"""Arithmetic expressions: parse, evaluate, rewrite and print."""
