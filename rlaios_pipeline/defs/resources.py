"""The resources of the code location."""

import dagster as dg

from rlaios_pipeline.resources import ControlResource


@dg.definitions
def resources() -> dg.Definitions:
    """The campaign controller on the store that RLAIOS_HOME names."""
    return dg.Definitions(resources={"control": ControlResource()})
