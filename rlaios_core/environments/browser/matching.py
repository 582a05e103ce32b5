"""How well a payload entry fits a control: by type and by words, never by hidden names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rlaios_core.environments.browser.driver import Control

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_EMAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]+$")
_DATE = re.compile(r"^(\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{4})$")
_TIME = re.compile(r"^\d{1,2}:\d{2}$")
_NUMBER = re.compile(r"^-?\d+([.,]\d+)?$")
# fmt: off
_SAY_NOTHING = frozenset({
    "a", "am", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "here", "his", "how", "i", "if", "in", "into",
    "is", "it", "its", "just", "me", "my", "no", "not", "of", "off", "on", "one", "or", "our", "please",
    "shall", "she", "should", "so", "some", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "too", "up", "us", "was", "we", "were", "what", "when", "where",
    "which", "who", "will", "with", "would", "yes", "you", "your",
})
# fmt: on
_STEM = 5
"""Letters from which a word stands for the longer ones that begin with it."""
_SENTENCE_END = re.compile(r"[.!?…。！？]\s*$")
_FEW_DIGITS = 2
_TYPED = frozenset({"email", "url", "date", "time"})
"""Kinds of values for which pages mostly have a kind of field of their own."""
_ODDNESS = 0.2
"""What it costs not to be in one: as much as names that are somewhat alike make good."""
_URL = re.compile(r"^(https?://|www\.)\S+$")


@dataclass(frozen=True)
class Entry:
    """One entry of a task's payload. A secret's value is typed by the environment and shown nowhere."""

    value: str
    secret: bool = False


def words(text: str) -> tuple[str, ...]:
    """The words of a text in small letters; scripts without blanks give one word per run."""
    return tuple(word.lower() for word in _WORD.findall(text))


def content_words(text: str) -> frozenset[str]:
    """The words of a text that say something."""
    return frozenset(words(text)) - _SAY_NOTHING


@lru_cache(maxsize=20_000)
def trigrams(text: str) -> frozenset[str]:
    """Character trigrams of every word, with its ends marked."""
    return frozenset(f"<{w}>"[i : i + 3] for w in words(text) for i in range(len(w)))


def overlap(key: str, label: str) -> float:
    """Share of the key's words that the label has, in [0, 1]."""
    wanted = set(words(key))
    return len(wanted & set(words(label))) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=20_000)
def spoken_of(label: str, text: str) -> float:
    """Share of the label's words that the text has in some form, in [0, 1].

    Words that say nothing do not count. Longer words agree with their own beginnings: `remember` with
    `remembered`.
    """
    names = content_words(label)
    heard = set(words(text))
    return sum(any(_agree(name, word) for word in heard) for name in names) / len(names) if names else 0.0


def _agree(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _STEM and long.startswith(short))


def likeness(one: str, other: str) -> float:
    """Dice coefficient of the two texts' trigrams, in [0, 1]."""
    a, b = trigrams(one), trigrams(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def same_text(one: str, other: str) -> bool:
    """Equal but for blanks, signs and letter case."""
    return words(one) == words(other) and bool(words(one))


def value_kind(value: str) -> str:
    """What a value looks like: email, date, time, url, number, tel or text."""
    for kind, pattern in (("email", _EMAIL), ("date", _DATE), ("time", _TIME), ("url", _URL)):
        if pattern.match(value):
            return kind
    digits = sum(c.isdigit() for c in value)
    if digits >= 7 and digits >= 0.6 * len(value):
        return "tel"
    return "number" if _NUMBER.match(value) else "text"


def is_prose(value: str) -> bool:
    """Whether a value ends like a sentence, as what stands in a field of several lines does."""
    return bool(_SENTENCE_END.search(value))


def field_kind(control: Control) -> str:
    """What a field asks for, from its type and autocomplete token; text when it does not say."""
    if control.secret:
        return "password"
    token = control.autocomplete.split()[-1] if control.autocomplete else ""
    if control.type in ("email", "tel", "url", "date", "time", "number"):
        return control.type
    return token if token in ("email", "tel", "url") else "text"


def type_fits(name: str, entry: Entry, control: Control) -> float | None:
    """Up to 1 when the types meet, 0 when the field takes anything, `None` when they exclude each other.

    A field that does not say what it takes is judged by what stands in it, which excludes nothing.
    A password field takes secrets, and entries that are called a password; a field of several lines suits
    sentences.
    """
    wanted = field_kind(control)
    if control.tag == "textarea" and not entry.secret:
        return float(is_prose(entry.value))
    if entry.secret:
        return 1.0 if wanted == "password" else None
    if wanted == "password":
        return 1.0 if overlap("password", name) else None
    have, stands = value_kind(entry.value), value_kind(control.value)
    if wanted == "text" and (have == "text" or have != stands):
        return 0.0
    if wanted not in ("text", have) and {wanted, have} != {"tel", "number"}:
        return None
    # A number much longer or shorter than the one that stands there is less likely to belong there.
    unlike = have == stands == "number" and abs(len(entry.value) - len(control.value)) > _FEW_DIGITS
    return 0.5 if unlike else 1.0


@dataclass(frozen=True)
class Fit:
    """An entry for a field: how it fits by type and by words.

    `odd`: it is of a kind that mostly has fields of its own, and nothing says that this is one.
    """

    entry: str
    typed: float
    overlap: float
    likeness: float
    odd: bool = False

    @property
    def strength(self) -> float:
        """What types and whole words say for it; 0 when they say nothing."""
        return self.typed + 2 * self.overlap

    @property
    def score(self) -> float:
        """For ordering candidates only; what it is worth is for the student to learn."""
        return self.strength + self.likeness - (_ODDNESS if self.odd else 0.0)


def fits(control: Control, payload: Mapping[str, Entry]) -> list[Fit]:
    """The entries that may go into a field, best first."""
    label = " ".join((control.name, control.placeholder, control.autocomplete.replace("-", " ")))
    found = []
    for name, entry in payload.items():
        typed = type_fits(name, entry, control)
        if typed is not None:
            named = overlap(name, label)
            odd = not typed and not named and value_kind(entry.value) in _TYPED
            found.append(Fit(name, typed, named, likeness(name, label), odd))
    return sorted(found, key=lambda fit: (-fit.score, fit.entry))


def hits(text: str, payload: Mapping[str, Entry]) -> float:
    """Share of the payload's shown values that stand in the text, in [0, 1]."""
    shown = [words(entry.value) for entry in payload.values() if not entry.secret and entry.value]
    if not shown:
        return 0.0
    have = words(text)
    return sum(_within(value, have) for value in shown) / len(shown)


def _within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    return bool(part) and any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))
