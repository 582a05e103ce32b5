"""Finding the places where a bug can go into a project, drawing one, and putting it in."""

from __future__ import annotations

import ast
import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rlaios_core.environments.shell.repair import ProjectContext, RepairTemplate
from rlaios_core.environments.shell.repair.site import Site
from rlaios_core.environments.shell.repair.source import parse_module
from rlaios_core.schema import Split

from .operators import operators_for
from .variants import spliced

_HELD_OUT_FUNCTIONS = 5
"""One function in so many of a training project is kept for the split `held_out_variant`."""


@dataclass(frozen=True)
class Injection:
    """One splice that breaks correct code."""

    operator: str
    weight: float
    template: RepairTemplate
    path: str
    function: str
    start: int
    end: int
    replacement: str
    plausibility: float
    """How much it looks like a slip, among the bugs of its operator."""


def function_is_held_out(project: str, function: str) -> bool:
    """Whether a function of a training project is kept for `held_out_variant`."""
    digest = hashlib.sha256(f"{project}:{function}".encode()).digest()
    return digest[0] % _HELD_OUT_FUNCTIONS == 0


def injectable(split: Split, project: str, function: str) -> bool:
    """Whether tasks of the split may break the function."""
    if split is Split.TRAIN:
        return not function_is_held_out(project, function)
    if split is Split.HELD_OUT_VARIANT:
        return function_is_held_out(project, function)
    return True


def injections(files: Mapping[str, str], template: RepairTemplate) -> tuple[Injection, ...]:
    """Every bug that the template should repair, in the order of the text."""
    context = ProjectContext(files)
    found: list[Injection] = []
    for module in context.modules:
        for statement in module.statements:
            site = Site(module, statement, context)
            for operator in operators_for(template):
                found.extend(
                    Injection(
                        operator.name, operator.weight, template, module.path, statement.function.qualname,
                        proposal.start, proposal.end, proposal.replacement, proposal.weight,
                    )
                    for proposal in operator.sites(site)
                )  # fmt: skip
    return tuple(found)


def draw(places: Sequence[Injection], rng: random.Random) -> Injection | None:
    """One of the places: an operator by its weight, then any function, then a site by its plausibility."""
    if not places:
        return None
    weights = {place.operator: place.weight for place in places}
    names = sorted(weights)
    operator = rng.choices(names, [weights[name] for name in names])[0]
    of_operator = [place for place in places if place.operator == operator]
    functions = sorted({(place.path, place.function) for place in of_operator})
    chosen = rng.choice(functions)
    sites = [place for place in of_operator if (place.path, place.function) == chosen]
    return rng.choices(sites, [place.plausibility**2 for place in sites])[0]


def inject(files: Mapping[str, str], bugs: Sequence[Injection]) -> dict[str, str]:
    """The files with the bugs in; their spans must not overlap."""
    result = dict(files)
    for path in {bug.path for bug in bugs}:
        splices = [(bug.start, bug.end, bug.replacement) for bug in bugs if bug.path == path]
        result[path] = spliced(files[path], splices)
    return result


def function_node(path: str, source: str, qualname: str) -> ast.AST | None:
    """The node of a function by its qualified name."""
    return next(
        (scope.node for scope in parse_module(path, source).functions if scope.qualname == qualname), None
    )
