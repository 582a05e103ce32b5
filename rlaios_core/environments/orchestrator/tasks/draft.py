"""A work item under construction: jobs added one after another, with what each must lead to.

A draft knows the world before the work (`files`, `databases`, `service`), the criteria of its end, and how
the world looks when everything was done already (`complete`).
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from rlaios_core.environments.orchestrator.items import Criterion, Job, Need
from rlaios_core.environments.orchestrator.tasks.sources import SOURCES
from rlaios_core.schema import Split

NOW = 1_700_000_000
_TOKEN_SECONDS = 7_200


class Draft:
    """Builds the world of one item; every random choice comes from `rng`."""

    def __init__(self, split: Split, steps: Sequence[str], noun: str, rng: random.Random) -> None:
        self.split = split
        self.rng = rng
        self.noun = noun
        self.subject = f"{noun}-{rng.randrange(100, 1000)}"
        self.files: dict[str, str] = {"secrets/token": f"{self.subject}-1"}
        self.databases: dict[str, list[str]] = {}
        self.archives: dict[str, dict[str, str]] = {}
        self.service: dict[str, Any] = {
            "now": NOW,
            "tokens": {
                f"{self.subject}-1": {
                    "subject": self.subject,
                    "expires": NOW + _TOKEN_SECONDS,
                    "renewable": True,
                }
            },
            "lockout": {"failures": 0, "limit": 3},
            "faults": [],
            "upstreams": {},
            "notices": [],
            "collections": {},
            "admin": f"desk-{rng.randrange(10**6)}",
        }
        self.jobs: list[Job] = []
        self.expect: list[Criterion] = []
        self.guards: list[Criterion] = []
        self.needs: list[Need] = []
        self.tests: list[Job] = []
        self.source: tuple[str, ...] = ()
        self.writes: list[str] = []
        self.protected: list[str] = []
        self.quota: int | None = None
        """Bytes that may still be written; none: as many as one likes."""
        self._after: list[Callable[[], None]] = []
        self._csv = ""
        self._text = ""
        self._artefact = ""
        for step in steps:
            getattr(self, step)()

    @property
    def steps(self) -> tuple[str, ...]:
        """The programs of the jobs, in order."""
        return tuple(job.run[0] for job in self.jobs)

    @property
    def remote(self) -> tuple[str, str]:
        """Method and path of the last job's request that talks to the service."""
        if "push" in self.steps:
            return "POST", f"/collections/{self.noun}"
        return "GET", f"/feeds/{self.noun}"

    def complete(self) -> None:
        """Make the world one in which all of it was done before."""
        for step in self._after:
            step()

    def _add(self, program: str, *arguments: str, front: bool = False) -> None:
        needs = () if not self.jobs or front else (self.jobs[-1].name,)
        job = Job(name=program, run=(program, *arguments), needs=needs)
        if front and self.jobs:
            self.jobs[0] = self.jobs[0].model_copy(update={"needs": (program,)})
        self.jobs.insert(0 if front else len(self.jobs), job)

    def _rows(self) -> list[tuple[str, int]]:
        keys = [f"k{self.rng.randrange(10, 99)}" for _ in range(3)]
        return [(self.rng.choice(keys), self.rng.randrange(1, 500)) for _ in range(self.rng.randrange(3, 7))]

    def _input(self) -> str:
        """Path of a table of rows; made when no earlier job brings one."""
        if not self._csv:
            self._csv = f"inputs/{self.noun}.csv"
            self.files[self._csv] = "".join(f"{k},{v}\n" for k, v in self._rows())
            self._text = self.files[self._csv]
        return self._csv

    def fetch(self, *, front: bool = False) -> None:
        """A feed of the service into a file."""
        body = "".join(f"{k},{v}\n" for k, v in self._rows())
        path = f"inputs/{self.noun}.csv"
        self.service["upstreams"][self.noun] = {"state": "ready", "left": 0, "body": body}
        if not front:
            self._csv = self._artefact = path
            self._text = body
        else:
            path = f"inputs/{self.noun}-extra.csv"
        self.expect.append(Criterion(name=path, kind="file", path=path, equals=body))
        self._after.append(lambda: self.files.update({path: body}))
        self._add("fetch", self.noun, path, front=front)

    def render(self) -> None:
        """Totals of a table of rows."""
        source, path = self._input(), f"out/{self.noun}.txt"
        totals: dict[str, int] = {}
        for line in self._text.splitlines():
            key, amount = line.split(",")
            totals[key] = totals.get(key, 0) + int(amount)
        text = "".join(f"{key} {total}\n" for key, total in sorted(totals.items()))
        self._artefact, self._text = path, text
        self.expect.append(Criterion(name=path, kind="file", path=path, equals=text))
        self._after.append(lambda: self.files.update({path: text}))
        self._add("render", source, path)

    def assemble(self) -> None:
        """A shell script that joins parts."""
        path = f"out/{self.noun}.txt"
        parts = {
            f"parts/{n}.txt": f"{self.noun} part {n} value {self.rng.randrange(1000)}\n" for n in range(3)
        }
        text = "".join(parts.values())
        self.files |= parts
        self.files["build.sh"] = f"set -e\nmkdir -p out\ncat parts/*.txt > {path}\necho assembled\n"
        self._artefact, self._text = path, text
        self.expect.append(Criterion(name=path, kind="file", path=path, equals=text))
        self._after.append(lambda: self.files.update({path: text}))
        self._add("sh", "build.sh")

    def database(self) -> str:
        """Path of the database with a table of rows; made when there is none."""
        path = f"data/{self.noun}.db"
        if path not in self.databases:
            table = [f"CREATE TABLE {self.noun} (k TEXT, v INTEGER)"]
            table += [f"INSERT INTO {self.noun} VALUES ('{k}', {v})" for k, v in self._rows()]
            self.databases[path] = table
        return path

    def load(self) -> None:
        """Rows into a table that has some already."""
        source, path = self._input(), self.database()
        rows = [[k, int(v)] for k, v in (line.split(",") for line in self._text.splitlines())]
        inserts = [f"INSERT INTO {self.noun} VALUES ('{k}', {v})" for k, v in rows]
        before = self.table_rows(path)
        query = f"SELECT k, v FROM {self.noun} ORDER BY rowid"
        self.expect.append(
            Criterion(name=f"rows of {self.noun}", kind="rows", path=path, query=query, equals=before + rows)
        )
        self._after.append(lambda: self.databases[path].extend(inserts))
        self._add("load", source, path, self.noun)

    def table_rows(self, path: str) -> list[list[Any]]:
        """The rows of that table before the work."""
        rows = []
        for statement in self.databases[path]:
            if statement.startswith(f"INSERT INTO {self.noun} "):
                key, value = statement.partition("VALUES (")[2].rstrip(")").split(", ")
                rows.append([key.strip("'"), int(value)])
        return rows

    def migrate(self, *, front: bool = False) -> None:
        """A new table."""
        path = self.database()
        script = f"CREATE TABLE {self.noun}_index (k TEXT PRIMARY KEY, n INTEGER);\n"
        self.files["migrations/001_index.sql"] = script
        query = f"SELECT count(*) FROM sqlite_master WHERE name = '{self.noun}_index'"
        self.expect.append(
            Criterion(name=f"{self.noun}_index", kind="rows", path=path, query=query, equals=[[1]])
        )
        self._after.append(
            lambda: self.databases[path].extend(
                [
                    script.rstrip(";\n"),
                    "CREATE TABLE schema_migrations (name TEXT PRIMARY KEY)",
                    "INSERT INTO schema_migrations VALUES ('001_index.sql')",
                ]
            )
        )
        self._add("migrate", path, front=front)

    def _material(self) -> str:
        """Path of something to pack or publish; made when no earlier job brings it."""
        if not self._artefact:
            self._artefact = f"docs/{self.noun}.txt"
            self._text = f"{self.noun} notes {self.rng.randrange(1000)}\n"
            self.files[self._artefact] = self._text
        return self._artefact

    def package(self) -> None:
        """An archive of what there is."""
        path, members = f"out/{self.noun}.zip", {self._material(): self._text}
        self._artefact = path
        self.expect.append(Criterion(name=path, kind="archive", path=path, equals=members))
        self._after.append(lambda: self.archives.update({path: members}))
        self._add("package", path, *members)

    def publish(self) -> None:
        """What there is to the site, with its line in the manifest."""
        source, name, text = self._material(), f"{self.noun}.out", self._text
        path = f"site/{name}"
        archive = next((c for c in self.expect if c.kind == "archive" and c.path == source), None)
        if archive is not None:
            self.expect.append(archive.model_copy(update={"name": path, "path": path}))
            self._after.append(lambda: self.archives.update({path: archive.equals}))
        else:
            self.expect.append(Criterion(name=path, kind="file", path=path, equals=text))
            self._after.append(lambda: self.files.update({path: text}))
        self.files["site/MANIFEST"] = "welcome.out 0\n"
        self.expect.append(
            Criterion(name=f"entry of {name}", kind="lines", path="site/MANIFEST", entry=name, equals=1)
        )
        self.writes.append(path)
        self._after.append(lambda: self.files.update({"site/MANIFEST": f"welcome.out 0\n{name} x\n"}))
        self._add("publish", source, name)

    def push(self) -> None:
        """The lines of what there is to the service."""
        source = self._artefact or self._input()
        text = self._text
        if source.endswith(".zip"):
            source, text = "docs/receipt.txt", f"{self.noun} packed\n"
            self.files[source] = text
        lines = text.splitlines()
        self.expect.append(
            Criterion(name=f"records of {self.noun}", kind="collection", path=self.noun, equals=lines)
        )
        self._after.append(lambda: self.service["collections"].update({self.noun: list(lines)}))
        self._add("push", source, self.noun)

    def unittest(self, *, front: bool = False) -> None:
        """Tests of a small module."""
        module = self.rng.choice(SOURCES[self.split])
        path = f"src/{module.name}.py"
        self.files[path] = module.correct
        self.files[f"tests/test_{module.name}.py"] = module.tests
        self.source = (path,)
        job = Job(name="unittest", run=("unittest", "tests"))
        self.tests.append(job)
        self._add("unittest", "tests", front=front)

    def with_tests(self) -> None:
        """Have tests run before everything else."""
        if "unittest" not in self.steps:
            self.unittest(front=True)

    def with_migration(self) -> None:
        """Have a migration run before everything else."""
        if "migrate" not in self.steps:
            self.migrate(front=True)

    def with_feed(self) -> None:
        """Have a feed fetched before everything else."""
        if "fetch" not in self.steps:
            self.fetch(front=True)

    def break_source(self) -> None:
        """Put the bug into the module that the tests are about."""
        (path,) = self.source
        module = next(m for m in SOURCES[self.split] if path == f"src/{m.name}.py")
        self.files[path] = module.broken

    def settle_names(self) -> None:
        """Give jobs of one program different names."""
        seen: dict[str, int] = {}
        for place, job in enumerate(self.jobs):
            seen[job.name] = seen.get(job.name, 0) + 1
            if seen[job.name] > 1:
                self.jobs[place] = job.model_copy(update={"name": f"{job.name}{seen[job.name]}"})
