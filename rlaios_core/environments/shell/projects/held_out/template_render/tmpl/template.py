"""The tree of nodes and the template itself."""

from tmpl.pieces import Piece, TemplateError, cut
from tmpl.values import compute, to_string


class Text:
    def __init__(self, text: str):
        self.text = text

    def render(self, context: dict) -> str:
        return self.text


class Value:
    def __init__(self, expression: str):
        self.expression = expression

    def render(self, context: dict) -> str:
        return to_string(compute(self.expression, context))


class If:
    """Branches in order; the condition of an else branch is "true"."""

    def __init__(self, condition: str):
        self.branches: list[tuple[str, list]] = [(condition, [])]

    def render(self, context: dict) -> str:
        for condition, body in self.branches:
            if holds(condition, context):
                return render_all(body, context)
        return ""


class For:
    """Repeats its body; `loop` holds index (from 1), first and last."""

    def __init__(self, name: str, expression: str):
        self.name = name
        self.expression = expression
        self.body: list = []
        self.otherwise: list = []

    def render(self, context: dict) -> str:
        items = list(compute(self.expression, context) or [])
        if not items:
            return render_all(self.otherwise, context)
        output = []
        for index, item in enumerate(items, start=1):
            loop = {"index": index, "first": index == 1, "last": index == len(items)}
            output.append(render_all(self.body, {**context, self.name: item, "loop": loop}))
        return "".join(output)


def render_all(nodes: list, context: dict) -> str:
    return "".join(node.render(context) for node in nodes)


def compare(left, sign: str, right) -> bool:
    if sign == "==":
        return left == right
    if sign == "!=":
        return left != right
    if left is None or right is None:
        return False
    if sign == "<":
        return left < right
    if sign == ">":
        return left > right
    raise TemplateError(f"unknown comparison {sign}")


def holds(condition: str, context: dict) -> bool:
    """Truth of `a`, `not a`, `a == b` and of these joined by and / or."""
    if " or " in condition:
        return any(holds(part, context) for part in condition.split(" or "))
    if " and " in condition:
        return all(holds(part, context) for part in condition.split(" and "))
    words = condition.split()
    if words[:1] == ["not"]:
        return not holds(" ".join(words[1:]), context)
    if len(words) == 3:
        return compare(compute(words[0], context), words[1], compute(words[2], context))
    return bool(compute(condition, context))


class Builder:
    """Puts pieces into a tree; `stack` holds the open blocks."""

    def __init__(self):
        self.root: list = []
        self.stack: list = []
        self.target = self.root

    def add(self, piece: Piece) -> None:
        if piece.kind == "text":
            self.target.append(Text(piece.body))
        elif piece.kind == "value":
            self.target.append(Value(piece.body))
        else:
            word, _, rest = piece.body.partition(" ")
            self.add_block(word, rest.strip(), piece.line)

    def add_block(self, word: str, rest: str, line: int) -> None:
        innermost = self.stack[-1][0] if self.stack else None
        if word == "if":
            node = If(rest)
            self.open(node, node.branches[0][1])
        elif word == "for":
            name, _, expression = rest.partition(" in ")
            if not name.isidentifier() or not expression:
                raise TemplateError(f"bad loop on line {line}")
            node = For(name, expression)
            self.open(node, node.body)
        elif word in ("elif", "else") and isinstance(innermost, If):
            innermost.branches.append((rest if word == "elif" else "true", []))
            self.target = innermost.branches[-1][1]
        elif word == "else" and isinstance(innermost, For):
            self.target = innermost.otherwise
        elif word == "end" and innermost is not None:
            self.target = self.stack.pop()[1]
        else:
            raise TemplateError(f"unexpected {word!r} on line {line}")

    def open(self, node, body: list) -> None:
        """Start a block; what follows goes into its body."""
        self.target.append(node)
        self.stack.append((node, self.target))
        self.target = body

    def finish(self) -> list:
        if self.stack:
            raise TemplateError(f"{len(self.stack)} block(s) not closed")
        return self.root


class Template:
    def __init__(self, source: str):
        builder = Builder()
        for piece in cut(source):
            builder.add(piece)
        self.nodes = builder.finish()

    def render(self, **context) -> str:
        return render_all(self.nodes, context)


def render(source: str, **context) -> str:
    """Render a source text once."""
    return Template(source).render(**context)
