"""Each operator makes the bug it is named after, and its template mends it."""

import ast

import pytest

from rlaios_core.environments.shell.bugs.inject import Injection, draw, inject, injections
from rlaios_core.environments.shell.bugs.operators import OPERATORS
from rlaios_core.environments.shell.bugs.reference import find_reference
from rlaios_core.environments.shell.repair import (
    HELD_OUT_TEMPLATES,
    ProjectContext,
    RepairTemplate,
    apply_edit,
)

BY_NAME = {operator.name: operator for operator in OPERATORS}

CASES = [
    ("shift_limit", "def f(n: int):\n    return [i for i in range(n)]\n", "range(n)", "range(n + 1)"),
    ("shift_amount", "def f(a: int, b: int):\n    c = a * b + 1\n    return c\n", "a * b + 1", "a * b"),
    ("shift_start", "def f(xs):\n    return list(enumerate(xs, 1))\n", "(xs, 1)", "(xs)"),
    ("shift_slice", "def f(xs: list):\n    return xs[1:]\n", "xs[1:]", "xs[2:]"),
    ("drop_slice", "def f(xs: list):\n    return xs[1:]\n", "xs[1:]", "xs"),
    ("add_slice", "def f(xs: list):\n    return xs\n", "return xs", "return xs[1:]"),
    ("swap_boundary", "def f(a, b):\n    return a < b\n", "<", "<="),
    (
        "drop_guard",
        "def f(xs: list):\n    if not xs:\n        return None\n    return xs[0]\n",
        "    if not xs:\n        return None\n",
        "",
    ),
    (
        "drop_enclosing_if",
        "def f(d: dict, k, v):\n    if k not in d:\n        d[k] = v\n    return d\n",
        "if k not in d:\n        d[k] = v",
        "d[k] = v",
    ),
    ("drop_clause", "def f(a, b: bool):\n    if a and b:\n        return 1\n    return 2\n", "a and b", "a"),
    ("add_clause", "def f(a: int, b: bool):\n    return a > 2\n", "a > 2", "a > 2 and b"),
    ("misuse_variable", "def f(low: int, high: int):\n    return low * high\n", "low *", "high *"),
    (
        "misuse_attribute",
        "class A:\n    def __init__(self):\n        self.low = 0\n        self.top = 0\n\n"
        "    def size(self):\n        return self.top - self.low\n",
        "self.top -",
        "self.low -",
    ),
    ("drop_term", "def f(a: int, b: int):\n    return a + b\n", "a + b", "a"),
    ("add_term", "def f(a: int, b: int):\n    return a * 2\n", "a * 2", "a * 2 + b"),
    (
        "misuse_expression",
        "def f(one, two):\n    return [one.low, two.top, one.low]\n",
        "[one.low",
        "[two.top",
    ),
    ("drop_wrap", "def f(xs: list):\n    return sorted(xs)\n", "sorted(xs)", "xs"),
    ("add_wrap", "def f(text: str):\n    return text\n", "return text", "return text.strip()"),
    ("wrong_call", "def f(a, b):\n    return min(a, b)\n", "min", "max"),
    ("turn_comparison", "def f(a, b):\n    return a == b\n", "==", "!="),
    ("swap_operator", "def f(a: int, b: int):\n    return a - b\n", "a - b", "a + b"),
    ("swap_assignment", "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n", "+=", "="),
    ("swap_logic", "def f(a, b):\n    return a and b\n", "and", "or"),
    ("flip_condition", "def f(a):\n    if not a:\n        return 1\n    return 2\n", "not a", "a"),
    ("wrong_constant", "def f(a: int):\n    return a * 3\n", "3", "4"),
    ("drop_keyword", "def f(xs):\n    return sorted(xs, reverse=True)\n", ", reverse=True", ""),
    ("wrong_keyword", "def f(a, strict=False):\n    return a\n", "False", "True"),
    ("add_keyword", "def f(xs):\n    return sorted(xs)\n", "(xs)\n", "(xs, reverse=True)\n"),
    ("wrong_return", "def f(a):\n    if a:\n        return True\n    return False\n", "True", "False"),
    (
        "swap_statements",
        "def f(a):\n    b = a\n    a = 2\n    return a + b\n",
        "    b = a\n    a = 2\n",
        "    a = 2\n    b = a\n",
    ),
    (
        "repeat_statement",
        "def f(xs):\n    xs.pop()\n    return xs\n",
        "    xs.pop()\n",
        "    xs.pop()\n    xs.pop()\n",
    ),
    (
        "stray_statement",
        "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n",
        "        n += x\n",
        "        n += x\n        return n\n",
    ),
    ("swap_arguments", "def f(a, b):\n    return g(a, b)\n", "g(a, b)", "g(b, a)"),
    ("swap_indices", "def f(m, i, j):\n    return m[i][j]\n", "m[i][j]", "m[j][i]"),
    ("wrong_start_value", "def f():\n    found = []\n    return found\n", "[]", "{}"),
]


@pytest.mark.parametrize(("name", "source", "old", "new"), CASES, ids=[case[0] for case in CASES])
def test_the_operator_makes_the_bug_and_its_template_mends_it(
    name: str, source: str, old: str, new: str
) -> None:
    operator = BY_NAME[name]
    files = {"m.py": source}
    wanted = (
        source.replace(old, new, 1)
        if name != "add_keyword"
        else source.replace("sorted" + old, "sorted" + new)
    )
    made = {
        inject(files, [place])["m.py"]: place
        for place in injections(files, operator.repairs)
        if place.operator == name
    }
    assert wanted in made, sorted(made)
    mutant = {"m.py": wanted}
    reference = find_reference(files, mutant, made[wanted], ProjectContext.build(mutant))
    assert reference is not None
    assert reference.template is operator.repairs
    if name not in ("add_clause", "drop_clause"):
        assert ast.dump(ast.parse(apply_edit(wanted, reference))) == ast.dump(ast.parse(source))


def test_every_operator_has_an_example_and_every_template_an_operator() -> None:
    assert {case[0] for case in CASES} == set(BY_NAME)
    assert {operator.repairs for operator in OPERATORS} == set(RepairTemplate)
    held_out = {operator.name for operator in OPERATORS if operator.repairs in HELD_OUT_TEMPLATES}
    assert held_out == {"swap_arguments", "swap_indices", "wrong_start_value"}


def test_drawing_is_fixed_by_the_generator() -> None:
    import random

    places = injections({"m.py": CASES[0][1]}, RepairTemplate.OFF_BY_ONE)
    assert draw(places, random.Random(4)) == draw(places, random.Random(4))
    assert draw([], random.Random(4)) is None
    heavy = [
        Injection("a", 1.0, RepairTemplate.GUARD, "m.py", "f", 0, 0, "x", 0.9),
        Injection("a", 1.0, RepairTemplate.GUARD, "m.py", "f", 0, 0, "y", 0.1),
    ]
    drawn = [draw(heavy, random.Random(seed)) for seed in range(200)]
    assert sum(place is heavy[0] for place in drawn) > 180
