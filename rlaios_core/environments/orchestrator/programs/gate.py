"""gate: the person at the gate. Gives the approvals and credentials that are theirs to give.

Standard input: JSON with `secret` (signs approvals), `admin` (of the service) and `needs`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

from rlaios_core.environments.orchestrator.programs.common import TOKEN, call, program, say

APPROVALS = Path("desk/approvals.json")


def signature(secret: str, need: str) -> str:
    """What only the gate can write under an approval."""
    return hmac.new(secret.encode(), need.encode(), hashlib.sha256).hexdigest()


def work(_: list[str]) -> int:
    """Exit code 1 when something is not for the gate to decide."""
    desk = json.load(sys.stdin)
    given, left = 0, 0
    for need in desk["needs"]:
        if not need["gate"]:
            say("gate_cannot", need=need["id"])
            left += 1
        elif need["kind"] == "credential":
            TOKEN.write_text(_token(desk, need))
            given += 1
        else:
            _approve(desk["secret"], need["id"])
            given += 1
    say("gate_decided" if desk["needs"] else "gate_nothing", given=given, left=left)
    return 1 if left else 0


def _token(desk: dict[str, Any], need: dict[str, Any]) -> str:
    body = {"admin": desk["admin"], "subject": need["subject"]}
    token: str = call("POST", "/grants", body, fails="gate_failed")["token"]
    return token


def _approve(secret: str, need: str) -> None:
    given = json.loads(APPROVALS.read_text()) if APPROVALS.exists() else {}
    given[need] = signature(secret, need)
    APPROVALS.parent.mkdir(exist_ok=True)
    APPROVALS.write_text(json.dumps(given))


main = program(work)
