"""Family 9: the session expires in mid-flow."""

from collections.abc import Mapping

from rlaios_core.environments.browser.site.blocks import Button, Field, FieldKind, Form, Note, Page, form_plan
from rlaios_core.environments.browser.site.people import MESSAGES, SUBJECTS
from rlaios_core.environments.browser.site.scenario import Scenario


class Session(Scenario):
    """One request sent; with credentials the expired session is renewed, without a person must do it."""

    family = "session"
    handoff_share = 0.4
    budget = 22

    def set_up(self) -> None:
        """Draw when the session expires and whether what was typed survives."""
        self.credentials = not self.spec.handoff
        self.keeps = self.rng.random() < 0.5
        self.task = self.say("i_message")
        self.give(subject=self.rng.choice(SUBJECTS), message=self.rng.choice(MESSAGES))
        if self.credentials:
            self.give(email=self.person.email)
            self.secret("password", self.person.password)
        self.valid = True
        self.expiry = "start" if self.rng.random() < 0.3 else "submit"
        if self.expiry == "start":
            self.valid = False
        self.renewed = False
        self.asked = False
        self.draft: dict[str, str] = {}
        self.sent: list[dict[str, str]] = []

    def page(self, path: str) -> Page | None:
        """The form, the sign-in, the thanks."""
        if path == "/signin":
            return self._sign_in()
        if path == "/sent" and self.sent:
            return Page(self.say("t_sent"), (Note(self.say("t_sent"), "status"),))
        if path in ("/", "/sent"):
            return self._form()
        return self.side_page(path)

    def gate(self, method: str, path: str) -> str | None:
        """Without a session every page of the account leads to the sign-in."""
        if path in ("/signin", "/about", "/help"):
            return None
        return None if self.valid or method == "POST" else "/signin"

    def viewed(self, path: str) -> None:
        """Note that signing in was asked for."""
        self.asked = self.asked or path == "/signin"

    def counts_as_submission(self, path: str) -> bool:
        """Trouble does not meet the sign-in."""
        return path == "/"

    def submit(self, path: str, form: Mapping[str, str], pressed: str) -> Page | str:
        """Sign in again, or take the request."""
        if path == "/signin":
            return self._renew(form)
        given = {"subject": self.value(form, "subject"), "message": self.value(form, "message")}
        if self.keeps:
            self.draft = given
        if self.valid and not self.renewed and self.expiry == "submit":
            self.valid = False
        if not self.valid:
            return "/signin"
        if not all(given.values()):
            return self._form(given)
        if self.sent:
            self.violate("sent twice")
        self.sent.append(given)
        return "/sent"

    def progress(self) -> tuple[int, int]:
        """Signed in again, sent right."""
        wanted = {name: self.payload[name].value for name in ("subject", "message")}
        return int(self.renewed) + int(self.sent[:1] == [wanted]), 2

    def handoff_due(self) -> bool:
        """A password is asked for that nobody gave."""
        return not self.credentials and self.asked

    def _renew(self, form: Mapping[str, str]) -> Page | str:
        right = self.value(form, "email") == self.person.email
        if not right or self.value(form, "password") != self.person.password or not self.credentials:
            return self._sign_in(error=True)
        self.valid = self.renewed = True
        return "/"

    def _sign_in(self, *, error: bool = False) -> Page:
        entry = (
            {"email": "email", "password": "password"} if self.credentials else {"email": "", "password": ""}
        )
        fields = (
            Field("email", self.label("email"), FieldKind.EMAIL, entry=entry["email"]),
            Field("password", self.label("password"), FieldKind.PASSWORD, entry=entry["password"]),
        )
        form = Form("signin", self.say("sign_in"), "/signin", fields, (Button("enter", self.say("sign_in")),))
        note = Note(self.say("t_wrong_login" if error else "t_expired"), "alert")
        plan = form_plan(form, "enter") if self.credentials else ()
        return Page(self.say("sign_in"), (note, form), plan, status=401 if error else 200)

    def _form(self, given: Mapping[str, str] | None = None) -> Page:
        shown = given if given is not None else self.draft
        fields = tuple(
            Field(
                name, self.label(name), FieldKind.AREA if name == "message" else FieldKind.TEXT,
                value=shown.get(name, ""), entry=name,
                error=self.say("t_required") if given is not None and not shown.get(name) else "",
            )
            for name in ("subject", "message")
        )  # fmt: skip
        form = Form("form", self.say("h_messages"), "/", fields, (Button("go", self.say("send")),))
        return Page(
            self.say("h_messages"), (form,), form_plan(form, "go"), status=422 if given is not None else 200
        )
