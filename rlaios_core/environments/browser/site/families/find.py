"""Family 6: find one item among many and choose it."""

from collections.abc import Mapping

from rlaios_core.environments.browser.site.blocks import (
    Bar,
    Button,
    Field,
    FieldKind,
    Form,
    Intent,
    Note,
    Op,
    Page,
    Row,
    Table,
)
from rlaios_core.environments.browser.site.people import ADJECTIVES, CATEGORIES, COLOURS, THINGS
from rlaios_core.environments.browser.site.scenario import Scenario

_PAGE = 6


class Find(Scenario):
    """The right item chosen, by search, by pages or by scrolling a list that draws only what is in view."""

    family = "find"
    budget = 22

    def set_up(self) -> None:
        """Draw the items; some share the wanted one's name or colour."""
        self.way = self.rng.choice(("search", "pages", "virtual"))
        every = [(a, t, c) for a in ADJECTIVES for t in THINGS for c in COLOURS]
        count = {"search": 30, "pages": 16, "virtual": 24}[self.way]
        self.items = self.rng.sample(every, count)
        self.wanted = self.rng.randrange(count)
        adjective, thing, colour = self.items[self.wanted]
        twin = next(((a, t, c) for a, t, c in every if (a, t) == (adjective, thing) and c != colour), None)
        if twin is not None and twin not in self.items:
            self.items[(self.wanted + 1) % count] = twin
        self.categories = [self.rng.choice(CATEGORIES) for _ in self.items]
        self.task = self.say("i_find")
        self.give(item=f"{adjective} {thing}", colour=colour)
        self.query = ""
        self.chosen: list[int] = []
        self.found = False

    def page(self, path: str) -> Page | None:
        """The list, from some position on, and what was chosen."""
        if path == "/chosen" and self.chosen:
            return Page(self.say("h_catalogue"), (Note(self.say("t_picked"), "status"),))
        if path in ("/", "/chosen"):
            return self._list(0)
        if path.startswith("/page/") and path[6:].isdigit():
            return self._list(int(path[6:]))
        return self.side_page(path)

    def viewed(self, path: str) -> None:
        """Note whether the wanted item has been served."""
        page = int(path[6:]) if path.startswith("/page/") and path[6:].isdigit() else 0
        self.found = self.found or self.wanted in self._shown(page)

    def submit(self, path: str, form: Mapping[str, str], pressed: str) -> Page | str:
        """Search, or choose an item."""
        if path == "/search":
            self.query = self.value(form, "q").lower()
            return "/"
        for i in range(len(self.items)):
            if self.pressed(pressed, f"choose.{i}"):
                self.chosen.append(i)
                if len(self.chosen) > 2:
                    self.violate("chose again and again")
                return "/chosen"
        return "/"

    def progress(self) -> tuple[int, int]:
        """Found, chosen."""
        right = self.chosen[-1:] == [self.wanted]
        return int(self.found or right) + int(right), 2

    def _matching(self) -> list[int]:
        words = self.query.split()
        return [i for i, item in enumerate(self.items) if all(word in " ".join(item) for word in words)]

    def _shown(self, page: int) -> list[int]:
        matching = self._matching()
        return matching if self.way == "virtual" else matching[page * _PAGE : (page + 1) * _PAGE]

    def _list(self, page: int) -> Page:
        shown = self._shown(page)
        rows = tuple(
            Row(
                f"row.{i}", (" ".join(self.items[i][:2]), self.items[i][2], self.categories[i]),
                (Button(f"choose.{i}", self.say("choose")),), action="/choose",
            )
            for i in shown
        )  # fmt: skip
        table = Table("table", self.say("h_catalogue"), ("", "", ""), rows, virtual=self.way == "virtual")
        search = Form(
            "search", self.say("find"), "/search",
            (
                Field(
                    "q", self.say("l_search"), FieldKind.SEARCH, value=self.query, required=False,
                    entry="item",
                ),
            ),
            (Button("find", self.say("find")),),
        )  # fmt: skip
        turns = []
        if page:
            turns.append(Button("prev", self.say("prev_page"), "link", f"/page/{page - 1}"))
        if self.way != "virtual" and len(self._matching()) > (page + 1) * _PAGE:
            turns.append(Button("next", self.say("next_page"), "link", f"/page/{page + 1}"))
        bar = (Bar(tuple(turns)),) if turns else ()
        nothing = () if shown else (Note(self.say("t_nothing")),)
        first = (search,) if self.way == "search" else ()
        return Page(self.say("h_catalogue"), (*first, *nothing, table, *bar), self._plan(shown))

    def _plan(self, shown: list[int]) -> tuple[Intent, ...]:
        if self.wanted in shown:
            choose = Intent(Op.CLICK, f"choose.{self.wanted}")
            return (choose, Intent(Op.SCROLL)) if self.way == "virtual" else (choose,)
        if self.way == "search" and self.query != self.payload["item"].value:
            return Intent(Op.FILL, "q", "item"), Intent(Op.CLICK, "find")
        return Intent(Op.CLICK, "next"), Intent(Op.CLICK, "prev")
