"""The held-out assets: no computation, only events that the `measure` job logs."""

import dagster as dg

from rlaios_pipeline.measurements import measurement_specs


@dg.definitions
def measurements() -> dg.Definitions:
    """`held_out/<environment>` for every installed environment."""
    return dg.Definitions(assets=measurement_specs())
