"""Helpers that work on lists of tokens."""

from collections import Counter
from typing import Iterator, List, Optional, Sequence, Tuple

from lexemes import Kind, Token

CLOSERS = {"(": ")", "[": "]"}


def group_lines(tokens: Sequence[Token]) -> List[List[str]]:
    """Token texts line by line; lines without tokens are left out."""
    lines: List[List[str]] = []
    current = 0
    for token in tokens:
        if token.line != current:
            lines.append([])
            current = token.line
        lines[-1].append(token.text)
    return lines


def find_unbalanced(tokens: Sequence[Token]) -> Optional[Token]:
    """First bracket token that has no partner, or None."""
    stack: List[Token] = []
    for token in tokens:
        if token.kind is not Kind.SYMBOL:
            continue
        if token.text in CLOSERS:
            stack.append(token)
        elif token.text in CLOSERS.values():
            if not stack or CLOSERS[stack[-1].text] != token.text:
                return token
            stack.pop()
    return stack[0] if stack else None


def max_nesting(tokens: Sequence[Token]) -> int:
    level = deepest = 0
    for token in tokens:
        if token.is_symbol("(") or token.is_symbol("["):
            level += 1
            deepest = max(deepest, level)
        elif token.is_symbol(")") or token.is_symbol("]"):
            level -= 1
    return deepest


def split_arguments(tokens: Sequence[Token]) -> List[List[str]]:
    """Split at commas outside brackets."""
    if not tokens:
        return []
    groups: List[List[str]] = [[]]
    level = 0
    for token in tokens:
        if token.text in CLOSERS:
            level += 1
        elif token.text in CLOSERS.values():
            level -= 1
        if token.is_symbol(",") and level == 0:
            groups.append([])
        else:
            groups[-1].append(token.text)
    return groups


def name_counts(tokens: Sequence[Token], limit: int = 3) -> List[Tuple[str, int]]:
    """The most frequent names; ties are put in alphabetical order."""
    counts = Counter(token.text for token in tokens if token.kind is Kind.NAME)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ranked[:limit]


def pairs(tokens: Sequence[Token]) -> Iterator[Tuple[str, str]]:
    for left, right in zip(tokens, tokens[1:]):
        yield left.text, right.text


def rebuild(tokens: Sequence[Token]) -> str:
    """Text with the tokens of one line at their columns."""
    out = ""
    for token in tokens:
        out = out.ljust(token.column - 1) + token.text
    return out


def token_at(tokens: Sequence[Token], line: int, column: int) -> Optional[Token]:
    for token in tokens:
        if token.line == line and token.column <= column < token.end_column:
            return token
    return None
