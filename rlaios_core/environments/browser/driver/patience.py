"""One factor for every bound of the driver, for machines that are slow or crowded."""

import os

VARIABLE = "RLAIOS_BROWSER_PATIENCE"


def patient(seconds: float) -> float:
    """A bound as it counts here: `RLAIOS_BROWSER_PATIENCE` (default 1) times as long."""
    return seconds * _FACTOR


def _factor() -> float:
    try:
        factor = float(os.environ.get(VARIABLE) or 1.0)
    except ValueError:
        return 1.0
    return factor if 1.0 <= factor <= 1000.0 else 1.0


_FACTOR = _factor()
