"""Each template mends the kind of bug it is for."""

import pytest

from rlaios_core.environments.shell.repair import (
    Edit,
    ProjectContext,
    RepairTemplate,
    apply_edit,
    candidates,
)

T = RepairTemplate


def made(source: str) -> dict[str, Edit]:
    """Every candidate's result, with the candidate."""
    files = {"m.py": source}
    return {
        apply_edit(source, edit): edit
        for edit in candidates("m.py", source, context=ProjectContext(files), notes=False)
    }


CASES = [
    (T.OFF_BY_ONE, "def f(n: int):\n    return [i for i in range(n - 1)]\n", "range(n - 1)", "range(n)"),
    (T.OFF_BY_ONE, "def f(n: int):\n    return [i for i in range(n)]\n", "range(n)", "range(n + 1)"),
    (T.OFF_BY_ONE, "def f(n: int):\n    return [i for i in range(n)]\n", "range(n)", "range(1, n)"),
    (T.OFF_BY_ONE, "def f(xs: list, i: int):\n    return xs[i]\n", "xs[i]", "xs[i - 1]"),
    (T.OFF_BY_ONE, "def f(xs):\n    return list(enumerate(xs))\n", "enumerate(xs)", "enumerate(xs, 1)"),
    (T.SLICE, "def f(text: str):\n    return text[1:]\n", "text[1:]", "text[1:-1]"),
    (T.SLICE, "def f(text: str, n: int):\n    return text[:n]\n", "text[:n]", "text[n:]"),
    (T.SLICE, "def f(text: str, n: int):\n    return text[:n]\n", "text[:n]", "text[:-n]"),
    (T.SLICE, "def f(rows: list, count: int):\n    return rows\n", "return rows", "return rows[:count]"),
    (T.BOUNDARY, "def f(a, b):\n    if a < b:\n        return 1\n    return 2\n", "a < b", "a <= b"),
    (
        T.GUARD,
        "def f(xs: list):\n    return xs[0]\n",
        "    return xs[0]",
        "    if not xs:\n        return None\n    return xs[0]",
    ),
    (
        T.GUARD,
        "def f(total: int, n: int):\n    return total / n\n",
        "    return total",
        "    if n == 0:\n        return 0\n    return total",
    ),
    (
        T.GUARD,
        "def f(items, seen: set):\n    for item in items:\n        seen.add(item)\n",
        "        seen.add",
        "        if item in seen:\n            continue\n        seen.add",
    ),
    (T.CONDITION, "def f(a, b: bool):\n    if a:\n        return 1\n    return 2\n", "if a:", "if a and b:"),
    (T.CONDITION, "def f(a, b):\n    if a and b:\n        return 1\n    return 2\n", "a and b", "a"),
    (T.CONDITION, "def f(x: int = None):\n    return x < 0\n", "x < 0", "x is not None and x < 0"),
    (T.VARIABLE, "def f(low: int, high: int):\n    return low + low\n", "low + low", "low + high"),
    (T.EXPRESSION, "def f(a: int, b: int):\n    return a\n", "return a", "return a + b"),
    (
        T.EXPRESSION,
        "class A:\n    def __init__(self):\n        self.low = 0\n        self.top = 0\n\n"
        "    def size(self):\n        return self.low - self.low\n",
        "return self.low",
        "return self.top",
    ),
    (T.WRAP, "def f(xs: list):\n    return xs\n", "return xs", "return sorted(xs)"),
    (T.WRAP, "def f(a: int, b: int):\n    return a - b\n", "a - b", "max(0, a - b)"),
    (T.WRAP, "def f(xs: dict):\n    return [k for k, v in xs]\n", "in xs]", "in xs.items()]"),
    (T.WRAP, "def f(xs: list, n: int):\n    return xs - n\n", "xs - n", "len(xs) - n"),
    (T.UNWRAP, "def f(text: str):\n    return text.strip()\n", "text.strip()", "text"),
    (T.CALL, "def f(a, b):\n    return min(a, b)\n", "min", "max"),
    (T.CALL, "def f(text):\n    return text.startswith('a')\n", "startswith", "endswith"),
    (T.COMPARISON, "def f(a, b):\n    return a == b\n", "==", "!="),
    (T.COMPARISON, "def f(a, b):\n    return a in b\n", "a in b", "a not in b"),
    (T.ARITHMETIC, "def f(a: int, b: int):\n    return a + b\n", "a + b", "a - b"),
    (T.ARITHMETIC, "def f(a: int, b: int):\n    return a - b\n", "a - b", "b - a"),
    (T.AUGMENT, "def f(xs):\n    n = 0\n    for x in xs:\n        n = x\n    return n\n", "n = x", "n += x"),
    (T.LOGIC, "def f(a, b):\n    return a and b\n", "and", "or"),
    (T.NEGATE, "def f(a):\n    if a:\n        return 1\n    return 2\n", "if a", "if not a"),
    (T.CONSTANT, "def f(a):\n    return a * 3\n", "3", "4"),
    (T.CONSTANT, "def f(a):\n    return a == ','\n\n\ndef g(a):\n    return a != ';'\n", "','", "';'"),
    (T.KEYWORD, "def f(xs):\n    return sorted(xs)\n", "sorted(xs)", "sorted(xs, reverse=True)"),
    (T.KEYWORD, "def f(d, k):\n    return d.get(k) + 1\n", "d.get(k)", "d.get(k, 0)"),
    (T.KEYWORD, "def f(a, strict=False):\n    return a\n", "strict=False", "strict=True"),
    (
        T.KEYWORD,
        "def f(a, b=1):\n    return a\n\n\ndef g(a, b):\n    return f(a)\n",
        "return f(a)",
        "return f(a, b=b)",
    ),
    (
        T.RETURN,
        "def f(a):\n    if a:\n        return True\n    return False\n",
        "return True",
        "return False",
    ),
    (
        T.STATEMENT,
        "def f(xs):\n    xs.pop()\n    xs.pop()\n    return xs\n",
        "    xs.pop()\n    xs",
        "    xs",
    ),
    (
        T.STATEMENT,
        "def f(a):\n    b = a\n    a = 2\n    return b\n",
        "    b = a\n    a = 2",
        "    a = 2\n    b = a",
    ),
    (T.ARGSWAP, "def f(a, b):\n    return g(a, b)\n", "g(a, b)", "g(b, a)"),
    (T.INDEXSWAP, "def f(m, i, j):\n    return m[i][j]\n", "m[i][j]", "m[j][i]"),
    (T.INDEXSWAP, "def f(x, y):\n    return (x, y)\n", "(x, y)\n", "(y, x)\n"),
    (T.LITERAL_FILL, "def f():\n    found = []\n    return found\n", "[]", "{}"),
    (T.LITERAL_FILL, "def f(n):\n    return [0] * n\n", "[0]", "[1]"),
]


@pytest.mark.parametrize(("template", "source", "old", "new"), CASES)
def test_the_template_makes_the_change(template: RepairTemplate, source: str, old: str, new: str) -> None:
    wanted = source.replace(old, new, 1)
    results = made(source)
    assert wanted in results, f"not among {len(results)} candidates"
    assert results[wanted].template is template


def test_every_template_has_an_example() -> None:
    assert {template for template, *_ in CASES} == set(RepairTemplate)


def test_parentheses_are_put_where_the_text_needs_them() -> None:
    source = "def f(a, b: bool, c):\n    return c if not (a or b) else a\n"
    assert any("not (a and b)" in result for result in made(source))


def test_names_inside_f_strings_are_left_alone() -> None:
    source = "def f(a, b):\n    return f'{a} {b}'\n"
    assert not any("'{b} {b}'" in result for result in made(source))


def test_a_guard_keeps_the_indentation_of_its_block() -> None:
    source = "def f(xs):\n    for x in xs:\n        print(x / len(xs))\n"
    inserted = [result for result in made(source) if "        if " in result]
    assert inserted
    for result in inserted:
        compile(result, "m.py", "exec")
