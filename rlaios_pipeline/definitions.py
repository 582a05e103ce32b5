"""The code location: everything under `defs/`."""

import warnings
from pathlib import Path

import dagster as dg

# Dagster 1.13 itself trips its own beta warning for every sensor; checks by partition are a preview.
warnings.filterwarnings("ignore", category=dg.BetaWarning)
warnings.filterwarnings("ignore", category=dg.PreviewWarning)


@dg.definitions
def defs() -> dg.Definitions:
    """Load what `defs/` holds."""
    return dg.load_from_defs_folder(path_within_project=Path(__file__).parent)
