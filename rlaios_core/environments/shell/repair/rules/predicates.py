"""Conditions that could be missing here: the ingredients of guards and of further clauses.

They come from what the code ahead needs (a divisor that is not zero, a key that is there), from
names nothing uses, from what the project tests elsewhere, and from the usual tests of a kind of value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..kinds import Kind, compatible
from ..nodes import free_names
from ..site import Site

_BOXES = (Kind.MAPPING, Kind.SET, Kind.LIST)


@dataclass(frozen=True)
class Predicate:
    """A condition that could be tested, how likely it is, and where it comes from."""

    text: str
    weight: float
    source: str
    action: str | None = None
    """The jump it comes with elsewhere."""

    @property
    def negative(self) -> bool:
        """Whether it holds when something is missing or wrong."""
        return (
            self.text.startswith("not ")
            or " not in " in self.text
            or self.text.endswith((" is None", " == 0"))
        )


class Predicates:
    """A set of tests in which the best weight of each text counts."""

    def __init__(self) -> None:
        self._found: dict[str, Predicate] = {}

    def offer(self, text: str, weight: float, source: str, action: str | None = None) -> None:
        """Note a test unless it is known with a better weight."""
        if text not in self._found or self._found[text].weight < weight:
            self._found[text] = Predicate(text, weight, source, action)

    def ranked(self) -> list[Predicate]:
        """The best first."""
        return sorted(self._found.values(), key=lambda one: -one.weight)


def missing_predicates(site: Site, ahead: Iterable[ast.stmt], bound: tuple[str, ...] = ()) -> list[Predicate]:
    """Predicates that the statements ahead may need, best first."""
    ahead = list(ahead)
    found = Predicates()
    names = [name for name in dict.fromkeys((*bound, *reversed(site.visible))) if name != site.scope.receiver]
    used = [name for statement in ahead for name in free_names(statement)]
    for test in risks(site, ahead, frozenset(names)):
        found.offer(test.text, test.weight, test.source)
    for name in [name for name in names if name in site.scope.unused][:3]:
        _about_unused(site, name, names, found)
    _elsewhere(site, names, frozenset(used), found)
    relevant = [name for name in names if name in used] or names
    early = site.statement.depth == 1 and site.statement.index <= 2
    for place, name in enumerate(relevant[:4]):
        # At the head of a function its parameters are checked, further on what was just computed.
        head = 0.44 if early and name in site.scope.parameters else 0.32
        for text, share in usual_predicates(name, site.kinds.get(name, Kind.UNKNOWN)):
            found.offer(text, (head - 0.03 * place) * share, "usual")
    for first, second in _pairs(site, relevant):
        found.offer(f"{first} == {second}", 0.34 if early else 0.26, "pair")
        if site.kinds.get(first) is Kind.NUMBER:
            found.offer(f"{first} > {second}", 0.24, "pair")
            found.offer(f"{second} > {first}", 0.24, "pair")
    return found.ranked()


def _about_unused(site: Site, name: str, names: list[str], found: Predicates) -> None:
    """Nothing uses the name, so a test of it may be what is missing."""
    kind = site.kinds.get(name, Kind.UNKNOWN)
    for text, share in usual_predicates(name, kind):
        found.offer(text, 0.75 * share, "unused")
    for other in names:
        if other == name:
            continue
        second = site.kinds.get(other, Kind.UNKNOWN)
        if kind in (Kind.NUMBER, Kind.UNKNOWN) and second in (kind, Kind.NUMBER):
            for sign in (">", "<", ">=", "<="):
                found.offer(f"{other} {sign} {name}", 0.5, "unused")
        if kind is second and kind is not Kind.BOOL:
            found.offer(f"{other} == {name}", 0.42, "unused")
        if kind in _BOXES and second not in _BOXES:
            found.offer(f"{other} in {name}", 0.5, "unused")
            found.offer(f"{other} not in {name}", 0.5, "unused")


def usual_predicates(name: str, kind: Kind) -> Iterator[tuple[str, float]]:
    """Usual tests of a value of a kind, with their share."""
    if kind is Kind.NUMBER:
        yield f"{name} <= 0", 1.0
        yield f"{name} < 0", 0.95
        yield f"{name} == 0", 0.85
    elif kind is Kind.BOOL:
        yield name, 1.0
        yield f"not {name}", 1.0
    elif kind in (*_BOXES, Kind.TEXT):
        yield f"not {name}", 1.0
        yield name, 0.8
        yield f"{name} is None", 0.6
    else:
        yield f"{name} is None", 1.0
        yield f"not {name}", 0.9
        yield name, 0.7


def risks(site: Site, ahead: Iterable[ast.stmt], names: frozenset[str]) -> Iterator[Predicate]:
    """What the statements ahead cannot do without."""

    def subject(node: ast.expr) -> str | None:
        """The text of a name or attribute that can be tested here."""
        if isinstance(node, ast.Name):
            return node.id if node.id in names else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = node.value.id
            return f"{owner}.{node.attr}" if owner in names or owner == site.scope.receiver else None
        return None

    for statement in ahead:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name | ast.Attribute) and (text := subject(node)) is not None:
                attribute = text.partition(".")[2]
                if text in site.scope.optional or attribute in site.context.optional:
                    yield Predicate(f"{text} is None", 0.6, "optional")
            match node:
                case ast.BinOp(op=ast.Div() | ast.FloorDiv() | ast.Mod(), right=right):
                    inner = right.args[0] if isinstance(right, ast.Call) and len(right.args) == 1 else right
                    if (text := subject(inner)) is not None:
                        yield Predicate(
                            f"not {text}" if inner is not right else f"{text} == 0", 0.62, "divisor"
                        )
                        if inner is right:
                            yield Predicate(f"{text} <= 0", 0.55, "divisor")
                case ast.Subscript(value=value, slice=index, ctx=ast.Load()) if (
                    text := subject(value)
                ) is not None:
                    key = subject(index)
                    kind = site.kind(value)
                    if isinstance(index, ast.Constant | ast.UnaryOp):
                        yield Predicate(f"not {text}", 0.55, "first_item")
                    elif key is not None and kind in (Kind.MAPPING, Kind.UNKNOWN, Kind.SET):
                        yield Predicate(f"{key} not in {text}", 0.55, "lookup")
                    elif key is not None:
                        yield Predicate(f"{key} >= len({text})", 0.35, "lookup")
                        yield Predicate(f"{key} < 0", 0.3, "lookup")
                case ast.Subscript(value=value, slice=index, ctx=ast.Store()) if (
                    text := subject(value)
                ) is not None:
                    if (key := subject(index)) is not None:
                        yield Predicate(f"{key} in {text}", 0.42, "store")
                        yield Predicate(f"{key} not in {text}", 0.38, "store")
                case ast.Attribute(value=value, ctx=ast.Load()) if (text := subject(value)) is not None:
                    if site.kind(value) in (Kind.UNKNOWN, Kind.OTHER) and "." not in text:
                        yield Predicate(f"{text} is None", 0.36, "attribute")
                case ast.Call(
                    func=ast.Attribute(value=value, attr="append" | "add" | "remove" | "discard"), args=[arg]
                ):
                    text, key = subject(value), subject(arg)
                    if text is not None and key is not None:
                        yield Predicate(f"{key} in {text}", 0.48, "member")
                        yield Predicate(f"{key} not in {text}", 0.45, "member")
                    elif key is not None:
                        yield Predicate(f"not {key}", 0.42, "member")
                case ast.Call(func=ast.Attribute(value=value, attr="pop" | "popleft"), args=[]):
                    if (text := subject(value)) is not None:
                        yield Predicate(f"not {text}", 0.55, "first_item")
                case ast.Call(func=ast.Name(id="min" | "max" | "next" | "sum" | "int" | "float"), args=[arg]):
                    if (text := subject(arg)) is not None:
                        yield Predicate(f"not {text}", 0.48, "argument")
                case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
                    for side in (left, right):
                        if (text := subject(side)) is not None and "." in text:
                            yield Predicate(f"{text} is None", 0.32, "operand")


def _elsewhere(site: Site, names: list[str], used: frozenset[str], found: Predicates) -> None:
    receiver = site.scope.receiver
    known = {*names, receiver or ""} | (set(site.scope.loads) - set(site.scope.locals))
    mine = frozenset((*names, receiver or ""))
    owner = site.scope.classes[-1] if site.scope.classes else ""
    members = site.module.facts.members.get(owner, frozenset())
    mine_here = (site.module.path, site.scope.qualname)
    in_use = [name for name in names if name in used][:3]
    for text, tests in site.context.tests_by_text.items():
        # The function's own guards are there already.
        others = [one for one in tests if one.action is None or (one.path, one.function) != mine_here]
        if not others:
            continue
        test = next((one for one in others if one.action is not None), others[0])
        near = any(one.path == site.module.path for one in others)
        if test.own and not test.own <= members:
            continue
        strangers = test.names - known
        if not strangers and test.names & mine:
            weight = 0.34 + (0.06 if near else 0.0) + (0.1 if test.names & used else 0.0)
            weight += 0.06 if test.action is not None else 0.0
            weight += 0.04 * min(3, len(others) - 1)
            found.offer(text, weight, "elsewhere", test.action)
        elif len(strangers) == 1 and not strangers & test.called:
            (stranger,) = strangers
            pattern = _word(stranger)
            for place, name in enumerate(in_use):
                if compatible(site.kinds.get(name, Kind.UNKNOWN), test.kinds.get(stranger, Kind.UNKNOWN)):
                    action = pattern.sub(name, test.action) if test.action else None
                    weight = 0.3 + (0.06 if near else 0.0) - 0.03 * place + 0.03 * min(3, len(others) - 1)
                    found.offer(pattern.sub(name, text), weight, "renamed", action)


_words: dict[str, re.Pattern[str]] = {}


def _word(name: str) -> re.Pattern[str]:
    if name not in _words:
        _words[name] = re.compile(rf"(?<![\w.]){re.escape(name)}\b")
    return _words[name]


def replace_name(text: str, old: str, new: str) -> str:
    """The text with a name replaced wherever it stands alone."""
    return _word(old).sub(new, text)


def exchange_names(text: str, first: str, second: str) -> str:
    """The text with two names exchanged."""
    return replace_name(replace_name(replace_name(text, first, "\0"), second, first), "\0", second).replace(
        "\0", second
    )


def _pairs(site: Site, names: list[str]) -> Iterator[tuple[str, str]]:
    plain = [name for name in names if site.kinds.get(name) not in _BOXES][:4]
    for index, first in enumerate(plain):
        for second in plain[index + 1 :]:
            if compatible(site.kinds.get(first, Kind.UNKNOWN), site.kinds.get(second, Kind.UNKNOWN)):
                yield second, first


def shape(text: str) -> str:
    """One word for what a condition tests."""
    for mark, name in (
        (" is not None", "not_none"), (" is None", "none"), (" not in ", "not_in"), (" in ", "in"),
        ("isinstance(", "type"), ("==", "equal"), ("!=", "unequal"), ("<", "less"), (">", "more"),
        ("not ", "falsy"), ("(", "call"),
    ):  # fmt: skip
        if mark in text:
            return name
    return "truthy"


def subject_of(text: str) -> str | None:
    """The first name a condition mentions."""
    match = re.search(r"(?<![\w.'\"])[A-Za-z_]\w*", text.removeprefix("not ").removeprefix("len("))
    return match.group() if match else None
