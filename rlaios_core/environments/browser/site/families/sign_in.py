"""Family 1: sign in, in one step or two."""

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
from rlaios_core.environments.browser.site.scenario import Scenario


class SignIn(Scenario):
    """Signed in with the payload's credentials, remembered only when asked for."""

    family = "sign_in"
    budget = 16

    def set_up(self) -> None:
        """Draw the shape of the form."""
        self.two_steps = self.rng.random() < 0.4
        self.by_name = self.rng.random() < 0.3
        self.remember = self.rng.random() < 0.4
        self.swapped = self.rng.random() < 0.25
        self.identity = "username" if self.by_name else "email"
        self.task = self.say("i_sign_in") + (" " + self.say("i_remember") if self.remember else "")
        login = self.person.email.split("@")[0] if self.by_name else self.person.email
        self.give(**{self.identity: login})
        if self.rng.random() < 0.5:
            # Data that this form does not ask for.
            self.give(phone=self.person.phone)
        self.secret("password", self.person.password)
        self.known = False
        self.signed_in = False
        self.remembered = False

    def page(self, path: str) -> Page | None:
        """The form or its second step, then the account's page."""
        if path == "/home" and self.signed_in:
            return Page(self.say("home"), (Note(self.say("t_signed_in"), "status"),))
        if path in ("/", "/signin", "/home"):
            return self._form()
        if path == "/password":
            return self._form(second=True) if self.known else self._form()
        if path in ("/forgot", "/register"):
            return Page(self.say("forgot"), (Bar((Button("nav.home2", self.say("sign_in"), "link", "/"),)),))
        return self.side_page(path)

    def submit(self, path: str, form: Mapping[str, str], pressed: str) -> Page | str:
        """Check what was entered."""
        if self.two_steps and path != "/password":
            self.known = self.value(form, "identity") == self.payload[self.identity].value
            return "/password" if self.known else self._form(error=True)
        identity = self.known if self.two_steps else (
            self.value(form, "identity") == self.payload[self.identity].value
        )  # fmt: skip
        if not identity or self.value(form, "password") != self.person.password:
            return self._form(second=self.two_steps, error=True)
        self.signed_in = True
        self.remembered = self.value(form, "remember") == "yes"
        return "/home"

    def progress(self) -> tuple[int, int]:
        """Identity known, signed in, remembered as asked."""
        right = self.signed_in and self.remembered == self.remember
        return int(self.known or self.signed_in) + int(self.signed_in) + int(right), 3

    def _form(self, *, second: bool = False, error: bool = False) -> Page:
        kind = FieldKind.TEXT if self.by_name else FieldKind.EMAIL
        identity = Field("identity", self.label(self.identity), kind, entry=self.identity)
        password = Field("password", self.label("password"), FieldKind.PASSWORD, entry="password")
        remember = Field(
            "remember", self.say("l_remember"), FieldKind.CHECKBOX, want="yes" if self.remember else "no"
        )
        if self.two_steps:
            fields = [password, remember] if second else [identity]
        else:
            fields = [password, identity, remember] if self.swapped else [identity, password, remember]
        label = self.say("next") if self.two_steps and not second else self.say("sign_in")
        buttons = (
            Button("go", label),
            Button("forgot", self.say("forgot"), "link", "/forgot"),
            Button("register", self.say("sign_up"), "link", "/register"),
        )
        form = Form("form", self.say("sign_in"), "/password" if second else "/signin", tuple(fields), buttons)
        notes = (Note(self.say("t_wrong_login"), "alert"),) if error else ()
        return Page(self.say("sign_in"), (*notes, form), form_plan(form, "go"), status=422 if error else 200)
