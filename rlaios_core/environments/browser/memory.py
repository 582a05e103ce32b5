"""What an episode remembers beside the page: what was entered where, pressed how often, and met last."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from rlaios_core.environments.browser.driver import ActStatus, Control, Look

TROUBLES = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""HTTP states after which the same request may go better later."""


@dataclass
class Memory:
    """Changes as the episode goes on.

    `unsent`: something is entered that no request has carried yet, in the section `here`. `asked`: the last
    press opened a window on the page. `pending`: the form of every entry of which no answer tells yet that it
    arrived. `stranded`: the fields of the form whose sending met trouble; `scripted`: a script sent it.
    `accepted`: the presses, by path and signature, that a server answered without complaint.
    """

    filled: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    pressed: dict[tuple[str, int], int] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)
    http_status: int = 0
    status: ActStatus = ActStatus.OK
    retries: int = 0
    troubles: int = 0
    waits: int = 0
    last: str = "start"
    changed: bool = True
    submitted: bool = False
    unsent: bool = False
    pending: dict[str, int] = field(default_factory=dict)
    stranded: frozenset[str] = frozenset()
    scripted: bool = False
    accepted: set[tuple[str, str]] = field(default_factory=set)
    here: str = ""
    asked: bool = False

    @property
    def trouble(self) -> bool:
        """Whether the last answer was one that may go better later."""
        return self.http_status in TROUBLES or self.status is ActStatus.TIMEOUT

    def entered(self, entries: Iterable[str], form: int) -> None:
        """Take note of entries that a form now has."""
        self.used.update(entries)
        self.pending.update(dict.fromkeys(entries, form))

    def sent(self, form: int, page: Collection[str], shown: Collection[str], *, anew: bool) -> None:
        """An answer came to a form (-1: it is not known which); what it lost has to be entered again.

        What waited in other forms went with their page. What met trouble is lost where its form is back on
        the page (the signatures of its controls), or where a script sent it and the page was fetched `anew`
        since. What is `shown` stays entered.
        """
        back = (anew and self.scripted) or not self.stranded.isdisjoint(page)
        lost = {e for e, place in self.pending.items() if back or (form >= 0 and place not in (form, -1))}
        self.used -= lost - set(shown)
        self.pending.clear()
        self.stranded, self.scripted = frozenset(), False

    def met_trouble(self, fields: Collection[str], *, scripted: bool) -> None:
        """The answer to a form with these fields does not tell whether it arrived."""
        self.stranded = frozenset(fields) or self.stranded
        self.scripted = self.scripted or scripted

    def holds(self, control: Control, entry: str, value: str, secret: bool) -> bool:
        """Whether the field holds this entry already."""
        if secret:
            return control.length == len(value) and self.filled.get(control.signature) == entry
        return bool(value) and control.value == " ".join(value.split())[:80]

    def presses(self, control: Control, look: Look) -> int:
        """How often the control was pressed while the page looked as it does now."""
        return self.pressed.get((control.signature, look.digest), 0)
