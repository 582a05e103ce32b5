"""What holds for every candidate of every bundled project."""

import ast
import random
import re

import pytest

from rlaios_core.environments.shell.bugs import Project, bundled_projects
from rlaios_core.environments.shell.repair import (
    Edit,
    Offers,
    ProjectContext,
    apply_edit,
    candidates,
    select,
)
from rlaios_core.environments.shell.repair.source import parse_module

PROJECTS = [project for folder in ("train", "held_out", "final") for project in bundled_projects(folder)]


def check(source: str, edits: list[Edit]) -> None:
    original = ast.dump(ast.parse(source))
    seen: dict[str, Edit] = {}
    for edit in edits:
        changed = apply_edit(source, edit)
        result = ast.dump(ast.parse(changed))
        compile(changed, edit.path, "exec")
        assert result != original, edit
        assert result not in seen, (edit, seen[result])
        seen[result] = edit
        assert 0.0 <= edit.prior <= 1.0
        assert len(edit.before) <= 120
        assert len(edit.after) <= 120
        assert 2 <= len(edit.tags) <= 6
        back = changed.encode()
        stop = edit.start + len(edit.replacement.encode())
        old = source.encode()[edit.start : edit.end]
        assert back[: edit.start] + old + back[stop:] == source.encode()


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_a_sample_of_candidates_is_sound(project: Project) -> None:
    context = ProjectContext.build(project.files)
    rng = random.Random(project.name)
    path = rng.choice(
        [path for path in sorted(project.files) if parse_module(path, project.files[path]).statements]
    )
    statements = parse_module(path, project.files[path]).statements
    lines = {statement.line for statement in rng.sample(statements, min(2, len(statements)))}
    check(project.files[path], candidates(path, project.files[path], lines, context=context))


@pytest.mark.slow
@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_the_candidates_of_every_fourth_line_are_sound(project: Project) -> None:
    context = ProjectContext.build(project.files)
    for path, source in project.files.items():
        lines = {statement.line for statement in parse_module(path, source).statements[::4]}
        check(source, candidates(path, source, lines, context=context))


def test_candidates_do_not_depend_on_the_lines_asked_for() -> None:
    project = PROJECTS[0]
    context = ProjectContext.build(project.files)
    path = max(project.files, key=lambda one: len(project.files[one]))
    line = parse_module(path, project.files[path]).statements[3].line
    near = candidates(path, project.files[path], {line}, context=context)
    both = candidates(path, project.files[path], {line, line + 1, line + 2}, context=context)
    assert near == [edit for edit in both if edit.line == line]


def test_notes_are_words_and_numbers_within_bounds() -> None:
    project = PROJECTS[1]
    context = ProjectContext.build(project.files)
    path = max(project.files, key=lambda one: len(project.files[one]))
    lines = {statement.line for statement in parse_module(path, project.files[path]).statements[:12]}
    for edit in candidates(path, project.files[path], lines, context=context):
        assert len(edit.notes) > 15
        for note in edit.notes:
            assert not re.search(r"\s", note)
            name, _, value = note.rpartition(":")
            if re.fullmatch(r"-?\d+\.\d+", value):
                assert name
                assert -1.0 <= float(value) <= 1.0


def test_what_is_offered_is_what_is_selected_with_notes() -> None:
    project = PROJECTS[2]
    context = ProjectContext.build(project.files)
    paths = sorted(project.files, key=lambda one: -len(project.files[one]))[:2]
    places = [
        (path, statement.line)
        for path in paths
        for statement in parse_module(path, project.files[path]).statements[:15]
    ]
    suspicion = {place: 1.0 / (1 + at) for at, place in enumerate(places)}
    offers = Offers(project.files, suspicion, 64, context=context)
    for opened in ([], paths[:1], paths, paths[1:]):
        made = [
            edit
            for path in sorted(opened)
            for edit in candidates(
                path, project.files[path], {line for at, line in suspicion if at == path}, context=context
            )
        ]
        assert offers.within(opened) == select(made, suspicion, 64)


def test_a_projects_own_correct_code_is_not_in_its_habits() -> None:
    source = PROJECTS[0].files
    context = ProjectContext.build(source)
    assert context.prior
    own = ProjectContext.build({f"other_{path}": text for path, text in source.items()})
    # Under names no training project has, nothing is left out.
    assert sum(own.prior.values()) > sum(context.prior.values())
