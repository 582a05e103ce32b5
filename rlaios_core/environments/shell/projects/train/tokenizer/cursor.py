"""A character cursor that knows its line and column."""

from typing import Callable


class Cursor:
    def __init__(self, text: str) -> None:
        self.text = text
        self.index = 0
        self.line = 1
        self.column = 1

    def at_end(self) -> bool:
        return self.index >= len(self.text)

    def peek(self, ahead: int = 0) -> str:
        """Character `ahead` places further on, or '' beyond the end."""
        return self.text[self.index + ahead:self.index + ahead + 1]

    def advance(self) -> str:
        char = self.peek()
        if not char:
            raise EOFError("cursor is at the end")
        self.index += 1
        if char == "\n":
            self.line += 1
            self.column = 1
        else:
            self.column += 1
        return char

    def take_while(self, accept: Callable[[str], bool]) -> str:
        start = self.index
        for char in self.text[start:]:
            if not accept(char):
                break
            self.advance()
        return self.text[start:self.index]

    def take_word(self, word: str) -> bool:
        """Skip over `word` if it comes next."""
        if not self.text.startswith(word, self.index):
            return False
        for _ in range(len(word)):
            self.advance()
        return True
