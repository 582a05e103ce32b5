"""The pointer assets: no computation, only events that jobs log."""

import dagster as dg

from rlaios_pipeline.pointers import POINTER_SPECS


@dg.definitions
def pointers() -> dg.Definitions:
    """`policy/active`, `policy/pre_update_ref`, `policy/last_stable`."""
    return dg.Definitions(assets=POINTER_SPECS)
