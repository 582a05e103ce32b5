"""The fused reward: the verified outcome, shaded by a bounded teacher term that never flips its sign."""

from rlaios_core.control.settings import RewardSettings
from rlaios_core.schema import TeacherSignal


def teacher_term(signal: TeacherSignal | None, settings: RewardSettings) -> float:
    """The teacher's term: shaping times confidence, scaled to within the bound; 0 without an answer."""
    if signal is None:
        return 0.0
    return settings.teacher_bound * max(-1.0, min(1.0, signal.shaping * signal.confidence))


def fuse(terminal: float, signal: TeacherSignal | None, settings: RewardSettings) -> float:
    """The reward in [-1, 1] of a terminal reward in [-1, 1] and a teacher's signal.

    A positive terminal reward stays at or above `sign_floor` (or itself, when it is smaller), a negative
    one at or below `-sign_floor`; zero moves within the bound. Design section 4.4.
    """
    fused = max(-1.0, min(1.0, terminal + teacher_term(signal, settings)))
    if terminal > 0.0:
        return max(fused, min(terminal, settings.sign_floor))
    if terminal < 0.0:
        return min(fused, max(terminal, -settings.sign_floor))
    return fused
