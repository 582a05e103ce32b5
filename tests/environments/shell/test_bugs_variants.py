"""Surface variants keep the behaviour and everything outside a function's own names."""

import ast

import pytest

from rlaios_core.environments.shell.bugs import Project, bundled_projects
from rlaios_core.environments.shell.bugs.admission import is_green
from rlaios_core.environments.shell.bugs.variants import make_variant, renamable
from rlaios_core.environments.shell.repair.source import parse_module
from rlaios_core.environments.shell.verification import VerificationPool

SOURCE = '''
def add(values):
    """Adds."""
    # the sum so far
    result = 0
    for value in values:
        result += value
    return result


def shown(name):
    label = name.strip()
    count = len(label)
    return f"{label} {count}"


def nested(total):
    index = total

    def inner(index):
        return index

    return inner(index)
'''
PROJECTS = [project for folder in ("train", "held_out", "final") for project in bundled_projects(folder)]


def test_seed_zero_is_the_project_as_written() -> None:
    assert make_variant("p", {"m.py": SOURCE}, 0) == {"m.py": SOURCE}


def test_a_variant_is_fixed_by_its_seed_and_seeds_differ() -> None:
    made = [make_variant("p", {"m.py": SOURCE}, seed)["m.py"] for seed in range(1, 12)]
    assert made == [make_variant("p", {"m.py": SOURCE}, seed)["m.py"] for seed in range(1, 12)]
    assert len(set(made)) > 5


@pytest.mark.parametrize("seed", range(1, 9))
def test_parameters_f_string_names_and_comments_stay(seed: int) -> None:
    made = make_variant("p", {"m.py": SOURCE}, seed)["m.py"]
    assert "# the sum so far" in made
    assert 'return f"{label} {count}"' in made
    functions = {node.name: node for node in ast.parse(made).body if isinstance(node, ast.FunctionDef)}
    assert {name: ast.unparse(node.args) for name, node in functions.items()} == {
        "add": "values",
        "shown": "name",
        "nested": "total",
    }
    space: dict[str, object] = {}
    exec(made, space)
    assert (space["add"]([1, 2]), space["shown"](" ab "), space["nested"](4)) == (3, "ab 2", 4)  # type: ignore[operator]


def test_names_of_nested_functions_are_not_renamed() -> None:
    scopes = {scope.name: scope for scope in parse_module("m.py", SOURCE).functions}
    assert renamable(scopes["nested"]) == []
    assert renamable(scopes["add"]) == ["result", "value"]
    assert renamable(scopes["shown"]) == []


@pytest.mark.slow
@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_every_variant_used_is_green(project: Project) -> None:
    with VerificationPool(1) as pool:
        for seed in range(24 if project.split == "train" else 12):
            assert is_green(project, make_variant(project.name, project.files, seed), pool), seed
