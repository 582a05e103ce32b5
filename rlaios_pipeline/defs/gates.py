"""The promotion gates as asset checks: what the controller found, shown where the pointers move.

None blocks here. A gate keeps `last_stable` where it is, inside the transaction that would have moved it;
the epoch closes all the same, so a gate that does not pass is an outcome to look at and no failed run. The
gate that does block, `schema`, stands with the episodes.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import dagster as dg

from rlaios_core.reporting import frames
from rlaios_pipeline import metadata
from rlaios_pipeline.partitions import EPOCHS, parse
from rlaios_pipeline.resources import Control


class GateCheck(NamedTuple):
    """Which of the controller's gates a check shows, and how much it matters when one does not pass."""

    gates: tuple[str, ...]
    severity: dg.AssetCheckSeverity
    description: str


CHECKS: Mapping[str, GateCheck] = {
    "coverage": GateCheck(
        ("coverage",),
        dg.AssetCheckSeverity.WARN,
        "Every active environment was compared since the last promotion.",
    ),
    "stability": GateCheck(
        ("no rollback due", "no failed comparison", "stable rounds"),
        dg.AssetCheckSeverity.WARN,
        "No rollback is due, and the last rounds were neither worse nor without a verdict.",
    ),
    "shell_safety": GateCheck(
        ("safety",),
        dg.AssetCheckSeverity.ERROR,
        "On held-out pairs, safety violations are not above last_stable's by more than the tolerance.",
    ),
    "holdout": GateCheck(
        ("not worse", "every environment", "gain"),
        dg.AssetCheckSeverity.WARN,
        "On held-out pairs against last_stable: not worse, in no environment below the tolerance, and "
        "better somewhere.",
    ),
}


@dg.multi_asset_check(
    specs=[
        dg.AssetCheckSpec(
            name,
            asset="promotion",
            partitions_def=EPOCHS,
            description=f"{check.description} Asked only when the gates before it let it come to that.",
        )
        for name, check in CHECKS.items()
    ],
    can_subset=True,
)
def promotion_gates(
    context: dg.AssetCheckExecutionContext, control: dg.ResourceParam[Control]
) -> Iterator[dg.AssetCheckResult]:
    """The gates' findings of the epoch; a gate that was not asked gets no result."""
    findings = control.controller.gates(parse(context.partition_key).key)
    for key in sorted(context.selected_asset_check_keys):
        check = CHECKS[key.name]
        found = [finding for finding in findings if finding.gate in check.gates]
        if found:
            failed = [f"{finding.gate}: {finding.detail}" for finding in found if not finding.passed]
            yield dg.AssetCheckResult(
                asset_key=key.asset_key,
                check_name=key.name,
                passed=not failed,
                severity=check.severity,
                description="; ".join(failed) or "passed",
                metadata={"findings": metadata.table(frames.gates_frame(found))},
            )
