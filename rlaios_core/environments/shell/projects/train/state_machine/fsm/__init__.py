"""Finite state machines."""
