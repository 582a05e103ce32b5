"""Simplifying and printing trees."""

from exprcalc.evaluate import EvalError, apply_operator
from exprcalc.nodes import Bin, Call, Neg, Node, Num, Var

PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 4}
NEG_PRECEDENCE = 3
ZERO, ONE = Num(0.0), Num(1.0)


def precedence(node: Node) -> int:
    """Binding strength of the outermost operator; leaves and calls bind most."""
    if isinstance(node, Bin):
        return PRECEDENCE[node.op]
    if isinstance(node, Neg) or isinstance(node, Num) and node.value < 0:
        return NEG_PRECEDENCE
    return 5


def format_number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def parenthesize(node: Node, limit: int) -> str:
    """Text of the node, in parentheses when it binds less than `limit`."""
    text = to_text(node)
    return f"({text})" if precedence(node) < limit else text


def to_text(node: Node) -> str:
    """Print a tree so that parsing the text gives the same value."""
    if isinstance(node, Num):
        return format_number(node.value)
    if isinstance(node, Var):
        return node.name
    if isinstance(node, Call):
        return f"{node.func}({', '.join(to_text(arg) for arg in node.args)})"
    if isinstance(node, Neg):
        return "-" + parenthesize(node.operand, NEG_PRECEDENCE)
    own = precedence(node)
    if node.op == "^":
        return parenthesize(node.left, own + 1) + "^" + parenthesize(node.right, NEG_PRECEDENCE)
    return f"{parenthesize(node.left, own)} {node.op} {parenthesize(node.right, own + 1)}"


def simplify_sum(op: str, left: Node, right: Node) -> Node:
    """Rules for + and - whose sides are simple already."""
    if right == ZERO:
        return left
    if left == ZERO:
        return right if op == "+" else Neg(right)
    if op == "-" and left == right:
        return ZERO
    return Bin(op, left, right)


def simplify_product(left: Node, right: Node) -> Node:
    if left == ZERO or right == ZERO:
        return ZERO
    if left == ONE:
        return right
    if right == ONE:
        return left
    return Bin("*", left, right)


def fold(op: str, left: Num, right: Num) -> Node:
    """Compute a constant, unless that is an error left for evaluation."""
    try:
        return Num(apply_operator(op, left.value, right.value))
    except EvalError:
        return Bin(op, left, right)


def simplify(node: Node) -> Node:
    """Fold constants and drop operations that change nothing."""
    if isinstance(node, Call):
        return Call(node.func, tuple(simplify(arg) for arg in node.args))
    if isinstance(node, Neg):
        inner = simplify(node.operand)
        return inner.operand if isinstance(inner, Neg) else Neg(inner)
    if not isinstance(node, Bin):
        return node
    left, right = simplify(node.left), simplify(node.right)
    if isinstance(left, Num) and isinstance(right, Num):
        return fold(node.op, left, right)
    if node.op in "+-":
        return simplify_sum(node.op, left, right)
    if node.op == "*":
        return simplify_product(left, right)
    if node.op in "/^" and right == ONE:
        return left
    return Bin(node.op, left, right)
