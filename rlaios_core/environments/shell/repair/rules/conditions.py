"""Rules for conditions: clauses added or dropped, `and` and `or`, `not`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..kinds import Kind, compatible
from ..nodes import free_names, truth_values
from ..site import Proposal, Site
from ..slots import AND, ATOM, COMPARE, NOT, OR, Role, Slot, level
from ..templates import RepairTemplate
from .predicates import Predicate, exchange_names, missing_predicates, replace_name, shape, subject_of

_LOGIC_TEXT = re.compile(rb"\b(?:and|or)\b")
_CLAUSES = 9
_METHODS = (
    ("startswith", "endswith"), ("isalpha", "isdigit"), ("isalnum", "isalpha"), ("isdigit", "isalpha"),
)  # fmt: skip


def is_condition(slot: Slot) -> bool:
    """Whether the expression is a whole condition."""
    if slot.role is Role.TEST:
        return not isinstance(slot.parent, ast.BoolOp)
    if isinstance(slot.node, ast.BoolOp):
        return slot.role in (Role.RETURN, Role.VALUE) and all(
            truth_values(value) for value in slot.node.values
        )
    return slot.role in (Role.RETURN, Role.VALUE) and truth_values(slot.node)


def drop_clause(site: Site) -> Iterator[Proposal]:
    """A condition without one of its clauses."""
    for slot in site.slots:
        if isinstance(slot.node, ast.BoolOp):
            for text, strength, detail in without_clause(site, slot.node):
                yield site.replace(
                    slot, text, strength, RepairTemplate.CONDITION,
                    "condition", "condition:drop", f"condition:drop_{detail}", weight=0.6,
                )  # fmt: skip


def without_clause(site: Site, node: ast.BoolOp) -> Iterator[tuple[str, int, str]]:
    """The condition's text without each of its clauses."""
    word = "and" if isinstance(node.op, ast.And) else "or"
    texts = [site.outer_text(value, node) for value in node.values]
    for index in range(len(texts)):
        rest = texts[:index] + texts[index + 1 :]
        if len(rest) == 1:
            kept = node.values[1 - index]
            yield rest[0], ATOM if rest[0].startswith("(") else level(kept), word
        else:
            yield f" {word} ".join(rest), AND if word == "and" else OR, word


def extend_condition(site: Site) -> Iterator[Proposal]:
    """A condition with a clause more."""
    for slot in site.slots:
        if not is_condition(slot) or slot.depth > 2:
            continue
        text = site.text(slot.node)
        present = {ast.unparse(part) for part in ast.walk(slot.node) if isinstance(part, ast.expr)}
        present |= {part.removeprefix("not ") for part in present}
        offered = 0
        for test in clauses(site, slot):
            if test.text in present or test.text.removeprefix("not ") in present:
                continue
            offered += 1
            if offered > _CLAUSES:
                break
            for word, share in _words_for(test, slot.node):
                own = AND if word == "and" else OR
                left = text if level(slot.node) >= own else f"({text})"
                joined = f"{test.text} {word} {left}" if _leads(test, text) else f"{left} {word} {test.text}"
                yield site.replace(
                    slot, joined, own, RepairTemplate.CONDITION, "condition", "condition:extend",
                    f"condition:extend_{word}", f"clause:{shape(test.text)}", f"from:{test.source}",
                    weight=test.weight * share, new=subject_of(test.text),
                )  # fmt: skip


def clauses(site: Site, slot: Slot) -> list[Predicate]:
    """Clauses that could be meant here, best first."""
    own = [*_variations(site, slot), *_needed(site, slot)]
    around: list[ast.stmt] = [ast.Expr(slot.node)]
    if isinstance(site.node, ast.If | ast.While):
        around += site.node.body[:2]
    found: dict[str, Predicate] = {}
    for test in (*own, *missing_predicates(site, around, slot.bound)):
        both = test.source not in ("own", "elsewhere")
        for text in dict.fromkeys((test.text, _positive(test.text)) if both else (test.text,)):
            weight = test.weight if text == test.text else test.weight * 0.98
            if text not in found or found[text].weight < weight:
                found[text] = Predicate(text, weight, test.source)
    return sorted(found.values(), key=lambda test: -test.weight)


def _positive(text: str) -> str:
    """For a test of something missing, the test of its being there."""
    if text.endswith(" is None"):
        return f"{text.removesuffix(' is None')} is not None"
    if " not in " in text:
        return text.replace(" not in ", " in ", 1)
    if text.endswith((" <= 0", " == 0")):
        return f"{text[:-5]} > 0"
    return text.removeprefix("not ")


def _words_for(test: Predicate, condition: ast.expr) -> Iterator[tuple[str, float]]:
    """`and` or `or`, or both where one cannot tell."""
    if isinstance(condition, ast.BoolOp):
        same = "and" if isinstance(condition.op, ast.And) else "or"
        yield same, 1.0
        if test.source == "own":
            yield ("or" if same == "and" else "and"), 0.5
        return
    likelier = "or" if test.negative else "and"
    yield likelier, 1.0
    if test.source in ("own", "unused") or any(mark in test.text for mark in ("<", ">", "==", "!=", "(")):
        yield ("and" if likelier == "or" else "or"), 0.85


def _leads(test: Predicate, condition: str) -> bool:
    """Whether the clause protects the others, so that it stands in front."""
    subject = subject_of(test.text)
    if test.source == "own" or subject is None or not re.search(rf"\b{re.escape(subject)}\b", condition):
        return False
    protecting = ("none", "not_none", "falsy", "truthy", "not_in", "in", "type")
    return shape(test.text) in protecting or "len(" in test.text


def _needed(site: Site, slot: Slot) -> Iterator[Predicate]:
    """What must hold for the condition itself to make sense."""
    names = {*site.visible, *slot.bound}
    for node in ast.walk(slot.node):
        if isinstance(node, ast.Attribute) and node.attr in site.context.optional:
            text = ast.unparse(node)
            yield Predicate(f"{text} is not None", 0.58, "needed")
            yield Predicate(f"{text} is None", 0.5, "needed")
        elif isinstance(node, ast.Name) and node.id in site.scope.optional:
            yield Predicate(f"{node.id} is not None", 0.6, "needed")
            yield Predicate(f"{node.id} is None", 0.52, "needed")
        if isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.Is | ast.IsNot):
            for part in (node.left, *node.comparators):
                if isinstance(part, ast.Name) and part.id in names:
                    yield Predicate(f"{part.id} is not None", 0.5, "needed")
                    yield Predicate(f"{part.id} is None", 0.42, "needed")
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name | ast.Attribute):
            owner = ast.unparse(node.value)
            if isinstance(node.slice, ast.Name | ast.Attribute):
                yield Predicate(f"{ast.unparse(node.slice)} in {owner}", 0.5, "needed")
                yield Predicate(f"{ast.unparse(node.slice)} < len({owner})", 0.4, "needed")
            elif isinstance(node.slice, ast.Constant | ast.UnaryOp):
                yield Predicate(owner, 0.52, "needed")
                yield Predicate(f"not {owner}", 0.45, "needed")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner, vague = node.value.id, site.kind(node.value) in (Kind.UNKNOWN, Kind.OTHER)
            if owner in names and owner != site.scope.receiver and vague:
                yield Predicate(f"{owner} is not None", 0.42, "needed")
                yield Predicate(f"{owner} is None", 0.38, "needed")


def _variations(site: Site, slot: Slot) -> Iterator[Predicate]:
    """The clauses that are there, about something else."""
    parts = slot.node.values if isinstance(slot.node, ast.BoolOp) else [slot.node]
    names = [name for name in dict.fromkeys((*slot.bound, *site.visible)) if name != site.scope.receiver]
    for part in parts:
        text = ast.unparse(part)
        if len(text) > 60:
            continue
        mine = [name for name in names if name in free_names(part)]
        for index, first in enumerate(mine):
            for second in mine[index + 1 :]:
                if _uses(part, first) == _uses(part, second):
                    yield Predicate(exchange_names(text, first, second), 0.6, "own")
            for other in names:
                fits = compatible(site.kinds.get(first, Kind.UNKNOWN), site.kinds.get(other, Kind.UNKNOWN))
                if other not in mine and fits:
                    bonus = 0.2 if not site.scope.loads[other] else 0.0
                    yield Predicate(replace_name(text, first, other), 0.4 + bonus, "own")
        for node in ast.walk(part):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 8:
                counts = site.context.literals[site.module.path]
                for other in counts:
                    alike = (
                        other[0] in "'\""
                        and other != repr(node.value)
                        and len(other) <= len(repr(node.value)) + 1
                    )
                    if alike and len(node.value) <= 2:
                        yield Predicate(text.replace(repr(node.value), other), 0.38, "own")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                for one, two in _METHODS:
                    if node.func.attr in (one, two):
                        other = two if node.func.attr == one else one
                        yield Predicate(text.replace(f".{node.func.attr}(", f".{other}("), 0.45, "own")


def _uses(node: ast.expr, name: str) -> list[str]:
    """How a name is used in an expression: bare, called, or what is taken from it."""
    owners = {
        id(part.value): ast.unparse(part).removeprefix(name)
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute | ast.Subscript)
    }
    return sorted(
        owners.get(id(part), "") for part in ast.walk(node) if isinstance(part, ast.Name) and part.id == name
    )


def logic(site: Site) -> Iterator[Proposal]:
    """`and` for `or` and the other way round, all at once or one of them."""
    for slot in site.slots:
        node = slot.node
        if not isinstance(node, ast.BoolOp):
            continue
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        texts = [site.outer_text(value, node) for value in node.values]
        yield site.replace(
            slot, f" {other} ".join(texts), OR if other == "or" else AND, RepairTemplate.LOGIC,
            "logic", f"logic:{word}_{other}", weight=0.5,
        )  # fmt: skip
        if len(texts) > 2:
            for first, second in zip(node.values, node.values[1:], strict=False):
                begin, end = site.module.span(first)[1], site.module.span(second)[0]
                match = _LOGIC_TEXT.search(site.module.raw, begin, end)
                if match is not None:
                    yield site.splice(
                        slot, match.span(), other, RepairTemplate.LOGIC,
                        "logic", f"logic:{word}_{other}", weight=0.35, shown=node,
                    )  # fmt: skip


def negate(site: Site) -> Iterator[Proposal]:
    """A `not` too many or too few."""
    for slot in site.slots:
        node = slot.node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            text = site.outer_text(node.operand, node)
            yield site.replace(
                slot, text, ATOM if text.startswith("(") else level(node.operand), RepairTemplate.NEGATE,
                "negate", "negate:drop", weight=0.45,
            )  # fmt: skip
        elif _negatable(slot):
            text = site.text(node)
            text = text if level(node) >= COMPARE else f"({text})"
            yield site.replace(
                slot, f"not {text}", NOT, RepairTemplate.NEGATE, "negate", "negate:add", weight=0.35
            )


def _negatable(slot: Slot) -> bool:
    if isinstance(slot.node, ast.Compare | ast.Constant):
        return False
    if slot.role is Role.TEST:
        return not (isinstance(slot.parent, ast.UnaryOp) and isinstance(slot.parent.op, ast.Not))
    # `return any(...)` or `x and y` elsewhere: a truth value when it looks like one.
    return slot.role in (Role.RETURN, Role.VALUE, Role.OPERAND) and (
        isinstance(slot.parent, ast.BoolOp) or truth_values(slot.node)
    )
