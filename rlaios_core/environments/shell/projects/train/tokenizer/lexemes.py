"""Token kinds and the token tuple."""

from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    NAME = "name"
    KEYWORD = "keyword"
    NUMBER = "number"
    STRING = "string"
    SYMBOL = "symbol"


KEYWORDS = {"let", "if", "else", "and", "or", "not"}
SYMBOLS = ("<=", ">=", "==", "->", "+", "-", "*", "/", "<", ">", "=", "(", ")", "[", "]", ",")


class Token(NamedTuple):
    kind: Kind
    text: str
    line: int
    column: int

    @property
    def end_column(self) -> int:
        return self.column + len(self.text)

    def is_symbol(self, text: str) -> bool:
        return self.kind is Kind.SYMBOL and self.text == text


class LexError(ValueError):
    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{message} at {line}:{column}")
        self.line = line
        self.column = column


def is_name_start(char: str) -> bool:
    return char.isalpha() or char == "_"


def is_name_char(char: str) -> bool:
    return char.isalnum() or char == "_"
