"""Family 7: preferences behind a menu, tabs and a nested dialog."""

from collections.abc import Mapping

from rlaios_core.environments.browser.site.blocks import (
    CHOICES,
    Bar,
    Block,
    Button,
    Field,
    Form,
    Intent,
    Modal,
    Note,
    Op,
    Page,
    Tabs,
    form_plan,
)
from rlaios_core.environments.browser.site.people import DIGESTS, LANGUAGES, THEMES
from rlaios_core.environments.browser.site.scenario import Scenario


class Preferences(Scenario):
    """Two settings saved as the payload has them."""

    family = "preferences"
    budget = 20

    def set_up(self) -> None:
        """Draw the settings and where they hide."""
        options = {"language": LANGUAGES, "theme": THEMES, "digest": DIGESTS}
        names = self.rng.sample(list(options), 3)
        self.values = {name: options[name][0] for name in names}
        self.asked = names[:2]
        self.options = options
        self.wanted = {name: self.rng.choice(options[name][1:]) for name in self.asked}
        self.kinds = {name: self.rng.choice(CHOICES) for name in names}
        self.place = self.rng.choice(("tabs", "modal", "plain"))
        self.behind_link = self.rng.random() < 0.5
        self.names = names
        self.rng.shuffle(self.names)
        self.task = self.say("i_preferences")
        self.give(**self.wanted)
        self.saved: set[str] = set()

    def page(self, path: str) -> Page | None:
        """A start page maybe, then the settings."""
        if path == "/" and self.behind_link:
            link = Bar((Button("settings", self.say("open_settings"), "link", "/settings"),))
            return Page(
                self.say("home"), (Note(self.say("t_signed_in")), link), (Intent(Op.CLICK, "settings"),)
            )
        if path in ("/", "/settings", "/saved"):
            return self._settings(saved=path == "/saved" and bool(self.saved))
        return self.side_page(path)

    def submit(self, path: str, form: Mapping[str, str], pressed: str) -> Page | str:
        """Save a group of settings."""
        for name in self.names:
            value = self.value(form, name)
            if value in self.options[name]:
                self.values[name] = value
                self.saved.add(name)
        return "/saved"

    def progress(self) -> tuple[int, int]:
        """Each wanted setting saved, the other untouched."""
        right = [name for name in self.asked if name in self.saved and self.values[name] == self.wanted[name]]
        others = all(self.values[n] == self.options[n][0] for n in self.names if n not in self.asked)
        return len(right) if others else 0, len(self.asked)

    def _field(self, name: str) -> Field:
        return Field(
            name, self.label(name), self.kinds[name], tuple(self.options[name]), self.values[name],
            want=self.wanted.get(name, ""),
        )  # fmt: skip

    def _settings(self, *, saved: bool) -> Page:
        notes: tuple[Block, ...] = (Note(self.say("t_saved"), "status"),) if saved else ()
        title = self.say("open_settings")
        if self.place == "plain":
            form = Form("form", title, "/save", tuple(map(self._field, self.names)), self._buttons("go"))
            return Page(title, (*notes, form), form_plan(form, "go"))
        forms = [
            Form(f"form.{name}", self.label(name), "/save", (self._field(name),), self._buttons(f"go.{name}"))
            for name in self.names
        ]
        plan: list[Intent] = []
        if self.place == "tabs":
            for i, (name, form) in enumerate(zip(self.names, forms, strict=True)):
                if name in self.asked and not self._done(name):
                    plan += [
                        Intent(Op.CLICK, f"tabs.{i}", unless=f"go.{name}"),
                        *form_plan(form, f"go.{name}"),
                    ]
                    break
            tabs = Tabs("tabs", tuple(self.label(name) for name in self.names), tuple(forms))
            return Page(title, (*notes, tabs), tuple(plan))
        first, *rest = forms
        hidden = Modal(
            "modal", self.say("advanced"), (*rest, Bar((Button("shut", self.say("close"), "closes"),)))
        )
        opener = Bar((Button("advanced", self.say("advanced"), "opens", "modal"),))
        if self.names[0] in self.asked and not self._done(self.names[0]):
            plan += form_plan(first, f"go.{self.names[0]}")
        else:
            hidden_one = next((n for n in self.names[1:] if n in self.asked and not self._done(n)), None)
            if hidden_one is not None:
                form = forms[self.names.index(hidden_one)]
                plan += [Intent(Op.CLICK, "advanced", unless="shut"), *form_plan(form, f"go.{hidden_one}")]
        return Page(title, (*notes, first, opener, hidden), tuple(plan))

    def _done(self, name: str) -> bool:
        return name in self.saved and self.values[name] == self.wanted[name]

    def _buttons(self, key: str) -> tuple[Button, ...]:
        return (Button(key, self.say("save")),)
