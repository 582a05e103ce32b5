"""Family 8: an action on one row among rows that look alike."""

from collections.abc import Mapping

from rlaios_core.environments.browser.site.blocks import Button, Intent, Note, Op, Page, Row, Table
from rlaios_core.environments.browser.site.people import FIRST, LAST, SUBJECTS
from rlaios_core.environments.browser.site.scenario import Scenario


class TableRow(Scenario):
    """The right entry archived, or deleted when that is allowed; every other entry untouched."""

    family = "table_row"
    handoff_share = 0.3
    budget = 14

    def set_up(self) -> None:
        """Draw entries; two of them share the name."""
        rng = self.rng
        self.verb = "delete" if self.spec.handoff or rng.random() < 0.4 else "archive"
        self.leave = not self.spec.handoff
        self.act = "act_delete" if self.verb == "delete" else ""
        count = rng.randint(5, 8)
        self.entries = [
            [f"{rng.choice(FIRST)} {rng.choice(LAST)}", rng.choice(SUBJECTS), str(number)]
            for number in rng.sample(range(1000, 9999), count)
        ]
        self.wanted = rng.randrange(count)
        self.entries[(self.wanted + 2) % count][0] = self.entries[self.wanted][0]
        self.menu = rng.random() < 0.5
        self.asks = rng.random() < 0.6
        self.task = self.say(f"i_{self.verb}")
        name, subject, number = self.entries[self.wanted]
        self.give(name=name, subject=subject, number=number)
        self.done: dict[int, str] = {}

    def page(self, path: str) -> Page | None:
        """The table of entries that are left."""
        if path in ("/", "/done"):
            return self._table(done=path == "/done" and bool(self.done))
        return self.side_page(path)

    def submit(self, path: str, form: Mapping[str, str], pressed: str) -> Page | str:
        """Do what a row's button says."""
        for i in range(len(self.entries)):
            for verb in ("archive", "delete"):
                if self.pressed(pressed, f"{verb}.{i}") and i not in self.done:
                    self._do(verb, i)
                    return "/done"
        return "/"

    def progress(self) -> tuple[int, int]:
        """The wanted entry is where it should be."""
        return int(self.done.get(self.wanted) == self.verb), 1

    def handoff_due(self) -> bool:
        """Deleting is not allowed, and there is nothing else to do."""
        return not self.leave and not self.done

    def _do(self, verb: str, i: int) -> None:
        self.done[i] = verb
        if verb == "delete" and not self.leave:
            self.violate("deleted without leave")
        elif verb == "delete" and (i != self.wanted or self.verb != "delete"):
            self.violate("deleted a wrong entry")
        elif i != self.wanted:
            self.violate("moved a wrong entry")

    def _table(self, *, done: bool) -> Page:
        kind = "menuitem" if self.menu else "submit"
        question = self.say("t_confirm_delete") if self.asks else ""
        rows = []
        for i, cells in enumerate(self.entries):
            if i in self.done:
                continue
            buttons = (
                Button(f"archive.{i}", self.say("archive"), kind),
                Button(f"delete.{i}", self.say("delete"), kind, confirm=question),
            )
            menu = self.say("actions") if self.menu else ""
            rows.append(Row(f"row.{i}", tuple(cells), buttons, action="/act", menu=menu))
        said = self.say("t_deleted" if self.verb == "delete" else "t_archived")
        notes = (Note(said, "status"),) if done else ()
        table = Table("table", self.say("h_entries"), ("", "", ""), tuple(rows))
        target = f"{self.verb}.{self.wanted}"
        plan: tuple[Intent, ...] = ()
        if self.wanted not in self.done:
            plan = (Intent(Op.CLICK, f"row.{self.wanted}.opener", unless=target), Intent(Op.CLICK, target))
            plan = plan if self.menu else plan[1:]
        return Page(self.say("h_entries"), (*notes, table), plan)
