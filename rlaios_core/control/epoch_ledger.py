"""The epoch ledger: which epoch is under way, of which kind, and what its stages reported."""

import re
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, select

from rlaios_core.control import rules, tables
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.database import upsert
from rlaios_core.control.errors import CampaignError
from rlaios_core.control.reports import Stage
from rlaios_core.control.state import ControlState, Mode
from rlaios_core.schema import EpochKind, EpochRecord, EpochStatus, StoredModel

_E, _S = tables.epochs, tables.stages
_KEY = re.compile(r"^(?P<campaign>[a-z0-9][a-z0-9-]{0,40})\.(?P<kind>[tm])(?P<epoch>\d{5,})$")
Report = TypeVar("Report", bound=StoredModel)

_STOPPED = {
    Mode.PAUSED: "it is paused ({reason}): look at it, then lift the pause",
    Mode.ROLLBACK_PENDING: "a rollback is pending: run it first",
    Mode.FROZEN_FAILURE: "it is frozen ({reason}): mend the cause, then lift the freeze",
}


class EpochName(NamedTuple):
    """What an epoch's key says."""

    campaign: str
    epoch: int
    kind: EpochKind


def parse_key(key: str) -> EpochName:
    """The parts of a key such as `alpha.t00007`. Raises `CampaignError` for anything else."""
    found = _KEY.match(key)
    if found is None:
        raise CampaignError(f"{key!r} is not an epoch; epochs are named like alpha.t00007")
    kind = EpochKind.TRAINING if found["kind"] == "t" else EpochKind.MONITORING
    return EpochName(found["campaign"], int(found["epoch"]), kind)


class EpochLedger:
    """Epoch records and stage reports of a store."""

    def __init__(self, store: ControlStateStore) -> None:
        self._store = store

    def plan(self, campaign: str, *, monitoring: bool) -> EpochRecord:
        """The open epoch, or the next one: monitoring when the rules or the caller ask for it.

        Raises `CampaignError` while the campaign is stopped.
        """
        with self._store.writing(campaign) as connection:
            state = self._state(connection, campaign)
            require_running(state)
            record = self._next(connection, state, monitoring=monitoring)
            self.put(connection, record)
            return record

    def foresee(self, campaign: str) -> EpochRecord:
        """What `plan` would give, also while the campaign is stopped. Writes nothing, takes no lease."""
        with self._store.reading() as connection:
            return self._next(connection, self._state(connection, campaign), monitoring=False)

    def _state(self, connection: Connection, campaign: str) -> ControlState:
        state = self._store.state_in(connection, campaign)
        if state is None:
            raise CampaignError(f"there is no campaign {campaign!r}")
        return state

    def _next(self, connection: Connection, state: ControlState, *, monitoring: bool) -> EpochRecord:
        text = connection.scalar(
            select(_E.c.record).where(_E.c.campaign == state.campaign, _E.c.status == EpochStatus.OPEN.value)
        )
        if text is None:
            kind = EpochKind.MONITORING if monitoring else rules.next_epoch_kind(state)
        else:
            record = EpochRecord.model_validate_json(text)
            if state.open_epoch is not None:
                return record
            kind = record.kind
        # Nothing was recorded of it yet, so a rollback may have moved the pointers since.
        return EpochRecord(
            campaign=state.campaign,
            epoch=state.epoch + 1,
            kind=kind,
            status=EpochStatus.OPEN,
            active_checkpoint=state.lineage.active,
            reference_checkpoint=state.lineage.pre_update_ref,
        )

    def record(self, key: str) -> EpochRecord:
        """An epoch's record. Raises `CampaignError` when it was never planned."""
        parse_key(key)
        with self._store.reading() as connection:
            text = connection.scalar(select(_E.c.record).where(_E.c.key == key))
        if text is None:
            raise CampaignError(f"there is no epoch {key!r}: plan it first")
        return EpochRecord.model_validate_json(text)

    def records(self, campaign: str) -> list[EpochRecord]:
        """All epochs of a campaign, oldest first."""
        query = select(_E.c.record).where(_E.c.campaign == campaign).order_by(_E.c.epoch)
        with self._store.reading() as connection:
            return [EpochRecord.model_validate_json(text) for text in connection.scalars(query)]

    def put(self, connection: Connection, record: EpochRecord) -> None:
        """Write an epoch's record."""
        upsert(
            connection,
            _E,
            {
                "key": record.key,
                "campaign": record.campaign,
                "epoch": record.epoch,
                "status": record.status.value,
                "record": record.model_dump_json(by_alias=True),
            },
        )

    def report(self, key: str, stage: Stage, kind: type[Report], part: str = "") -> Report | None:
        """What a stage reported; null when it has not run yet."""
        with self._store.reading() as connection:
            text = connection.scalar(
                select(_S.c.report).where(_S.c.key == key, _S.c.stage == stage.value, _S.c.part == part)
            )
        return None if text is None else kind.model_validate_json(text)

    def require(self, key: str, stage: Stage, kind: type[Report], part: str = "") -> Report:
        """What an earlier stage reported. Raises `CampaignError` when it has not run."""
        found = self.report(key, stage, kind, part)
        if found is None:
            of = f" of {part}" if part else ""
            raise CampaignError(f"epoch {key} lacks its stage {stage.value}{of}: run that first")
        return found

    def put_report(
        self, connection: Connection, key: str, stage: Stage, report: StoredModel, part: str = ""
    ) -> None:
        """Write a stage's report: the stage is done."""
        upsert(
            connection,
            _S,
            {
                "key": key,
                "stage": stage.value,
                "part": part,
                "report": report.model_dump_json(by_alias=True),
            },
        )

    def reports(self, campaign: str, stage: Stage, kind: type[Report]) -> list[Report]:
        """A stage's reports over all epochs, oldest epoch first; for stages without named parts."""
        query = (
            select(_S.c.report)
            .join(_E, _E.c.key == _S.c.key)
            .where(_E.c.campaign == campaign, _S.c.stage == stage.value)
            .order_by(_E.c.epoch, _S.c.part)
        )
        with self._store.reading() as connection:
            return [kind.model_validate_json(text) for text in connection.scalars(query)]


def require_running(state: ControlState) -> None:
    """Raise `CampaignError`, saying what to do, unless epochs may be run."""
    if state.mode is not Mode.RUNNING:
        why = _STOPPED[state.mode].format(reason=state.pause_reason or "no reason given")
        raise CampaignError(f"campaign {state.campaign!r} cannot go on: {why}")
