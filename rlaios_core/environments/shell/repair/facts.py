"""What one file contributes to the picture of its project; computed once for each text of a file."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from .kinds import Kind, annotation_kind, shallow_kind
from .nodes import condition_atoms, free_names, is_guard, may_be_none
from .source import Module
from .tokens import abstract, count_grams, tokens

Gram = tuple[str, ...]


@dataclass(frozen=True)
class Signature:
    """A function or method of the project, as its callers see it."""

    name: str
    owner: str | None
    parameters: tuple[str, ...]
    defaults: tuple[str, ...]
    """Names of the parameters that may be left out."""
    required: int
    kind: Kind


@dataclass(frozen=True)
class FoundTest:
    """A condition or clause the project tests somewhere."""

    text: str
    action: str | None
    """The jump that follows when it is the whole condition of a guard."""
    names: frozenset[str]
    called: frozenset[str]
    """The names that are called as functions."""
    own: frozenset[str]
    """Attributes of `self` it mentions."""
    kinds: Mapping[str, Kind]
    path: str
    function: str


class ModuleFacts:
    """Counts and ingredients of one file."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the file."""
        return tuple(ast.walk(self.module.tree))

    @cached_property
    def grams(self) -> Counter[Gram]:
        """Counted n-grams of the statements."""
        return count_grams(statement.text for statement in self.module.statements)

    @cached_property
    def shapes(self) -> Counter[Gram]:
        """How often a statement of the same shape (names, texts and numbers left open) is written."""
        return Counter(abstract(tokens(statement.text)) for statement in self.module.statements)

    @cached_property
    def tokens(self) -> Counter[str]:
        """How often each token is written in a statement."""
        return Counter(token for statement in self.module.statements for token in tokens(statement.text))

    @cached_property
    def signatures(self) -> tuple[Signature, ...]:
        """The file's functions and methods."""
        return tuple(self._signatures())

    def _signatures(self) -> Iterator[Signature]:
        for scope in self.module.functions:
            args = scope.node.args
            plain = [arg.arg for arg in (*args.posonlyargs, *args.args)]
            optional = plain[len(plain) - len(args.defaults) :] if args.defaults else []
            optional += [
                arg.arg
                for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True)
                if value is not None
            ]
            if scope.receiver is not None:
                plain = plain[1:]
            yield Signature(
                name=scope.name,
                owner=scope.classes[-1] if scope.classes else None,
                parameters=(*plain, *(arg.arg for arg in args.kwonlyargs)),
                defaults=tuple(optional),
                required=len(plain) - sum(1 for name in optional if name in plain),
                kind=annotation_kind(scope.node.returns) if scope.node.returns else Kind.UNKNOWN,
            )

    @cached_property
    def kind_votes(self) -> Counter[tuple[str, Kind]]:
        """Evidence for the kinds of attributes (`.name`) and of what functions return (`name()`)."""
        votes: Counter[tuple[str, Kind]] = Counter()
        for signature in self.signatures:
            votes[f"{signature.name}()", signature.kind] += 3
        for node in self.nodes:
            if isinstance(node, ast.ClassDef):
                for part in node.body:
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                        votes[f".{part.target.id}", annotation_kind(part.annotation)] += 3
        for scope in self.module.functions:
            for attribute, value in _attribute_values(scope.nodes):
                votes[f".{attribute}", shallow_kind(value, scope.kinds)] += 2
        return votes

    @cached_property
    def attributes(self) -> dict[str, set[str]]:
        """Attributes that are assigned or declared together in one class: name to its companions."""
        companions: dict[str, set[str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.ClassDef):
                declared = [
                    part.target.id
                    for part in node.body
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
                ]
                # In the order of the text: a set's order differs from process to process.
                names = dict.fromkeys([*declared, *(name for name, _ in _attribute_values(ast.walk(node)))])
                for name in names:
                    companions.setdefault(name, set()).update(names.keys() - {name})
        return companions

    @cached_property
    def members(self) -> dict[str, frozenset[str]]:
        """What `self` has, by class: attributes, declared fields and methods."""
        found: dict[str, frozenset[str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.ClassDef):
                names = {attribute for attribute, _ in _attribute_values(ast.walk(node))}
                for part in node.body:
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                        names.add(part.target.id)
                    elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                        names.add(part.name)
                found[node.name] = frozenset(names)
        return found

    @cached_property
    def optional(self) -> frozenset[str]:
        """Attributes that may be None, as far as they are declared or first assigned."""
        found: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.AnnAssign) and may_be_none(node.annotation, node.value):
                target = node.target
                found.add(target.id if isinstance(target, ast.Name) else getattr(target, "attr", ""))
        for name, value in _attribute_values(self.nodes):
            if isinstance(value, ast.Constant) and value.value is None:
                found.add(name)
        return frozenset(found)

    @cached_property
    def tests(self) -> tuple[FoundTest, ...]:
        """Every condition of a guard and every clause of another condition, once for each function."""
        found: dict[tuple[str, str], FoundTest] = {}
        for statement in self.module.statements:
            tests: list[tuple[ast.expr, str | None]] = [
                (atom, None) for atom in condition_atoms(statement.node)
            ]
            if is_guard(statement.node):
                assert isinstance(statement.node, ast.If)
                tests.append((statement.node.test, ast.unparse(statement.node.body[0])))
            for test, action in tests:
                text, names = ast.unparse(test), free_names(test)
                key = (text, statement.function.qualname)
                if len(text) > 80 or (key in found and action is None):
                    continue
                found[key] = FoundTest(
                    text,
                    action,
                    names,
                    frozenset(
                        node.func.id
                        for node in ast.walk(test)
                        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                    ),
                    frozenset(
                        node.attr
                        for node in ast.walk(test)
                        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"
                    ),
                    {name: kind for name, kind in statement.function.kinds.items() if name in names},
                    self.module.path,
                    statement.function.qualname,
                )
        return tuple(found.values())

    @cached_property
    def jumps(self) -> tuple[tuple[str, ast.Raise], ...]:
        """`raise` statements with their text."""
        return tuple(
            (ast.unparse(statement.node), statement.node)
            for statement in self.module.statements
            if isinstance(statement.node, ast.Raise) and statement.node.exc is not None
        )

    @cached_property
    def callees(self) -> Counter[str]:
        """How often each function or method (`.name`) is called on one value and nothing else."""
        return Counter(
            name for node in self.nodes if isinstance(node, ast.Call) and (name := _wrapper(node)) is not None
        )

    @cached_property
    def identifiers(self) -> Counter[str]:
        """How often each name is mentioned."""
        return Counter(node.id for node in self.nodes if isinstance(node, ast.Name))

    @cached_property
    def imported(self) -> frozenset[str]:
        """Names the file imports."""
        return frozenset(
            (alias.asname or alias.name).split(".")[0]
            for node in self.nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        )

    @cached_property
    def mentions(self) -> Counter[str]:
        """How often each name is read and each attribute taken."""
        found = Counter(
            node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        )
        found.update(node.attr for node in self.nodes if isinstance(node, ast.Attribute))
        return found

    @cached_property
    def owners(self) -> Counter[tuple[str, str]]:
        """How often an attribute is taken from a plain name, as (name, attribute)."""
        return Counter(
            (node.value.id, node.attr)
            for node in self.nodes
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        )

    @cached_property
    def literals(self) -> Counter[str]:
        """How often each literal occurs, as text."""
        return Counter(
            repr(node.value)
            for node in self.nodes
            if isinstance(node, ast.Constant) and not isinstance(node.value, bytes)
        )

    @cached_property
    def keywords(self) -> dict[str, Counter[str]]:
        """Values given to each keyword argument, as text."""
        found: dict[str, Counter[str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.keyword) and node.arg is not None:
                found.setdefault(node.arg, Counter())[ast.unparse(node.value)] += 1
        return found


def _attribute_values(nodes: Iterator[ast.AST] | tuple[ast.AST, ...]) -> Iterator[tuple[str, ast.expr]]:
    for part in nodes:
        if isinstance(part, ast.Assign):
            for target in part.targets:
                if (
                    isinstance(target, ast.Attribute)
                    and isinstance(target.value, ast.Name)
                    and target.value.id == "self"
                ):
                    yield target.attr, part.value
        elif (
            isinstance(part, ast.AnnAssign)
            and isinstance(part.target, ast.Attribute)
            and part.value is not None
        ):
            yield part.target.attr, part.value


def _wrapper(node: ast.Call) -> str | None:
    if node.keywords:
        return None
    if isinstance(node.func, ast.Name) and len(node.args) == 1:
        return node.func.id
    if isinstance(node.func, ast.Attribute) and not node.args:
        return f".{node.func.attr}"
    return None
