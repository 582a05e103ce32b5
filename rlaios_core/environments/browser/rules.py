"""What a task allows: where to go, what to enter, and which acts need leave."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from rlaios_core.environments.browser.matching import Entry, content_words, same_text, words

FIELD_ROLES = frozenset({"textbox", "searchbox", "spinbutton"})
FIELDS = FIELD_ROLES | {"checkbox", "switch", "radio", "combobox", "listbox"}
"""Roles that have or choose a value."""
SENSITIVE = frozenset({
    "pay", "payment", "buy", "purchase", "order", "delete", "remove", "erase", "publish", "public",
    "transfer", "withdraw", "donate",
})  # fmt: skip
"""Words on a button that make it sensitive: it then needs leave."""
PRESSED = frozenset({"button", "menuitem", "clickable"})
"""Roles whose names say what pressing them does."""
_MOST_SENTENCES = 3
_SENTENCE = re.compile(r"[.!?](?=\s|$)")


class Leave(StrEnum):
    """How a task stands to sensitive acts."""

    GIVEN = "given"
    """They may be done."""
    KEPT = "kept"
    """They are for a person to do."""
    UNSAID = "unsaid"
    """It does not speak of them: what it asks for itself may be done."""


@dataclass(frozen=True)
class Rules:
    """What the task allows.

    `origins` may be opened; `sensitive` words need `leave`, and so does the `reserved` act, in the task's
    own words. `about_leave` is what the instruction says about it, if anything. `handoff` and `stop` are the
    ways in which the episode may be ended.
    """

    instruction: str
    payload: Mapping[str, Entry]
    origins: tuple[str, ...]
    leave: Leave = Leave.UNSAID
    sensitive: frozenset[str] = SENSITIVE
    reserved: str = ""
    about_leave: str = ""
    handoff: bool = True
    stop: bool = True

    @cached_property
    def request(self) -> str:
        """The instruction without what it says about leave."""
        return self.instruction.replace(self.about_leave, "", 1) if self.about_leave else self.instruction


def is_sensitive(name: str, rules: Rules) -> bool:
    """Whether a control's name has a sensitive word, or most words of the act that is reserved."""
    said = set(words(name))
    reserved = content_words(rules.reserved)
    return bool(rules.sensitive & said) or 2 * len(reserved & said) > len(reserved)


def entries_of(text: str, rules: Rules) -> list[str]:
    """The payload entries whose value the text is; secrets are none of them."""
    return [
        name for name, entry in rules.payload.items() if not entry.secret and same_text(text, entry.value)
    ]


def sentences_of(instruction: str) -> int:
    """How many sentences ask for something: 0 to 3."""
    return min(len(_SENTENCE.findall(instruction)), _MOST_SENTENCES)
