"""What one PPO update does, detail by detail, on really collected episodes of a small world."""

import copy
import math

import numpy as np
import pytest
import torch

from rlaios_core.environments import Play
from rlaios_core.rollout import Assignment, play_all
from rlaios_core.schema import Episode, Split
from rlaios_core.student import Checkpoint, StudentSettings, new_checkpoint, weights_hash
from rlaios_core.teachers import TeacherSettings, consult, create_teacher
from rlaios_core.trainer import Experience, NonFiniteUpdateError, PpoSettings, StaleBatchError, train_online
from rlaios_core.trainer.experience import demonstrations
from rlaios_core.trainer.ppo import _shuffled
from tests.worlds import ButtonWorld

SMALL = StudentSettings(width=16, heads=2, layers=1, hidden=16)
SETTINGS = PpoSettings(minibatch=32, distillation_minibatch=32, warmup_updates=0, threads=1)
WORLD = ButtonWorld()


def collect(checkpoint: Checkpoint, count: int, epoch: int = 1) -> list[Episode]:
    assignments = [
        Assignment(WORLD.sample_task(Split.TRAIN, index, epoch), Play("c", epoch, "me", seed=index))
        for index in range(count)
    ]
    return [e for e in play_all(WORLD, assignments, {"me": checkpoint.student}) if isinstance(e, Episode)]


def references(episodes: list[Episode], epoch: int = 1) -> list[Episode]:
    tasks = {t.task_id: t for t in (WORLD.sample_task(Split.TRAIN, i, epoch) for i in range(len(episodes)))}
    answers = consult(
        create_teacher(TeacherSettings()), WORLD, [(tasks[e.task_id], e) for e in episodes], budget=1000
    )
    return [answer.reference for answer in answers if answer.reference]


@pytest.fixture(scope="module")
def fresh() -> Checkpoint:
    return new_checkpoint(SMALL, seed=7)


@pytest.fixture(scope="module")
def episodes(fresh: Checkpoint) -> list[Episode]:
    return collect(fresh, 24)


def test_ratio_is_one_before_the_first_step(fresh: Checkpoint, episodes: list[Episode]) -> None:
    _, report = train_online(fresh, Experience(episodes), SETTINGS, seed=0)
    assert report.first_ratio_error < 1e-4


def test_a_batch_of_other_weights_is_refused(episodes: list[Episode]) -> None:
    other = new_checkpoint(SMALL, seed=8)
    with torch.no_grad():
        other.student.network.wide.normal_()
    with pytest.raises(StaleBatchError):
        train_online(other, Experience(episodes), SETTINGS, seed=0)


def test_equal_inputs_give_equal_weights_and_the_given_ones_stay(
    fresh: Checkpoint, episodes: list[Episode]
) -> None:
    before = weights_hash(fresh)
    experience = Experience(episodes, references=references(episodes))
    first, _ = train_online(fresh, experience, SETTINGS, seed=3)
    second, _ = train_online(fresh, experience, SETTINGS, seed=3)
    other, _ = train_online(fresh, experience, SETTINGS, seed=4)
    assert weights_hash(first) == weights_hash(second) != weights_hash(other)
    assert weights_hash(fresh) == before


def test_learning_rate_zero_changes_no_weight(fresh: Checkpoint, episodes: list[Episode]) -> None:
    settings = SETTINGS.model_copy(update={"learning_rate": 0.0})
    same, _ = train_online(fresh, Experience(episodes), settings, seed=0)
    assert weights_hash(same) == weights_hash(fresh)


def test_resumed_optimiser_continues_exactly(fresh: Checkpoint, episodes: list[Episode]) -> None:
    once, _ = train_online(fresh, Experience(episodes), SETTINGS, seed=0)
    forgetful = Checkpoint(once.student, once.settings, {}, once.counters)
    settings = SETTINGS.model_copy(update={"first_ratio_tolerance": 10.0})
    kept, _ = train_online(once, Experience(episodes), settings, seed=1)
    lost, _ = train_online(forgetful, Experience(episodes), settings, seed=1)
    assert weights_hash(kept) != weights_hash(lost)
    assert kept.counters["updates"] == 2 * once.counters["updates"]


def test_distillation_imitates_the_reference(fresh: Checkpoint, episodes: list[Episode]) -> None:
    settings = SETTINGS.model_copy(
        update={"policy_weight": 0.0, "distillation_weight": 1.0, "learning_rate": 1e-2, "passes": 10}
    )
    shown = references(episodes)
    losses = []
    checkpoint = fresh
    for seed in range(3):
        checkpoint, report = train_online(checkpoint, Experience(episodes, references=shown), settings, seed)
        settings = settings.model_copy(update={"first_ratio_tolerance": 1e9})
        losses.append(report.distillation_loss)
    assert losses[-1] < 0.5 * losses[0]


def test_negative_states_hold_the_policy(fresh: Checkpoint, episodes: list[Episode]) -> None:
    free = SETTINGS.model_copy(update={"kl_weight": 0.0, "passes": 6, "target_kl": 1e9})
    held = free.model_copy(update={"kl_weight": 50.0})
    experience = Experience(episodes, negative=episodes)
    _, loose = train_online(fresh, experience, free, seed=0)
    _, tight = train_online(fresh, experience, held, seed=0)
    assert tight.approx_kl < loose.approx_kl


def test_passes_stop_at_the_target_kl(fresh: Checkpoint, episodes: list[Episode]) -> None:
    settings = SETTINGS.model_copy(update={"passes": 20, "target_kl": 1e-9})
    _, report = train_online(fresh, Experience(episodes), settings, seed=0)
    assert report.stopped_early
    assert report.passes == 1


def test_gradient_norm_is_bounded(fresh: Checkpoint, episodes: list[Episode], monkeypatch) -> None:
    asked: list[float] = []
    real = torch.nn.utils.clip_grad_norm_

    def recording(parameters: object, max_norm: float) -> torch.Tensor:
        parameters = list(parameters)  # type: ignore[call-overload]
        norm = real(parameters, max_norm)
        after = torch.sqrt(sum((p.grad**2).sum() for p in parameters if p.grad is not None))
        asked.append(float(after))
        return norm

    monkeypatch.setattr(torch.nn.utils, "clip_grad_norm_", recording)
    train_online(fresh, Experience(episodes), SETTINGS.model_copy(update={"max_gradient_norm": 0.01}), seed=0)
    assert asked
    assert max(asked) <= 0.0101


@pytest.mark.parametrize("poison", [math.nan, math.inf])
def test_non_finite_input_is_quarantined(poison: float, fresh: Checkpoint, episodes: list[Episode]) -> None:
    before = weights_hash(fresh)
    bad = episodes[0].model_copy(update={"reward": poison})
    with pytest.raises(NonFiniteUpdateError):
        train_online(fresh, Experience([bad, *episodes[1:]]), SETTINGS, seed=0)
    assert weights_hash(fresh) == before


def test_non_finite_weights_are_quarantined(fresh: Checkpoint, episodes: list[Episode]) -> None:
    broken = Checkpoint(copy.deepcopy(fresh.student), fresh.settings)
    with torch.no_grad():
        broken.student.network.score[0].weight[0, 0] = math.nan
    with pytest.raises(NonFiniteUpdateError):
        train_online(broken, Experience(episodes), SETTINGS, seed=0)


def test_an_empty_batch_is_refused(fresh: Checkpoint) -> None:
    with pytest.raises(NonFiniteUpdateError, match="no step"):
        train_online(fresh, Experience([]), SETTINGS, seed=0)


def test_every_pass_sees_every_step_once() -> None:
    rng = np.random.default_rng(0)
    rows = np.concatenate(list(_shuffled(100, 32, rng)))
    assert sorted(rows) == list(range(100))


def success(checkpoint: Checkpoint, *, greedy: bool = False) -> float:
    """Share of fresh tasks that the policy solves."""
    student = checkpoint.student.as_greedy() if greedy else checkpoint.student
    return float(np.mean([e.success for e in collect(Checkpoint(student, SMALL), 128, 99)]))


def train(settings: PpoSettings, *, guided: bool, epochs: int = 8, batch: int = 48) -> Checkpoint:
    checkpoint = new_checkpoint(SMALL, seed=1)
    for epoch in range(1, epochs + 1):
        episodes = collect(checkpoint, batch, epoch)
        shown = references(episodes, epoch) if guided else []
        checkpoint, _ = train_online(checkpoint, Experience(episodes, references=shown), settings, seed=epoch)
    return checkpoint


LEARNING = SETTINGS.model_copy(
    update={"passes": 4, "learning_rate": 3e-3, "sparse_learning_rate": 1e-2, "distillation_weight": 1.0}
)


def test_guided_training_solves_the_world_and_learning_rate_zero_does_not() -> None:
    trained = success(train(LEARNING, guided=True), greedy=True)
    control = success(train(LEARNING.model_copy(update={"learning_rate": 0.0}), guided=True), greedy=True)
    assert trained >= 0.9
    assert control <= 0.5


def test_reinforcement_alone_raises_the_success() -> None:
    settings = LEARNING.model_copy(update={"entropy_weight": 0.02})
    before = success(new_checkpoint(SMALL, seed=1))
    after = success(train(settings, guided=False, epochs=12, batch=192))
    assert after >= before + 0.2


def test_earlier_references_are_rehearsed_beside_new_ones(fresh: Checkpoint, episodes: list[Episode]) -> None:
    settings = SETTINGS.model_copy(update={"distillation_passes": 3})
    shown = references(episodes)
    new, earlier = shown[:2], shown[2:]

    def imitated(new: list[Episode], earlier: list[Episode], **changes: float) -> float:
        experience = Experience(episodes, references=new, earlier_references=earlier)
        checkpoint, _ = train_online(fresh, experience, settings.model_copy(update=changes), seed=0)
        rows = demonstrations(Experience((), references=shown[2:]))
        with torch.no_grad():
            seen = checkpoint.student.evaluate(rows.features, rows.chosen)
        return float(seen.log_probabilities.mean())

    alone = imitated(new, earlier, distillation_rehearsal=0.0)
    assert imitated(new, earlier, distillation_rehearsal=20.0) > alone


def test_warming_up_the_live_batch_teaches_values_only(fresh: Checkpoint, episodes: list[Episode]) -> None:
    settings = SETTINGS.model_copy(update={"distillation_weight": 1e-12, "distillation_passes": 0})
    experience = Experience(episodes, references=references(episodes))

    def moved(updates: int) -> tuple[bool, bool]:
        after, report = train_online(
            fresh, experience, settings.model_copy(update={"warmup_updates": updates}), seed=0
        )
        names = ("wide", "value.2.weight")
        old, new = (dict(c.student.network.named_parameters()) for c in (fresh, after))
        assert report.passes > 0
        wide, value = (not torch.allclose(old[name], new[name], atol=1e-4) for name in names)
        return wide, value

    assert moved(updates=1) == (False, True)
    assert moved(updates=0) == (True, True)
