"""The default harness: executors really differ, and the verifier believes the world only."""

from collections.abc import Iterator
from typing import Any

import pytest

from rlaios_core.environments.orchestrator.harness import Harness, HarnessError
from rlaios_core.environments.orchestrator.items import Criterion, Job, Need, WorkItem
from rlaios_core.environments.orchestrator.tasks.sources import SOURCES
from rlaios_core.schema import Split, StepStatus
from tests.environments.orchestrator.worlds import (
    AGAIN,
    DRY_RUN,
    HUMAN,
    LOCAL,
    LOOK,
    SUBAGENT,
    harnesses,
    item,
    job,
    service,
    timeless,
)


@pytest.fixture(scope="module")
def factory() -> Iterator[Any]:
    with harnesses() as made:
        yield made


def opened(factory: Any, work: WorkItem) -> Harness:
    harness: Harness = factory()
    harness.reset(work)
    return harness


def test_the_plain_executor_does_the_work(factory: Any) -> None:
    harness = opened(factory, item())
    assert harness.verify().missing == ("made.txt",)
    evidence = harness.execute(LOCAL)
    assert (evidence.status, evidence.exit_code, evidence.cost) == (StepStatus.OK, 0, 1.0)
    assert "written" in evidence.text
    assert harness.verify().done
    assert harness.execute(LOOK).text == "done"


def test_a_log_that_says_done_is_not_believed(factory: Any) -> None:
    harness = opened(factory, job("print('made.txt written, all done')"))
    assert harness.execute(LOCAL).exit_code == 0
    assert harness.verify().missing == ("made.txt",)


def test_a_job_that_prints_a_verdict_changes_none(factory: Any) -> None:
    verdict = '{"missing": [], "excess": [], "damage": [], "needs": []}'
    harness = opened(factory, job(f"print({verdict!r}); open('judge.py', 'w').write('print(1)')"))
    harness.execute(LOCAL)
    assert harness.verify().missing == ("made.txt",)


def test_a_dry_run_tells_and_changes_nothing(factory: Any) -> None:
    guard = Criterion(name="keep.txt", kind="file", path="keep.txt", equals="k")
    work = item(
        files={
            "job.py": "import os; os.remove('keep.txt'); open('made.txt', 'w').write('hello\\n')",
            "keep.txt": "k",
        },
        guards=(guard,),
    )
    harness = opened(factory, work)
    before = harness.execute(LOOK).snapshot
    evidence = harness.execute(DRY_RUN)
    assert "would change made.txt" in evidence.text
    assert evidence.signals["deleted"] == 1
    assert evidence.snapshot == before
    harness.execute(LOCAL)
    assert harness.verify().damage == ("keep.txt",)


def test_a_retry_goes_on_where_it_failed(factory: Any) -> None:
    counter = "open('{0}', 'a').write('x')\n"
    work = item(
        files={
            "first.py": counter.format("first"),
            "second.py": counter.format("second") + "import sys; sys.exit(len(open('second').read()) < 2)",
        },
        jobs=(
            Job(name="second", run=("python", "second.py"), needs=("first",)),
            Job(name="first", run=("python", "first.py")),
        ),
        expect=(
            Criterion(name="first", kind="file", path="first", equals="x"),
            Criterion(name="second", kind="file", path="second", equals="xx"),
        ),
    )
    harness = opened(factory, work)
    assert harness.execute(AGAIN).status is StepStatus.REJECTED
    assert harness.execute(LOCAL).exit_code == 1
    assert harness.execute(AGAIN).exit_code == 0
    assert harness.verify().done


def test_work_done_twice_is_seen(factory: Any) -> None:
    work = item(
        files={"lines": "a\n", "secrets/token": "good"},
        service=dict(service()),
        jobs=(Job(name="push", run=("push", "lines", "box")),),
        expect=(Criterion(name="records", kind="collection", path="box", equals=["a"]),),
    )
    harness = opened(factory, work)
    harness.execute(LOCAL)
    assert harness.verify().done
    harness.execute(LOCAL)
    assert harness.verify().excess == ("records",)


def test_a_subagent_renews_a_credential_and_goes_on(factory: Any) -> None:
    tokens = {"old": {"subject": "me", "expires": 500, "renewable": True}}
    work = item(
        files={"lines": "a\n", "secrets/token": "old"},
        service=dict(service(tokens=tokens)),
        jobs=(Job(name="push", run=("push", "lines", "box")),),
        expect=(Criterion(name="records", kind="collection", path="box", equals=["a"]),),
    )
    plain = opened(factory, work)
    assert plain.execute(LOCAL).exit_code == 77
    assert not plain.verify().done
    capable = opened(factory, work)
    assert capable.execute(SUBAGENT).exit_code == 0
    assert capable.verify().done


MODULE = SOURCES[Split.TRAIN][1]


def failing(**changes: Any) -> WorkItem:
    """Tests that fail for a bug in a source."""
    path = f"src/{MODULE.name}.py"
    fields: dict[str, Any] = {
        "files": {path: MODULE.broken, f"tests/test_{MODULE.name}.py": MODULE.tests},
        "jobs": (Job(name="unittest", run=("unittest", "tests")),),
        "expect": (),
        "tests": (Job(name="unittest", run=("unittest", "tests")),),
        "source": (path,),
    }
    return item(**{**fields, **changes})


def test_a_subagent_repairs_code_in_a_shell_session(factory: Any) -> None:
    harness = opened(factory, failing())
    assert harness.execute(LOCAL).exit_code == 1
    evidence = harness.execute(SUBAGENT)
    assert f"patched src/{MODULE.name}.py" in evidence.text
    assert harness.verify().done


def test_a_subagent_may_not_touch_what_is_not_its_own(factory: Any) -> None:
    harness = opened(factory, failing(source=()))
    assert "no patch" in harness.execute(SUBAGENT).text
    assert not harness.verify().done


def gated(source: str = "") -> WorkItem:
    """Overwrites a protected file; allowed with an approval."""
    write = "open('made.txt', 'w').write('hello\\n')\n"
    return item(
        files={
            "job.py": source + write,
            "made.txt": "old\n",
            "etc/item.json": '{"protected": ["made.txt"], "writes": ["made.txt"]}',
        },
        guards=(Criterion(name="made.txt", kind="file", path="made.txt", equals="old\n", need="approval"),),
        needs=(Need(id="approval", kind="approval", gate=True),),
    )


def test_the_gate_decides_only_with_a_case(factory: Any) -> None:
    harness = opened(factory, gated())
    assert harness.execute(HUMAN).status is StepStatus.REJECTED
    assert harness.execute(DRY_RUN).signals["protected"] == 1
    assert harness.execute(HUMAN).exit_code == 0
    assert harness.verify().needs == ()
    harness.execute(LOCAL)
    state = harness.verify()
    assert state.done
    assert not state.damage


def test_without_approval_the_same_change_is_damage(factory: Any) -> None:
    harness = opened(factory, gated())
    harness.execute(LOCAL)
    assert harness.verify().damage == ("made.txt",)
    assert harness.verify().needs == ("approval",)


def test_an_approval_cannot_be_forged(factory: Any) -> None:
    forge = (
        "import os, json; os.makedirs('desk')\n"
        "json.dump({'approval': 'signed'}, open('desk/approvals.json', 'w'))\n"
    )
    harness = opened(factory, gated(forge))
    harness.execute(LOCAL)
    assert harness.verify().damage == ("made.txt",)


def test_what_belongs_to_an_owner_is_not_the_gates(factory: Any) -> None:
    work = gated().model_copy(update={"needs": (Need(id="approval", kind="hold"),)})
    harness = opened(factory, work)
    harness.execute(DRY_RUN)
    assert harness.execute(HUMAN).exit_code == 1
    assert harness.verify().needs == ("approval",)


@pytest.mark.parametrize(
    ("source", "status", "code"),
    [
        ("import time; time.sleep(600)", StepStatus.TIMEOUT, -9),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", StepStatus.ERROR, -11),
        ("import sys; sys.exit(5)", StepStatus.ERROR, 5),
        ("raise RuntimeError('in the job')", StepStatus.ERROR, 1),
    ],
)
def test_what_goes_wrong_in_the_world_is_evidence(
    factory: Any, source: str, status: StepStatus, code: int
) -> None:
    evidence = opened(factory, job(source, wall_seconds=1.0)).execute(LOCAL)
    assert (evidence.status, evidence.exit_code) == (status, code)


def test_equal_items_and_decisions_show_equal_evidence(factory: Any) -> None:
    decisions = (LOCAL, AGAIN, LOOK, DRY_RUN)
    runs = []
    for _ in range(2):
        harness = opened(factory, item())
        runs.append([timeless(harness.execute(decision)) for decision in decisions])
    assert runs[0] == runs[1]


def test_a_jump_of_the_clock_changes_nothing(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = opened(factory, item())
    first = harness.execute(LOCAL)
    monkeypatch.setattr("time.time", lambda: 4e9)
    again = opened(factory, item()).execute(LOCAL)
    assert timeless(again) == timeless(first)
    assert 0 <= again.seconds < 600


def test_nothing_is_carried_out_before_reset(factory: Any) -> None:
    with pytest.raises(HarnessError, match="reset"):
        factory().execute(LOCAL)
