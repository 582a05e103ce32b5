"""Who runs episodes where."""

from rlaios_core.rollout.lockstep import Assignment, RolloutSettings, play_all

__all__ = ["Assignment", "RolloutSettings", "play_all"]
