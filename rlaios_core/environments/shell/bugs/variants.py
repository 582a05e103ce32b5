"""Surface variants of a project: other local names, another order, other forms, the same behaviour.

All by splices, so comments and layout stay. Whether a variant really behaves the same is not
believed but tested, at admission.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import random
from collections.abc import Mapping, Sequence

from rlaios_core.environments.shell.repair.kinds import Kind
from rlaios_core.environments.shell.repair.scope import FunctionScope
from rlaios_core.environments.shell.repair.source import Module, parse_module

from .synonyms import SYNONYMS

_RENAMED = 0.5
_REWRITTEN = 0.35
_REORDERED = 0.6

Splice = tuple[int, int, str]


def make_variant(name: str, files: Mapping[str, str], seed: int) -> dict[str, str]:
    """The files of a project in the form the seed gives them; seed 0 is the project as written."""
    if seed == 0:
        return dict(files)
    result: dict[str, str] = {}
    for path in sorted(files):
        rng = random.Random(f"variant:{name}:{seed}:{path}")
        source = files[path]
        for step in (_rename_locals, _rewrite_accumulation, _reorder):
            module = parse_module(path, source)
            source = spliced(module.source, step(module, rng))
        result[path] = source
    return result


def spliced(source: str, splices: Sequence[Splice]) -> str:
    """The source with disjoint spans replaced."""
    raw = source.encode("utf-8")
    for start, end, text in sorted(splices, reverse=True):
        raw = raw[:start] + text.encode("utf-8") + raw[end:]
    return raw.decode("utf-8")


def _rename_locals(module: Module, rng: random.Random) -> list[Splice]:
    splices: list[Splice] = []
    taken = {node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    taken |= {node.arg for node in ast.walk(module.tree) if isinstance(node, ast.arg)}
    taken |= {node.name for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    taken |= set(dir(builtins)) | set(keyword.kwlist)
    for scope in module.functions:
        here = set(taken)
        for name in renamable(scope):
            options = [other for other in SYNONYMS.get(name, ()) if other not in here]
            if not options or rng.random() > _RENAMED:
                continue
            other = rng.choice(options)
            here.add(other)
            for node in scope.nodes:
                if isinstance(node, ast.Name) and node.id == name:
                    splices.append((*module.span(node), other))
    return splices


def renamable(scope: FunctionScope) -> list[str]:
    """Locals whose every mention is a plain name of known position, in the order of the text."""
    fixed = set(scope.parameters)
    for node in scope.nodes:
        match node:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                fixed.update(names)
            case ast.JoinedStr():
                # Before Python 3.12 positions inside an f-string are not to be relied on.
                fixed.update(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
            case ast.Call(func=ast.Name(id="locals" | "eval" | "exec" | "vars")):
                return []
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                fixed.add(name)
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                fixed.add(name)
            case ast.arg(arg=name):
                fixed.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                fixed.update((alias.asname or alias.name).split(".")[0] for alias in aliases)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                fixed.add(name)
    return [name for name in scope.locals if name not in fixed]


def _rewrite_accumulation(module: Module, rng: random.Random) -> list[Splice]:
    """`x += y` for `x = x + y` and the other way round, where no object is changed in place."""
    splices: list[Splice] = []
    for statement in module.statements:
        node = statement.node
        kinds = statement.function.kinds
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            sign = {ast.Add: "+", ast.Sub: "-"}.get(type(node.op))
            if sign and kinds.get(name) in (Kind.NUMBER, Kind.TEXT) and rng.random() < _REWRITTEN:
                value = module.text(node.value)
                plain = isinstance(
                    node.value, ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript
                )
                value = value if plain else f"({value})"
                splices.append((*module.span(node), f"{name} = {name} {sign} {value}"))
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.BinOp)
            and isinstance(node.value.op, ast.Add | ast.Sub)
            and isinstance(node.value.left, ast.Name)
            and node.value.left.id == node.targets[0].id
            and len(node.targets) == 1
        ):
            name = node.targets[0].id
            sign = "+" if isinstance(node.value.op, ast.Add) else "-"
            if kinds.get(name) in (Kind.NUMBER, Kind.TEXT) and rng.random() < _REWRITTEN:
                value = module.text(node.value.right)
                splices.append((*module.span(node), f"{name} {sign}= {value}"))
    return splices


def _reorder(module: Module, rng: random.Random) -> list[Splice]:
    """Neighbouring functions, and neighbouring methods, in another order."""
    splices: list[Splice] = []
    bodies = [module.tree.body, *(node.body for node in module.tree.body if isinstance(node, ast.ClassDef))]
    for body in bodies:
        for run in _runs(module, body):
            order = list(run)
            if rng.random() < _REORDERED:
                rng.shuffle(order)
            for old, new in zip(run, order, strict=True):
                if old is not new:
                    splices.append((*_whole(module, old), module.slice(*_whole(module, new))))
    return splices


def _runs(module: Module, body: Sequence[ast.stmt]) -> list[list[ast.FunctionDef]]:
    runs: list[list[ast.FunctionDef]] = [[]]
    for node in body:
        joined = (
            bool(runs[-1])
            and not module.slice(_whole(module, runs[-1][-1])[1], _whole(module, node)[0]).strip()
        )
        if isinstance(node, ast.FunctionDef) and not _bound_early(node):
            if runs[-1] and not joined:
                runs.append([])
            runs[-1].append(node)
        else:
            runs.append([])
    return [run for run in runs if len(run) > 1 and run[0].name != "__init__"] + [
        run[1:] for run in runs if len(run) > 2 and run[0].name == "__init__"
    ]


def _bound_early(node: ast.FunctionDef) -> bool:
    """Whether the place of a function matters: decorated ones and ones with computed defaults stay."""
    defaults = [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None)]
    return bool(node.decorator_list) or any(not isinstance(value, ast.Constant) for value in defaults)


def _whole(module: Module, node: ast.stmt) -> tuple[int, int]:
    start, end = module.span(node)
    decorators = getattr(node, "decorator_list", [])
    return (min([start, *(module.span(one)[0] - 1 for one in decorators)]), end)
