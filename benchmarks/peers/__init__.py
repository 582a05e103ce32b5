"""Adapters that run inside a peer's own virtual environment; none imports anything of this project."""
