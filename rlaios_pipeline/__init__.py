"""Dagster definitions over `rlaios_core`: thin, and without rules of their own."""
