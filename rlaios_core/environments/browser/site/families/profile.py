"""Family 3: change some values of a profile and save it once."""

from collections.abc import Mapping

from rlaios_core.environments.browser.site.blocks import Button, Field, FieldKind, Form, Note, Page, form_plan
from rlaios_core.environments.browser.site.people import CITIES, COMPANIES, JOBS, draw_person
from rlaios_core.environments.browser.site.scenario import Scenario
from rlaios_core.environments.browser.site.words import rng_of


class Profile(Scenario):
    """The payload's values saved once, all others as they were."""

    family = "profile"
    budget = 16

    def set_up(self) -> None:
        """Draw what the profile holds and what is to change."""
        before = draw_person(rng_of(self.spec.seed, "before"))
        now = {
            "nickname": before.first, "phone": before.phone, "city": before.city, "company": before.company,
            "job": before.job, "website": f"https://{before.last.lower()}.example",
        }  # fmt: skip
        self.names = self.rng.sample(list(now), self.rng.randint(3, 5))
        self.values = {name: now[name] for name in self.names}
        self.before = dict(self.values)
        rng = self.rng
        fresh = {
            "nickname": f"{self.person.first}{rng.randrange(100)}", "phone": self.person.phone,
            "city": rng.choice([c for c in CITIES if c != before.city]),
            "company": rng.choice([c for c in COMPANIES if c != before.company]),
            "job": rng.choice([j for j in JOBS if j != before.job]),
            "website": f"https://{self.person.city.lower().encode('ascii', 'ignore').decode()}.example",
        }  # fmt: skip
        self.wanted = {name: fresh[name] for name in rng.sample(self.names, rng.randint(1, 2))}
        self.bar = rng.random() < 0.5
        self.task = self.say("i_profile")
        self.give(**self.wanted)
        self.saves = 0

    def page(self, path: str) -> Page | None:
        """The profile."""
        if path in ("/", "/profile"):
            return self._page()
        if path == "/saved":
            return self._page(saved=self.saves > 0)
        return self.side_page(path)

    def submit(self, path: str, form: Mapping[str, str], pressed: str) -> Page | str:
        """Save what was submitted."""
        if self.pressed(pressed, "cancel"):
            return "/"
        given = {name: self.value(form, name) for name in self.names}
        if not all(given.values()):
            return self._page(given=given)
        self.saves += 1
        self.values = given
        if self.saves > 1 and self._right():
            self.violate("saved twice")
        return "/saved"

    def progress(self) -> tuple[int, int]:
        """Saved, with the right values."""
        return int(self.saves > 0) + int(self.saves > 0 and self._right()), 2

    def _right(self) -> bool:
        return self.values == {**self.before, **self.wanted}

    def _page(self, *, saved: bool = False, given: Mapping[str, str] | None = None) -> Page:
        kinds = {"phone": FieldKind.TEL}
        shown = given or self.values
        fields = tuple(
            Field(
                name, self.label(name), kinds.get(name, FieldKind.TEXT), value=shown[name],
                entry=name if name in self.wanted else "",
                error="" if shown[name] else self.say("t_required"),
            )
            for name in self.names
        )  # fmt: skip
        buttons = (Button("go", self.say("save")), Button("cancel", self.say("cancel"), "link", "/"))
        form = Form("form", self.say("h_profile"), "/profile", fields, buttons, save_bar=self.bar)
        notes = (Note(self.say("t_saved"), "status"),) if saved else ()
        return Page(
            self.say("h_profile"), (*notes, form), form_plan(form, "go"), status=422 if given else 200
        )
