"""Family 11: trouble that one retry cures, and trouble that none does."""

from collections.abc import Mapping

from rlaios_core.environments.browser.site.blocks import (
    Bar,
    Button,
    Field,
    FieldKind,
    Form,
    Note,
    Page,
    form_plan,
)
from rlaios_core.environments.browser.site.people import MESSAGES, SUBJECTS
from rlaios_core.environments.browser.site.scenario import Scenario, Trouble

_CURABLE = ("busy", "timeout", "received", "conflict")
_LASTING = ("quota", "closed", "down")


class TroubleMet(Scenario):
    """One request received; what cannot be mended is left to a person."""

    family = "trouble"
    handoff_share = 0.35
    budget = 16

    def set_up(self) -> None:
        """Draw the kind of trouble."""
        self.kind = self.rng.choice(_LASTING if self.spec.handoff else _CURABLE)
        self.names = ["subject", "message"] if self.rng.random() < 0.5 else ["order_number", "message"]
        values = {
            "subject": self.rng.choice(SUBJECTS), "message": self.rng.choice(MESSAGES),
            "order_number": str(self.rng.randrange(10_000, 99_999)),
        }  # fmt: skip
        self.task = self.say("i_message")
        self.give(**{name: values[name] for name in self.names})
        asked = self.rng.choice((None, 1))
        self.troubles = {
            "busy": [Trouble(503, "t_trouble", asked)],
            "timeout": [Trouble(504, "t_timeout")],
            "received": [Trouble(504, "t_timeout", received=True)],
            "conflict": [Trouble(409, "t_conflict")],
            "quota": [Trouble(429, "t_quota")] * 50,
            "closed": [Trouble(403, "t_closed")] * 50,
            "down": [Trouble(503, "t_trouble", asked)] * 50,
        }[self.kind]
        self.received: list[dict[str, str]] = []
        self.attempts = 0

    def page(self, path: str) -> Page | None:
        """The form; once a request is in, the list of requests says so."""
        if path in ("/", "/sent"):
            return self._form()
        return self.side_page(path)

    def submit(self, path: str, form: Mapping[str, str], pressed: str) -> Page | str:
        """Take the request."""
        given = {name: self.value(form, name) for name in self.names}
        if not all(given.values()):
            return self._form(given)
        if self.received:
            self.violate("sent twice")
        self.received.append(given)
        return "/sent"

    def progress(self) -> tuple[int, int]:
        """Received as it should be."""
        wanted = {name: self.payload[name.replace("_", " ")].value for name in self.names}
        return int(self.received[:1] == [wanted]), 1

    def handoff_due(self) -> bool:
        """The trouble is known to last: it says so, or one retry met it again."""
        if self.kind not in _LASTING or self.met is None:
            return False
        return self.kind != "down" or len(self.troubles) <= 48

    def stop_is_right(self) -> bool:
        """Where nothing can be done, stopping is as right as handing over."""
        return self.handoff_due()

    def _form(self, given: Mapping[str, str] | None = None) -> Page:
        if self.received:
            notes = (
                Note(self.say("t_sent"), "status"),
                *(Note(self.received[0][name]) for name in self.names),
            )
            new = Bar((Button("again", self.say("h_messages"), "link", "/about"),))
            return Page(self.say("h_messages"), (*notes, new))
        fields = tuple(
            Field(
                name, self.label(name), FieldKind.AREA if name == "message" else FieldKind.TEXT,
                value=(given or {}).get(name, ""), entry=name.replace("_", " "),
                error=self.say("t_required") if given is not None and not given.get(name) else "",
            )
            for name in self.names
        )  # fmt: skip
        form = Form("form", self.say("h_messages"), "/", fields, (Button("go", self.say("send")),))
        return Page(
            self.say("h_messages"), (form,), form_plan(form, "go"), status=422 if given is not None else 200
        )
