"""Random walks over all events: whatever is offered, the log's invariants hold."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rlaios_core.control import ComparisonSettings, ControlState, Mode, TransitionError, rules
from rlaios_core.control import events as e
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.state import Round
from rlaios_core.control.transitions import apply
from rlaios_core.schema import EpochKind, Pointer, RollbackReason
from tests.control.test_rules import result

ENVIRONMENTS = ("fake", "web")
ROUNDS = st.sampled_from(
    [
        (Round.BETTER, 0.2, 0.99),
        (Round.SAME, 0.0, 0.5),
        (Round.WORSE, -0.1, 0.04),
        (Round.WORSE, -0.1, 0.02),
        (Round.WORSE, -0.3, 0.001),
        (Round.FAILED, 0.0, 1.0),
    ]
)


class Campaign(RuleBasedStateMachine):
    """Offers events, mostly fitting and sometimes not, to a store in memory."""

    @initialize(rounds=st.integers(1, 3), counted=st.booleans())
    def begin(self, rounds: int, counted: bool) -> None:
        self.store = ControlStateStore("sqlite://")
        self.made = ["ck-0"]
        self.was_active = ["ck-0"]
        self.log: list[e.Event] = []
        self.known: set[str] = set()
        self.state: ControlState | None = None
        settings_ = ComparisonSettings(stable_rounds=rounds, count_failed_comparisons=counted)
        opened = e.CampaignOpened(
            campaign="alpha",
            epoch=0,
            checkpoint_id="ck-0",
            environments=ENVIRONMENTS,
            rules=settings_,
            settings_hash="h",
        )
        self.offer(opened)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()

    @property
    def now(self) -> ControlState:
        assert self.state is not None
        return self.state

    @property
    def number(self) -> int:
        return self.now.open_epoch.epoch if self.now.open_epoch else self.now.epoch + 1

    def offer(self, event: e.Event) -> bool:
        """Whether the store took the event; if not, nothing changed."""
        before = self.state
        try:
            with self.store.writing("alpha") as connection:
                self.state = self.store.append(connection, event)
        except TransitionError:
            assert self.store.state("alpha") == before
            return False
        if event.event_id in self.known:
            assert self.state == before
            return False
        assert before is None or self.state.position == before.position + 1
        self.log.append(event)
        self.known.add(event.event_id)
        if isinstance(event, e.UpdateCompleted):
            assert before is not None
            assert before.mode is Mode.RUNNING
            assert event.new not in self.was_active
            self.was_active.append(event.new)
        return True

    @rule(environment=st.sampled_from(ENVIRONMENTS), kind=st.sampled_from(EpochKind), stray=st.booleans())
    def episodes(self, environment: str, kind: EpochKind, stray: bool) -> None:
        opened = self.now.open_epoch
        self.offer(
            e.EpisodesRecorded(
                campaign="alpha",
                epoch=self.number + stray,
                kind=opened.kind if opened else kind,
                environment=environment,
                active_checkpoint=self.now.lineage.active,
                reference_checkpoint=self.now.lineage.pre_update_ref,
                episodes=30,
                faults=0,
            )
        )

    @rule()
    def all_episodes(self) -> None:
        for environment in ENVIRONMENTS:
            kind = self.now.open_epoch.kind if self.now.open_epoch else rules.next_epoch_kind(self.now)
            self.episodes(environment, kind, False)

    def compare(self, against: Any, reference: str | None, found: tuple[Round, float, float]) -> None:
        outcome, difference, p_worse = found
        self.offer(
            e.ComparisonRecorded(
                campaign="alpha",
                epoch=self.number,
                against=against,
                repetition=len(self.now.open_epoch.confirmations) % 2
                if self.now.open_epoch and against is Pointer.LAST_STABLE
                else 0,
                result=result(
                    outcome,
                    difference=difference,
                    p_worse=p_worse,
                    p_better=1 - p_worse,
                    parts=tuple((name, difference, 1 - p_worse) for name in ENVIRONMENTS),
                    active=self.now.lineage.active,
                    reference=reference or "none",
                ),
            )
        )

    @rule(found=ROUNDS)
    def verdict(self, found: tuple[Round, float, float]) -> None:
        self.compare(Pointer.PRE_UPDATE_REF, self.now.lineage.pre_update_ref, found)

    @rule(found=ROUNDS)
    def check(self, found: tuple[Round, float, float]) -> None:
        self.compare(Pointer.LAST_STABLE, self.now.lineage.last_stable, found)

    @rule(passed=st.booleans())
    def confirm(self, passed: bool) -> None:
        self.offer(
            e.StableConfirmed(
                campaign="alpha",
                epoch=self.number,
                checkpoint_id=self.now.lineage.active,
                previous=self.now.lineage.last_stable,
                gates=(e.GateFinding(gate="gain", passed=passed, detail=""),),
            )
        )

    @rule()
    def seal(self) -> None:
        self.offer(
            e.BatchSealed(
                campaign="alpha",
                epoch=self.number,
                batch_id=f"ba-{self.number}",
                checkpoint_id=self.now.lineage.active,
                episodes=30,
            )
        )

    @rule(reuse=st.booleans(), pick=st.randoms(use_true_random=False))
    def update(self, reuse: bool, pick: Any) -> None:
        new = pick.choice(self.made) if reuse else f"ck-{len(self.made)}"
        event = e.UpdateCompleted(
            campaign="alpha",
            epoch=self.number,
            batch_id=f"ba-{self.number}",
            previous=self.now.lineage.active,
            new=new,
        )
        if not reuse:
            self.made.append(new)
        self.offer(event)

    @rule()
    def fail(self) -> None:
        self.offer(
            e.UpdateFailed(campaign="alpha", epoch=self.number, batch_id=f"ba-{self.number}", reason="nan")
        )

    @rule()
    def close(self) -> None:
        opened = self.now.open_epoch
        kind = opened.kind if opened else EpochKind.TRAINING
        self.offer(e.EpochClosed(campaign="alpha", epoch=self.number, kind=kind))

    @rule(requested=st.booleans())
    def trigger(self, requested: bool) -> None:
        reason = RollbackReason.REQUESTED if requested else (self.now.due or RollbackReason.STREAK)
        self.offer(
            e.RollbackTriggered(
                campaign="alpha",
                epoch=self.now.epoch,
                ordinal=self.now.rollbacks,
                reason=reason,
                from_checkpoint=self.now.lineage.active,
                to_checkpoint=rules.rollback_target(self.now, reason) or self.now.lineage.last_stable,
            )
        )

    @precondition(lambda self: self.now.mode is Mode.ROLLBACK_PENDING)
    @rule(works=st.booleans())
    def restore(self, works: bool) -> None:
        assert self.now.pending is not None
        shared = {
            "campaign": "alpha",
            "epoch": self.now.pending.epoch,
            "ordinal": self.now.rollbacks + self.now.stops,
        }
        target = self.now.pending.to_checkpoint
        self.offer(
            e.RollbackCompleted(**shared, restored=target, weights_hash="w")
            if works
            else e.RollbackFailed(**shared, reason="corrupt")
        )

    @rule()
    def pause(self) -> None:
        self.offer(
            e.CampaignPaused(campaign="alpha", epoch=self.now.epoch, ordinal=self.now.stops, reason="r")
        )

    @rule(retry=st.booleans())
    def lift(self, retry: bool) -> None:
        self.offer(
            e.FreezeLifted(
                campaign="alpha",
                epoch=self.now.epoch,
                ordinal=self.now.stops,
                reason="mended",
                retry_rollback=retry,
            )
        )

    @rule(pick=st.randoms(use_true_random=False))
    def repeat(self, pick: Any) -> None:
        """An event that is in the log already changes nothing."""
        before = self.now
        with self.store.writing("alpha") as connection:
            assert self.store.append(connection, pick.choice(self.log)) == before
        assert self.store.state("alpha") == before

    @invariant()
    def pointers_name_checkpoints_that_were_active(self) -> None:
        lineage = self.now.lineage
        assert {lineage.active, lineage.last_stable} <= set(self.was_active)
        assert lineage.pre_update_ref in {None, *self.was_active}
        assert lineage.pre_update_ref != lineage.active

    @invariant()
    def the_state_is_a_fold_of_the_log(self) -> None:
        folded: ControlState | None = None
        for event in self.log:
            folded = apply(folded, event)
        assert folded == self.now
        assert self.store.state("alpha") == self.now

    @invariant()
    def a_stopped_campaign_knows_why(self) -> None:
        pending = self.now.mode in (Mode.ROLLBACK_PENDING, Mode.FROZEN_FAILURE)
        assert pending == (self.now.pending is not None)
        if self.now.mode is not Mode.RUNNING:
            assert rules.update_refusal(self.now) is not None

    @invariant()
    def the_streak_is_bounded(self) -> None:
        limit = self.now.rules.streak_limit
        assert self.now.streak <= limit
        assert self.now.streak < limit or self.now.due or self.now.pending


QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}


def test_random_walks() -> None:
    run_state_machine_as_test(Campaign, settings=settings(max_examples=25, stateful_step_count=40, **QUIET))


@pytest.mark.slow
def test_many_random_walks() -> None:
    run_state_machine_as_test(Campaign, settings=settings(max_examples=150, stateful_step_count=40, **QUIET))


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_ten_thousand_random_walks() -> None:
    run_state_machine_as_test(
        Campaign, settings=settings(max_examples=10_000, stateful_step_count=40, **QUIET)
    )
