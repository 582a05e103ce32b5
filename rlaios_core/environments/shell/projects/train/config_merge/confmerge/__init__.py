"""Layered configuration dictionaries."""
