"""The syntax tree and a few questions one can ask of it."""

from dataclasses import dataclass
from typing import Iterator, Union


@dataclass(frozen=True)
class Num:
    value: float


@dataclass(frozen=True)
class Var:
    name: str


@dataclass(frozen=True)
class Neg:
    operand: "Node"


@dataclass(frozen=True)
class Bin:
    op: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True)
class Call:
    func: str
    args: tuple


Node = Union[Num, Var, Neg, Bin, Call]


def children(node: Node) -> tuple:
    """The direct sub-expressions of a node, left to right."""
    if isinstance(node, Neg):
        return (node.operand,)
    if isinstance(node, Bin):
        return (node.left, node.right)
    if isinstance(node, Call):
        return tuple(node.args)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it, parents first."""
    yield node
    for child in children(node):
        yield from walk(child)


def variables(node: Node) -> list[str]:
    """Names of the variables in the tree, sorted and without repeats."""
    return sorted({part.name for part in walk(node) if isinstance(part, Var)})


def widest_call(node: Node) -> int:
    """Largest number of arguments of any call in the tree; 0 without calls."""
    return max((len(part.args) for part in walk(node) if isinstance(part, Call)), default=0)


def count_operators(node: Node) -> int:
    """How many unary and binary operators (not calls) the tree holds."""
    return sum(1 for part in walk(node) if isinstance(part, (Neg, Bin)))


def substitute(node: Node, bindings: dict) -> Node:
    """Replace the variables named in `bindings` by the given trees."""
    if isinstance(node, Var):
        return bindings.get(node.name, node)
    if isinstance(node, Neg):
        return Neg(substitute(node.operand, bindings))
    if isinstance(node, Bin):
        return Bin(node.op, substitute(node.left, bindings), substitute(node.right, bindings))
    if isinstance(node, Call):
        return Call(node.func, tuple(substitute(arg, bindings) for arg in node.args))
    return node
