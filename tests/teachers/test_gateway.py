import pytest

from rlaios_core.environments import Play
from rlaios_core.rollout import Assignment, play_all
from rlaios_core.schema import Episode, Outcome, Split, Task, TeacherSignal, TeacherTrigger
from rlaios_core.student import StudentSettings, new_checkpoint
from rlaios_core.teachers import Request, TeacherError, TeacherSettings, consult, create_teacher, trigger_of
from tests.worlds import ButtonWorld

WORLD = ButtonWorld()


@pytest.fixture(scope="module")
def played() -> list[tuple[Task, Episode]]:
    tasks = [WORLD.sample_task(Split.TRAIN, i, 5) for i in range(12)]
    student = new_checkpoint(StudentSettings(width=16, heads=2, layers=1, hidden=16), 0).student
    episodes = play_all(WORLD, [Assignment(t, Play("c", 1, "me", t.index)) for t in tasks], {"me": student})
    return list(zip(tasks, episodes, strict=True))


class WrongTeacher:
    """Proposes actions that do not solve anything."""

    name = "wrong"

    def judge(self, request: Request) -> TeacherSignal:
        return TeacherSignal(teacher=self.name, confidence=1.0, reference_solution=("nothing",))


class AbsentTeacher:
    name = "absent"

    def judge(self, request: Request) -> TeacherSignal:
        raise TeacherError("no answer within 5 s")


def test_only_failures_and_near_successes_are_asked_about(played) -> None:
    answers = consult(create_teacher(TeacherSettings()), WORLD, played, budget=100)
    failed = {episode.episode_id for _, episode in played if episode.outcome is Outcome.FAILURE}
    assert {answer.episode_id for answer in answers} == failed
    assert failed


def test_a_reference_counts_only_after_it_succeeded_in_the_world(played) -> None:
    right = consult(create_teacher(TeacherSettings()), WORLD, played, budget=100)
    wrong = consult(WrongTeacher(), WORLD, played, budget=100)
    assert all(a.reference and a.reference.outcome is Outcome.SUCCESS for a in right)
    assert all(a.signal and a.signal.reference_verified for a in right)
    assert all(a.reference is None and a.signal and not a.signal.reference_verified for a in wrong)


def test_the_budget_bounds_the_consultations(played) -> None:
    assert len(consult(create_teacher(TeacherSettings()), WORLD, played, budget=2)) == 2
    assert consult(create_teacher(TeacherSettings()), WORLD, played, budget=0) == []


def test_an_absent_teacher_leaves_no_signal_and_says_why(played) -> None:
    answers = consult(AbsentTeacher(), WORLD, played, budget=100)
    assert all(a.signal is None and a.reference is None and "5 s" in a.error for a in answers)


def test_no_teacher_is_a_choice_and_an_unknown_one_an_error() -> None:
    assert create_teacher(TeacherSettings(driver="none")) is None
    with pytest.raises(TeacherError, match="known: none, reference"):
        create_teacher(TeacherSettings(driver="oracle"))


def test_success_needs_no_teacher(played) -> None:
    episode = played[0][1].model_copy(update={"outcome": Outcome.SUCCESS, "terminal_reward": 1.0})
    assert trigger_of(episode) is TeacherTrigger.NONE
