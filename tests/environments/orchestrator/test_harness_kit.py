"""The harness kit passes what keeps the protocol and names what does not."""

import pytest

from rlaios_core.environments.orchestrator.conformance import CHECKS, check_harness
from tests.environments.orchestrator.worlds import TallyHarness, harnesses, item


def test_the_default_harness_conforms() -> None:
    with harnesses() as factory:
        findings = check_harness(factory, item())
    assert [finding for finding in findings if not finding.passed] == []
    assert len(findings) == len(CHECKS) >= 8


def test_anyones_harness_conforms() -> None:
    assert all(finding.passed for finding in check_harness(TallyHarness, item()))


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        ("reset keeps", "reset is fresh"),
        ("floods", "evidence is bounded"),
        ("preview works", "looking changes nothing"),
        ("verify raises", "looking changes nothing"),
        ("raises", "evidence is bounded"),
    ],
)
def test_what_is_broken_is_named(broken: str, check: str) -> None:
    findings = check_harness(lambda: TallyHarness(broken), item())
    assert check in [finding.check for finding in findings if not finding.passed]
