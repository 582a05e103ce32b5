"""Absolute domain names, compared without regard to case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class InvalidName(ValueError):
    """A text that is no domain name."""


class DomainName:
    """A sequence of labels, the most specific one first; the root has none."""

    MAX_LABEL = 63

    def __init__(self, labels: Iterable[str] = ()) -> None:
        self.labels = tuple(label.lower() for label in labels)

    @classmethod
    def parse(cls, text: str, origin: DomainName | None = None) -> DomainName:
        """Read a name; one without a final dot is completed with the origin, "@" is the origin itself."""
        if text == "@" and origin is not None:
            return origin
        if text == ".":
            return cls()
        absolute = text.endswith(".")
        labels = text[:-1].split(".") if absolute else text.split(".")
        for position, label in enumerate(labels):
            cls._check_label(label, position)
        if not absolute and origin is not None:
            labels.extend(origin.labels)
        return cls(labels)

    @classmethod
    def _check_label(cls, label: str, position: int) -> None:
        if label == "*":
            if position > 0:
                raise InvalidName("a wildcard must be the first label")
            return
        if not label or len(label) > cls.MAX_LABEL:
            raise InvalidName(f"label {label!r} has a bad length")
        if label[0] == "-" or label[-1] == "-":
            raise InvalidName(f"label {label!r} has a hyphen at its end")
        for char in label:
            if not char.isalnum() and char not in "-_":
                raise InvalidName(f"label {label!r} holds {char!r}")

    def __str__(self) -> str:
        return ".".join(self.labels) + "."

    def __len__(self) -> int:
        return len(self.labels)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DomainName) and self.labels == other.labels

    def __hash__(self) -> int:
        return hash(self.labels)

    def __lt__(self, other: DomainName) -> bool:
        """Canonical order: by the last label, then the one before it."""
        return self.labels[::-1] < other.labels[::-1]

    def ancestors(self) -> Iterator[DomainName]:
        """Every name above this one, the nearest first and the root last."""
        for start in range(1, len(self.labels) + 1):
            yield DomainName(self.labels[start:])

    def is_within(self, other: DomainName) -> bool:
        """Whether this name is the other one or lies below it."""
        if len(other) == 0:
            return True
        return self.labels[-len(other):] == other.labels

    def is_below(self, other: DomainName) -> bool:
        return len(self) > len(other) and self.is_within(other)

    def relative_to(self, origin: DomainName) -> str:
        """The text of this name as a file of that origin would write it."""
        if self == origin:
            return "@"
        if not self.is_within(origin):
            return str(self)
        return ".".join(self.labels[: len(self) - len(origin)])
