"""Messages and the patterns that topics are compared with."""

from dataclasses import dataclass, field, replace
from enum import IntEnum


class Priority(IntEnum):
    LOW = 0
    NORMAL = 1
    HIGH = 2
    URGENT = 3


@dataclass(frozen=True)
class Message:
    topic: str
    body: str = ""
    priority: Priority = Priority.NORMAL
    sent_at: int = 0
    lifetime: int | None = None
    attempts: int = 0
    headers: dict = field(default_factory=dict)

    def expired(self, now: int) -> bool:
        """A message with a lifetime of 5 sent at 10 is good until 15."""
        return self.lifetime is not None and now > self.sent_at + self.lifetime

    def age(self, now: int) -> int:
        """Time since it was sent; 0 for a message from the future."""
        return max(0, now - self.sent_at)

    def header(self, name: str, default: str = "") -> str:
        """Value of a header, whose name is compared without regard to case."""
        for key, value in self.headers.items():
            if key.lower() == name.lower():
                return value
        return default


def raise_priority(message: Message, steps: int = 1) -> Message:
    """Copy with a priority some steps higher (or lower), within the scale."""
    level = min(max(message.priority + steps, Priority.LOW), Priority.URGENT)
    return replace(message, priority=Priority(level))


def aged_priority(message: Message, now: int, patience: int) -> int:
    """Priority that gains a step for each full `patience` of waiting."""
    return min(message.priority + message.age(now) // patience, Priority.URGENT)


def parse_priority(text: str) -> Priority:
    """Read a name such as "high", or a number; too large means urgent."""
    word = text.strip().upper()
    if word.isdigit():
        return Priority(min(int(word), Priority.URGENT))
    if word not in Priority.__members__:
        raise ValueError(f"no such priority: {text}")
    return Priority[word]


def match_parts(pattern: list, parts: list) -> bool:
    """Compare part by part; "*" is any one part, "#" is any number of parts."""
    if not pattern:
        return not parts
    head, rest = pattern[0], pattern[1:]
    if head == "#":
        return any(match_parts(rest, parts[skip:]) for skip in range(len(parts) + 1))
    if not parts or head not in ("*", parts[0]):
        return False
    return match_parts(rest, parts[1:])


def topic_matches(pattern: str, topic: str) -> bool:
    return match_parts(pattern.split("."), topic.split("."))


def specificity(pattern: str) -> tuple[int, int]:
    """Sort key: more fixed parts count first, then fewer "#" parts."""
    parts = pattern.split(".")
    fixed = sum(part not in ("*", "#") for part in parts)
    return fixed, -parts.count("#")
