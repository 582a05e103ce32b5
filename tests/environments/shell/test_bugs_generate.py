"""Generation is fixed by the position, and the tasks are what they say."""

import json

import pytest
from pydantic import ValidationError

from rlaios_core.environments.shell.bugs import BenchmarkError, ShellTask, generate_task
from rlaios_core.environments.shell.repair import (
    HELD_OUT_TEMPLATES,
    ProjectContext,
    RepairTemplate,
    candidates,
)
from rlaios_core.environments.shell.verification import VerificationPool


@pytest.fixture(scope="module")
def pool() -> VerificationPool:
    with VerificationPool(2) as shared:
        yield shared  # type: ignore[misc]


@pytest.fixture(scope="module")
def task(pool: VerificationPool) -> ShellTask:
    return generate_task("train", 3, 1, pool)


def test_equal_positions_give_equal_tasks(pool: VerificationPool, task: ShellTask) -> None:
    again = generate_task("train", 3, 1, pool)
    assert again == task
    assert again.content_hash == task.content_hash
    assert generate_task("train", 3, 2, pool).content_hash != task.content_hash


def test_the_reference_is_a_candidate_and_leads_back_to_green(
    pool: VerificationPool, task: ShellTask
) -> None:
    files = dict(task.files)
    for edit in task.reference:
        found = candidates(
            edit.path, task.files[edit.path], {edit.line}, context=ProjectContext.build(task.files)
        )
        assert edit.key in {one.key for one in found}
        raw = files[edit.path].encode()
        files[edit.path] = (raw[: edit.start] + edit.replacement.encode() + raw[edit.end :]).decode()
    result = pool.verify(files, {**task.tests, **task.hidden})
    assert {report.outcome.value for report in result.reports.values()} == {"passed"}
    assert set(task.baseline) | set(task.hidden_baseline) == set(result.reports)


def test_a_task_says_what_its_tests_said(task: ShellTask) -> None:
    failing = {node for node, outcome in task.baseline.items() if outcome != "passed"}
    assert failing == {report.node_id for report in task.failing}
    assert 0 < len(failing) <= 0.6 * len(task.baseline)
    assert f"{len(failing)} of {len(task.baseline)} tests fail" in task.instruction
    for bug in task.bugs:
        assert bug.path not in task.instruction
        assert bug.function.split(".")[-1] not in task.instruction.split()
        assert task.suspicion[bug.path][bug.line] > 0
        assert task.covered[bug.path][bug.line][0] > 0


def test_a_task_survives_json_in_camel_case(task: ShellTask) -> None:
    text = json.dumps(task.to_json())
    assert '"variantSeed"' in text
    assert ShellTask.model_validate_json(text) == task
    with pytest.raises(ValidationError):
        ShellTask.model_validate({**json.loads(text), "extra": 1})


def test_the_isolation_level_is_no_part_of_the_identity(task: ShellTask) -> None:
    assert task.model_copy(update={"level": "other"}).content_hash == task.content_hash
    assert task.model_copy(update={"instruction": "other"}).content_hash != task.content_hash


def test_a_position_without_a_task_is_one_clear_error(pool: VerificationPool) -> None:
    with pytest.raises(BenchmarkError, match="no task at train 3/1 within 60 attempts"):
        generate_task("train", 3, 1, pool, first_attempt=60)


@pytest.mark.slow
@pytest.mark.parametrize("split", ["train", "held_out_variant", "held_out", "final", "held_out_operator"])
def test_every_split_yields_tasks_of_its_kind(pool: VerificationPool, split: str) -> None:
    tasks = [generate_task(split, 21, index, pool) for index in range(6)]
    projects = {"train": "train", "held_out_variant": "train", "held_out": "held_out"}.get(split, "final")
    from rlaios_core.environments.shell.bugs import bundled_projects

    names = {project.name for project in bundled_projects(projects)}
    for one in tasks:
        assert one.project in names
        assert one.split == split
        held_out = {RepairTemplate(name) in HELD_OUT_TEMPLATES for name in one.family.split("+")}
        assert held_out == {split == "held_out_operator"}
        assert (one.variant_seed >= 12) == (split == "held_out_variant")
