"""Family 2: sign up, with required fields, rules and server-side errors."""

from collections.abc import Mapping

from rlaios_core.environments.browser.site.blocks import (
    CHOICES,
    Button,
    Field,
    FieldKind,
    Form,
    Note,
    Page,
    form_plan,
)
from rlaios_core.environments.browser.site.people import COUNTRIES
from rlaios_core.environments.browser.site.scenario import Scenario


class SignUp(Scenario):
    """One account with exactly the payload's values, terms accepted, no newsletter."""

    family = "sign_up"
    budget = 24

    def set_up(self) -> None:
        """Draw the fields that the form asks for."""
        person = self.person
        known = {
            "first_name": person.first, "last_name": person.last, "email": person.email,
            "phone": person.phone, "city": person.city, "company": person.company,
        }  # fmt: skip
        asked = ["email", *self.rng.sample([k for k in known if k != "email"], self.rng.randint(1, 3))]
        self.rng.shuffle(asked)
        self.asked = asked
        self.country_kind = self.rng.choice((None, None, *CHOICES))
        self.countries = tuple(sorted({person.country, *self.rng.sample(COUNTRIES, 4)}))
        self.newsletter = self.rng.random() < 0.6
        self.wizard = self.rng.random() < 0.3
        self.task = self.say("i_sign_up")
        self.give(**{name: known[name] for name in asked})
        if self.country_kind:
            self.give(country=person.country)
        self.secret("password", person.password)
        self.draft: dict[str, str] = {}
        self.accounts: list[dict[str, str]] = []

    def page(self, path: str) -> Page | None:
        """The form, or its second half, then the welcome."""
        if path == "/welcome" and self.accounts:
            return Page(self.say("home"), (Note(self.say("t_account_created"), "status"),))
        if path == "/more" and self.draft:
            return self._page(second=True)
        if path in ("/", "/more", "/welcome"):
            return self._page()
        return self.side_page(path)

    def submit(self, path: str, form: Mapping[str, str], pressed: str) -> Page | str:
        """Check every field as the server sees it."""
        second = path == "/more"
        fields = self._fields(second=second)
        given = {field.key: self.value(form, field.key) for field in fields}
        errors = {
            key: self.say("t_required") for key, value in given.items() if not value and key not in ("news",)
        }
        if given.get("email") and "@" not in given["email"]:
            errors["email"] = self.say("t_format")
        if errors:
            return self._page(second=second, given=given, errors=errors)
        self.draft.update(given)
        if self.wizard and not second:
            return "/more"
        if self.accounts:
            self.violate("a second account")
        self.accounts.append(dict(self.draft))
        return "/welcome"

    def progress(self) -> tuple[int, int]:
        """First page right, account made, every value right."""
        wanted = {name: self.payload[name.replace("_", " ")].value for name in self.asked}
        if self.country_kind:
            wanted["country"] = self.person.country
        account = self.accounts[0] if self.accounts else {}
        right = all(account.get(key) == value for key, value in wanted.items()) and (
            account.get("password") == self.person.password and not account.get("news")
        )
        return int(bool(self.draft)) + int(bool(self.accounts)) + int(bool(self.accounts) and right), 3

    def _fields(self, *, second: bool) -> list[Field]:
        kinds = {"email": FieldKind.EMAIL, "phone": FieldKind.TEL}
        fields = [
            Field(name, self.label(name), kinds.get(name, FieldKind.TEXT), entry=name.replace("_", " "))
            for name in self.asked
        ]
        if self.country_kind:
            fields.append(
                Field(
                    "country",
                    self.label("country"),
                    self.country_kind,
                    self.countries,
                    want=self.person.country,
                )
            )
        last = [Field("password", self.say("l_new_password"), FieldKind.PASSWORD, entry="password")]
        if self.newsletter:
            last.append(Field("news", self.say("l_news"), FieldKind.CHECKBOX, want="no", required=False))
        last.append(Field("terms", self.say("l_terms"), FieldKind.CHECKBOX, want="yes"))
        if not self.wizard:
            return fields + last
        return last if second else fields

    def _page(
        self,
        *,
        second: bool = False,
        given: Mapping[str, str] | None = None,
        errors: Mapping[str, str] | None = None,
    ) -> Page:
        fields = tuple(
            Field(
                f.key, f.label, f.kind, f.options, (given or {}).get(f.key, ""), f.required,
                (errors or {}).get(f.key, ""), f.entry, f.want,
            )
            for f in self._fields(second=second)
        )  # fmt: skip
        label = self.say("next") if self.wizard and not second else self.say("sign_up")
        buttons = (Button("go", label), Button("have", self.say("sign_in"), "link", "/help"))
        form = Form("form", self.say("sign_up"), "/more" if second else "/", fields, buttons)
        notes = (Note(self.say("t_check"), "alert"),) if errors else ()
        return Page(self.say("sign_up"), (*notes, form), form_plan(form, "go"), status=422 if errors else 200)
