"""A rollback drill: one update is made worse on purpose, and must be found, undone and verified.

A shell campaign trains for some epochs; then the update's weights are scrambled (every tensor's entries
are permuted) before they are written. The campaign goes on as it would unattended. The drill passes
when the comparison calls for a rollback within the allowed rounds, the active weights' hash is again
the one recorded before the bad update, and the next epoch solves tasks again. Run it with `make bench-
rollback-drill`; its last line is one JSON object.
"""

import argparse
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.scrambling import scramble
from rlaios_core.control import CampaignController, CampaignSettings, Workspace
from rlaios_core.control.learner import StudentLearner, Update
from rlaios_core.schema import EpochRecord, derive_seed
from rlaios_core.student import load_checkpoint, save_checkpoint, weights_hash
from rlaios_core.trainer import Experience

NAME = "drill"
ALLOWED_ROUNDS = 4


class Saboteur(StudentLearner):
    """Learns as always, but scrambles what the update of one epoch made."""

    def __init__(self, epoch: int) -> None:
        self._epoch = epoch

    def update(
        self,
        path: Path,
        checkpoint_id: str,
        experience: Experience,
        settings: CampaignSettings,
        epoch: int,
        progress: Callable[[int, int], None],
    ) -> Update:
        """One update, made worse on purpose at the chosen epoch."""
        update = super().update(path, checkpoint_id, experience, settings, epoch, progress)
        if epoch != self._epoch:
            return update
        broken = load_checkpoint(Path(update.record.path), update.record.checkpoint_id)
        scramble(broken.student.network, derive_seed(settings.seed, "sabotage"))
        record = save_checkpoint(
            path.parent, broken, parent=checkpoint_id, campaign=settings.name, epoch=epoch
        )
        return Update(record, update.numbers)


def rate(record: EpochRecord) -> float:
    """Share of an epoch's episodes that were solved."""
    return record.successes / record.episodes if record.episodes else 0.0


def run(root: Path, sizes: argparse.Namespace) -> dict[str, object]:
    """The drill's result."""
    settings = CampaignSettings.model_validate(
        {
            "name": NAME,
            "seed": sizes.seed,
            "epochs": sizes.epochs + ALLOWED_ROUNDS + 1,
            "episodes_per_epoch": sizes.episodes,
            "comparison": {"confirmation_pairs": 0},
        }
    )
    with CampaignController(Workspace.open(root), learner=Saboteur(sizes.epochs)) as controller:
        controller.open_campaign(settings)
        records: list[EpochRecord] = []
        while len(records) < settings.epochs and not controller.rollbacks(NAME):
            records.append(controller.run_epoch(NAME))
            print(f"{records[-1].key}: {rate(records[-1]):.0%} solved, {records[-1].verdict}", flush=True)
        rollbacks = controller.rollbacks(NAME)
        if not rollbacks:
            return {"rolledBack": False, "solved": [round(rate(r), 3) for r in records]}
        active = controller.state(NAME).lineage.active
        restored = weights_hash(load_checkpoint(controller.checkpoint_file(active), active))
        after = controller.run_epoch(NAME)
        print(f"{after.key}: {rate(after):.0%} solved after the rollback", flush=True)
    rollback = rollbacks[0]
    good = records[sizes.epochs - 1].active_checkpoint
    return {
        "rolledBack": True,
        "rounds": len(records) - sizes.epochs,
        "reason": rollback.reason,
        "restoredTheRightCheckpoint": active == good == rollback.to_checkpoint,
        "hashEqualsTheRecordedOne": restored == rollback.weights_hash and rollback.verified,
        "solvedBefore": round(rate(records[sizes.epochs - 1]), 3),
        "solvedByTheBadUpdate": round(rate(records[-1]), 3),
        "solvedAfter": round(rate(after), 3),
        "diagnosis": rollback.diagnosis,
    }


def main() -> None:
    """Run the drill and print its result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--epochs", type=int, default=5, help="epochs up to the bad update")
    parser.add_argument("--episodes", type=int, default=48, help="tasks per epoch")
    sizes = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rlaios-drill-") as root:
        details = run(Path(root), sizes)
    ok = bool(
        details["rolledBack"]
        and details["restoredTheRightCheckpoint"]
        and details["hashEqualsTheRecordedOne"]
        and isinstance(rounds := details["rounds"], int)
        and rounds <= ALLOWED_ROUNDS
    )
    result = {
        "name": "rollback-drill",
        "value": details.get("rounds"),
        "baseline": None,
        "ratio": None,
        "target": ALLOWED_ROUNDS,
        "ok": ok,
        "details": details,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
