"""Rough kinds of values, guessed from the text: enough to leave out absurd repairs."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum


class Kind(StrEnum):
    """What sort of value an expression probably has."""

    NUMBER = "number"
    """An integer or a float."""
    TEXT = "text"
    """A string."""
    LIST = "list"
    """A list, tuple or other ordered collection."""
    MAPPING = "mapping"
    """A dictionary."""
    SET = "set"
    """A set."""
    BOOL = "bool"
    """True or False."""
    OTHER = "other"
    """Surely none of the others (an object, a function, None)."""
    UNKNOWN = "unknown"
    """No evidence."""


def compatible(first: Kind, second: Kind) -> bool:
    """Whether two values could stand for each other."""
    return first is second or Kind.UNKNOWN in (first, second)


_ANNOTATIONS = {
    "int": Kind.NUMBER,
    "float": Kind.NUMBER,
    "Fraction": Kind.NUMBER,
    "Decimal": Kind.NUMBER,
    "str": Kind.TEXT,
    "list": Kind.LIST,
    "tuple": Kind.LIST,
    "List": Kind.LIST,
    "Tuple": Kind.LIST,
    "Sequence": Kind.LIST,
    "Iterable": Kind.LIST,
    "deque": Kind.LIST,
    "dict": Kind.MAPPING,
    "Dict": Kind.MAPPING,
    "Mapping": Kind.MAPPING,
    "Counter": Kind.MAPPING,
    "defaultdict": Kind.MAPPING,
    "OrderedDict": Kind.MAPPING,
    "set": Kind.SET,
    "frozenset": Kind.SET,
    "bool": Kind.BOOL,
}

_CALLS = _ANNOTATIONS | {
    "len": Kind.NUMBER,
    "abs": Kind.NUMBER,
    "sum": Kind.NUMBER,
    "round": Kind.NUMBER,
    "ord": Kind.NUMBER,
    "divmod": Kind.LIST,
    "sorted": Kind.LIST,
    "reversed": Kind.LIST,
    "enumerate": Kind.LIST,
    "zip": Kind.LIST,
    "range": Kind.LIST,
    "repr": Kind.TEXT,
    "chr": Kind.TEXT,
    "any": Kind.BOOL,
    "all": Kind.BOOL,
    "isinstance": Kind.BOOL,
    "callable": Kind.BOOL,
}

_METHODS = {
    **dict.fromkeys(
        (
            "strip",
            "lstrip",
            "rstrip",
            "lower",
            "upper",
            "title",
            "join",
            "replace",
            "format",
            "ljust",
            "rjust",
        ),
        Kind.TEXT,
    ),
    **dict.fromkeys(
        ("split", "rsplit", "splitlines", "partition", "rpartition", "keys", "values", "items"), Kind.LIST
    ),
    **dict.fromkeys(("find", "rfind", "index", "count", "bit_length"), Kind.NUMBER),
    **dict.fromkeys(
        ("startswith", "endswith", "isdigit", "isalpha", "isalnum", "isspace", "isidentifier"), Kind.BOOL
    ),
    **dict.fromkeys(("union", "intersection", "difference"), Kind.SET),
}

_OWNERS = {
    **dict.fromkeys(
        (
            "strip",
            "lstrip",
            "rstrip",
            "lower",
            "upper",
            "split",
            "splitlines",
            "startswith",
            "endswith",
            "isdigit",
            "isalpha",
            "isalnum",
            "isspace",
            "partition",
            "rpartition",
            "join",
            "ljust",
            "rjust",
            "replace",
        ),
        Kind.TEXT,
    ),
    **dict.fromkeys(("append", "extend", "insert", "sort", "reverse", "popleft", "appendleft"), Kind.LIST),
    **dict.fromkeys(("keys", "values", "items", "get", "setdefault"), Kind.MAPPING),
    **dict.fromkeys(("add", "discard", "union", "issubset"), Kind.SET),
}


def owner_kind(attribute: str) -> Kind:
    """The kind of value that has a method of this name."""
    return _OWNERS.get(attribute, Kind.UNKNOWN)


_ARITHMETIC = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow)


def annotation_kind(node: ast.expr) -> Kind:
    """The kind an annotation names."""
    if isinstance(node, ast.Subscript):
        return annotation_kind(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        parts = [annotation_kind(part) for part in (node.left, node.right)]
        return next((kind for kind in parts if kind is not Kind.UNKNOWN), Kind.UNKNOWN)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _ANNOTATIONS.get(node.value.split("[")[0].split(" ")[0], Kind.UNKNOWN)
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return _ANNOTATIONS.get(name, Kind.UNKNOWN)


def shallow_kind(node: ast.expr, names: Mapping[str, Kind]) -> Kind:
    """The kind of an expression, given the kinds of names."""
    match node:
        case ast.Constant(value=bool()):
            return Kind.BOOL
        case ast.Constant(value=int() | float()):
            return Kind.NUMBER
        case ast.Constant(value=str()) | ast.JoinedStr():
            return Kind.TEXT
        case ast.Constant() | ast.Lambda():
            return Kind.OTHER
        case ast.List() | ast.Tuple() | ast.ListComp() | ast.GeneratorExp():
            return Kind.LIST
        case ast.Dict() | ast.DictComp():
            return Kind.MAPPING
        case ast.Set() | ast.SetComp():
            return Kind.SET
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return Kind.BOOL
        case ast.UnaryOp():
            return Kind.NUMBER
        case ast.BinOp(left=left, op=op, right=right):
            kinds = (shallow_kind(left, names), shallow_kind(right, names))
            if isinstance(op, ast.Mod) and kinds[0] is Kind.TEXT:
                return Kind.TEXT
            for kind in (Kind.LIST, Kind.TEXT, Kind.SET):
                if kind in kinds and isinstance(op, ast.Add | ast.Mult | ast.BitOr | ast.Sub):
                    return kind
            if isinstance(op, (*_ARITHMETIC, ast.Mod)) or Kind.NUMBER in kinds:
                return Kind.NUMBER
            return Kind.UNKNOWN
        case ast.BoolOp(values=values):
            return next(
                (kind for kind in (shallow_kind(v, names) for v in values) if kind is not Kind.UNKNOWN),
                Kind.UNKNOWN,
            )
        case ast.IfExp(body=body, orelse=orelse):
            kind = shallow_kind(body, names)
            return kind if kind not in (Kind.UNKNOWN, Kind.OTHER) else shallow_kind(orelse, names)
        case ast.Name(id=name):
            return names.get(name, Kind.UNKNOWN)
        case ast.Attribute(value=ast.Name(id=owner), attr=attr):
            return names.get(f"{owner}.{attr}", names.get(f".{attr}", Kind.UNKNOWN))
        case ast.Attribute(attr=attr):
            return names.get(f".{attr}", Kind.UNKNOWN)
        case ast.Call(func=ast.Name(id=name), args=args):
            if name in ("min", "max") and len(args) > 1:
                return shallow_kind(args[-1], names)
            return _CALLS.get(name, names.get(f"{name}()", Kind.UNKNOWN))
        case ast.Call(func=ast.Attribute(attr=attr, value=value)):
            if attr == "copy":
                return shallow_kind(value, names)
            return _METHODS.get(attr, names.get(f"{attr}()", Kind.UNKNOWN))
        case ast.Subscript(value=value, slice=ast.Slice()):
            kind = shallow_kind(value, names)
            return kind if kind in (Kind.TEXT, Kind.LIST) else Kind.UNKNOWN
        case ast.Subscript(value=value):
            return Kind.TEXT if shallow_kind(value, names) is Kind.TEXT else Kind.UNKNOWN
    return Kind.UNKNOWN


def usage_kinds(nodes: Iterable[ast.AST], known: Mapping[str, Kind]) -> dict[str, Counter[Kind]]:
    """Evidence for each name of a function: what it is assigned, and how it is used."""
    evidence: dict[str, Counter[Kind]] = {}

    def vote(node: ast.expr, kind: Kind, weight: int = 1) -> None:
        if isinstance(node, ast.Name) and kind is not Kind.UNKNOWN:
            evidence.setdefault(node.id, Counter())[kind] += weight

    for node in nodes:
        match node:
            case ast.Assign(targets=[target], value=value):
                vote(target, shallow_kind(value, known), 3)
            case ast.AnnAssign(target=target, annotation=annotation):
                vote(target, annotation_kind(annotation), 5)
            case ast.AugAssign(target=target, op=op, value=value):
                vote(target, shallow_kind(value, known))
                if isinstance(op, _ARITHMETIC):
                    vote(target, Kind.NUMBER)
            case ast.For(target=target, iter=ast.Call(func=ast.Name(id="range"))):
                vote(target, Kind.NUMBER, 3)
            case ast.comprehension(target=target, iter=ast.Call(func=ast.Name(id="range"))):
                vote(target, Kind.NUMBER, 3)
            case ast.For(target=ast.Tuple(elts=[first, *_]), iter=ast.Call(func=ast.Name(id="enumerate"))):
                vote(first, Kind.NUMBER, 3)
            case ast.comprehension(
                target=ast.Tuple(elts=[first, *_]), iter=ast.Call(func=ast.Name(id="enumerate"))
            ):
                vote(first, Kind.NUMBER, 3)
            case ast.For(iter=ast.Name() as name) | ast.comprehension(iter=ast.Name() as name):
                vote(name, Kind.LIST)
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
                vote(left, Kind.NUMBER)
                vote(right, Kind.NUMBER)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                vote(left, shallow_kind(right, known))
                vote(right, shallow_kind(left, known))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq | ast.NotEq):
                    if not (isinstance(right, ast.Constant) and right.value is None):
                        vote(left, shallow_kind(right, known))
                    vote(right, shallow_kind(left, known))
            case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper)):
                vote(value, Kind.LIST)
                for bound in (lower, upper):
                    if bound is not None:
                        vote(bound, Kind.NUMBER, 2)
            case ast.Call(func=ast.Attribute(value=value, attr=attr)):
                vote(value, _OWNERS.get(attr, Kind.UNKNOWN), 2)
            case ast.Call(func=ast.Name(id="range"), args=args):
                for argument in args:
                    vote(argument, Kind.NUMBER, 2)
    return evidence
