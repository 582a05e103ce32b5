"""Computing the value of a tree."""

import math

from exprcalc.nodes import Bin, Call, Neg, Node, Num, Var
from exprcalc.parser import parse


class EvalError(Exception):
    """Raised when an expression has no value."""


# name: (fewest arguments, most arguments or None, function)
FUNCTIONS = {
    "abs": (1, 1, abs),
    "sqrt": (1, 1, math.sqrt),
    "min": (1, None, lambda *values: min(values)),
    "max": (1, None, lambda *values: max(values)),
    "mean": (1, None, lambda *values: sum(values) / len(values)),
    "clip": (3, 3, lambda value, low, high: max(low, min(value, high))),
    "round": (1, 2, lambda value, digits=0: round(value, int(digits))),
}


def apply_operator(op: str, left: float, right: float) -> float:
    """Apply one binary operator to two numbers."""
    if op in "/%" and right == 0:
        raise EvalError("division by zero")
    if op == "^" and left == 0 and right < 0:
        raise EvalError("negative power of zero")
    if op == "^" and left < 0 and right != int(right):
        raise EvalError("fractional power of a negative number")
    if op == "+":
        return left + right
    if op == "-":
        return left - right
    if op == "*":
        return left * right
    if op == "/":
        return left / right
    if op == "%":
        return left % right
    return left ** right


def call_function(func: str, values: list[float]) -> float:
    """Call a built-in function after checking the number of arguments."""
    if func not in FUNCTIONS:
        raise EvalError(f"unknown function {func}")
    fewest, most, action = FUNCTIONS[func]
    if len(values) < fewest or (most is not None and len(values) > most):
        raise EvalError(f"{func} does not take {len(values)} arguments")
    return action(*values)


def evaluate(node: Node, env: dict) -> float:
    """Value of the tree, with variables looked up in `env`."""
    if isinstance(node, Num):
        return node.value
    if isinstance(node, Var):
        if node.name not in env:
            raise EvalError(f"unknown variable {node.name}")
        return env[node.name]
    if isinstance(node, Neg):
        return -evaluate(node.operand, env)
    if isinstance(node, Call):
        return call_function(node.func, [evaluate(arg, env) for arg in node.args])
    left = evaluate(node.left, env)
    right = evaluate(node.right, env)
    return apply_operator(node.op, left, right)


def run_program(source: str, env: dict) -> dict:
    """Run lines of the form `name = expression`; returns a new environment.

    Blank lines are skipped and a '#' starts a comment.
    """
    scope = dict(env)
    for line in source.splitlines():
        code = line.split("#")[0].strip()
        if not code:
            continue
        name, sign, expression = code.partition("=")
        if not sign or not name.strip().isidentifier():
            raise EvalError(f"not an assignment: {code}")
        scope[name.strip()] = evaluate(parse(expression), scope)
    return scope


def tabulate(text: str, name: str, first: int, last: int) -> list:
    """Values of the expression for name = first, first + 1, ..., last."""
    node = parse(text)
    return [evaluate(node, {name: float(x)}) for x in range(first, last + 1)]
