"""The isolation ladder: what tested code is kept from, and how much of that this machine can give."""

from rlaios_core.environments.sandbox.levels import IsolationLevel, Limits, SandboxError
from rlaios_core.environments.sandbox.probing import obstacle, probe

__all__ = ["IsolationLevel", "Limits", "SandboxError", "obstacle", "probe"]
