"""Who runs episodes where."""

from rlaios_core.rollout.lockstep import Assignment, LimitsConcurrency, RolloutSettings, at_once, play_all

__all__ = ["Assignment", "LimitsConcurrency", "RolloutSettings", "at_once", "play_all"]
