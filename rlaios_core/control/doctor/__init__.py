"""Examining a store: is everything there that it says is there, and does each part agree with the others.

Nothing is changed, not even the schema. What is found is a fault with its place and its mend.
"""

from rlaios_core.control.doctor.examination import examine
from rlaios_core.control.doctor.findings import Check, Diagnosis, Fault

__all__ = ["Check", "Diagnosis", "Fault", "examine"]
