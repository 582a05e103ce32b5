"""Dagster bindings of `rlaios_core`: thin assets, jobs, sensors and resources. No logic of its own."""
