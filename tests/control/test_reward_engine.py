from hypothesis import given
from hypothesis import strategies as st

from rlaios_core.control import RewardSettings
from rlaios_core.control.reward_engine import fuse, teacher_term
from rlaios_core.schema import TeacherSignal

DEFAULT = RewardSettings()
SIGNALS = st.builds(
    TeacherSignal,
    teacher=st.just("t"),
    shaping=st.floats(-1, 1),
    confidence=st.floats(0, 1),
)


@given(st.floats(-1, 1), st.none() | SIGNALS)
def test_bounds(terminal: float, signal: TeacherSignal | None) -> None:
    reward = fuse(terminal, signal, DEFAULT)
    assert -1.0 <= reward <= 1.0
    assert abs(reward - terminal) <= 0.2 + 1e-12
    if terminal > 0:
        assert reward >= min(terminal, 0.05)
    elif terminal < 0:
        assert reward <= max(terminal, -0.05)
    else:
        assert abs(reward) <= 0.2


@given(st.floats(-1, 1))
def test_no_answer_means_no_term(terminal: float) -> None:
    assert fuse(terminal, None, DEFAULT) == terminal


def test_examples() -> None:
    down = TeacherSignal(teacher="t", shaping=-1.0, confidence=1.0)
    up = TeacherSignal(teacher="t", shaping=1.0, confidence=0.5)
    assert teacher_term(down, DEFAULT) == -0.2
    assert fuse(0.1, down, DEFAULT) == 0.05
    assert fuse(1.0, up, DEFAULT) == 1.0
    assert fuse(-0.1, TeacherSignal(teacher="t", shaping=1.0, confidence=1.0), DEFAULT) == -0.05
    assert fuse(0.0, up, DEFAULT) == 0.1
