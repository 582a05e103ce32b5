"""What an examination found."""

from enum import StrEnum

from rlaios_core.schema import Model


class Check(StrEnum):
    """What was examined."""

    DATABASE = "database"
    """The database can be read, and its own integrity check passes."""
    SCHEMA = "schema"
    """The schema is this program's revision, with every table and column."""
    LEASES = "leases"
    """Every lease has a living owner."""
    EVENTS = "events"
    """The log of each campaign folds without a gap."""
    SNAPSHOTS = "snapshots"
    """The stored state of each campaign is the fold of its log."""
    POINTERS = "pointers"
    """Pointers stand where their moves say, at checkpoints that load with the recorded weights."""
    CHECKPOINTS = "checkpoints"
    """Every kept checkpoint is there and is what its id says."""
    EPOCHS = "epochs"
    """The ledger's closed epochs are those of the log."""
    FILES = "files"
    """Task and episode files are there, are what was recorded, and hold as many episodes as are indexed."""
    LEFTOVERS = "leftovers"
    """No file is there that nothing knows."""


class Fault(Model):
    """Something wrong: found by which check, where, what, and how to mend it."""

    check: Check
    where: str
    what: str
    mend: str


class Diagnosis(Model):
    """An examined store. `examined` counts the things looked at, by check."""

    store: str
    artifacts: str
    revision: str | None
    campaigns: tuple[str, ...] = ()
    examined: dict[str, int]
    faults: tuple[Fault, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


class Findings:
    """Gathers faults and counts."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.examined: dict[str, int] = {}

    def count(self, check: Check, number: int = 1) -> None:
        """Note how many things a check looked at."""
        self.examined[check.value] = self.examined.get(check.value, 0) + number

    def fault(self, check: Check, where: str, what: str, mend: str) -> None:
        """Note a fault."""
        self.faults.append(Fault(check=check, where=where, what=what, mend=mend))
