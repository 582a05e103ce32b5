"""Own work items: what a file may say, and how what is wrong is refused."""

from pathlib import Path

import pytest

from rlaios_core.environments import Play
from rlaios_core.environments.orchestrator import create
from rlaios_core.environments.orchestrator.items import Ability
from rlaios_core.environments.orchestrator.own_items import ItemFileError, OwnItems, load_items
from rlaios_core.schema import Outcome, Split
from tests.environments.orchestrator.worlds import LOCAL, LOOK, Takes

GOOD = """
version: 1
executors:
  - {name: big-box, ability: capable, cost: 3, environment: {SIZE: big}}
checks:
  - {name: free, run: python free.py, cost: 0.25}
items:
  - name: export
    instruction: Write the export and have it checked.
    files:
      make.py: |
        open("export.txt", "w").write("42\\n")
      check.py: |
        import sys; sys.exit(open("export.txt").read() != "42\\n")
      free.py: print("free:1")
      keep.txt: untouched
    jobs:
      - {name: make, run: python make.py}
      - {name: again, run: [python, make.py], needs: [make]}
    executors: [local, dry-run, big-box, human]
    done:
      tests: [python check.py]
      criteria:
        - {name: export.txt, kind: file, path: export.txt, equals: "42\\n"}
    protected: [keep.txt]
    budget: 6
  - name: later
    split: held_out
    instruction: Nothing yet.
    files: {a.py: "pass"}
    jobs: [{name: a, run: python a.py}]
    done: {tests: [python a.py]}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "items.yaml"
    path.write_text(text)
    return path


def test_a_file_gives_items_by_split(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    items = OwnItems(path)
    item = items.item(Split.TRAIN, 0, 0)
    assert item.name == "export"
    assert [executor.name for executor in item.executors] == ["local", "dry-run", "big-box", "human"]
    assert item.executors[2].ability is Ability.CAPABLE
    assert [check.name for check in item.checks] == ["free"]
    assert items.item(Split.TRAIN, 7, 0) == item
    assert items.item(Split.HELD_OUT, 0, 0).name == "later"
    with pytest.raises(KeyError):
        items.item(Split.FINAL, 0, 0)


def test_own_items_are_really_carried_out(tmp_path: Path) -> None:
    world = create(workers=1, items=str(written(tmp_path, GOOD)))
    try:
        task = world.sample_task(Split.TRAIN, 0, 0)
        episode = world.run_episode(task, Takes(LOCAL, LOOK), Play("test", 1, "me", 1))
        assert episode.outcome is Outcome.SUCCESS
        assert world.reference_solution(task).keys
    finally:
        world.close()


def test_files_may_lie_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "a.py").write_text("pass")
    text = GOOD.replace('files: {a.py: "pass"}', "folder: export")
    assert load_items(written(tmp_path, text))[1][1].files == {"a.py": "pass"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    instruction: Nothing yet.\n", "", "item 'later': instruction is missing"),
        ("name: make, run: python make.py", "run: python make.py", "item 'export': jobs: 0: name is missing"),
        ("  - name: later\n", "  - nome: later\n", "item 2: name is missing"),
        (
            "executors: [local, dry-run, big-box",
            "executors: [local, dry-run, big-bax",
            "no executor called 'big-bax'; known: big-box",
        ),
        ("run: python make.py}", "run: python make.py, needs: [again]}", "need each other in a circle"),
        ("needs: [make]", "needs: [made]", "needs 'made', which is not a job"),
        ("done: {tests: [python a.py]}", "done: {}", "nothing says when the work is done"),
        (
            "protected: [keep.txt]",
            "protected: [gone.txt]",
            "protected file 'gone.txt' is not among its files",
        ),
        ("budget: 6", "budget: none", "item 'export': budget Input should be a valid number"),
        ("budget: 6", "bugdet: 6", "item 'export': bugdet is not a field that is known here"),
        ("ability: capable", "ability: strong", "ability Input should be"),
        ("- name: later", "- name: export", "two items are called 'export'"),
        ("version: 1", "version: 2", "version Input should be 1"),
        ("items:", "items: [}", "is no YAML"),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(ItemFileError) as caught:
        load_items(path)
    message = str(caught.value)
    assert said in message
    assert message.startswith(str(path))
    assert "\n" not in message


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ItemFileError, match="cannot be read"):
        load_items(tmp_path / "none.yaml")


def test_nothing_but_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ItemFileError, match="valid dictionary"):
        load_items(written(tmp_path, "just words"))
