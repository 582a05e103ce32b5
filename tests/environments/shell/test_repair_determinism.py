"""Candidates depend on the source alone: a resumed campaign runs in another process, with other hashes."""

import os
import subprocess
import sys

import pytest

# Two projects whose candidates once followed the order of sets.
CODE = """
import hashlib
from rlaios_core.environments.shell.bugs.projects import bundled_projects
from rlaios_core.environments.shell.repair import ProjectContext, candidates
digest = hashlib.sha256()
for project in bundled_projects("train"):
    if project.name in ("graph_routes", "job_scheduler"):
        context = ProjectContext.build(project.files)
        for path, source in sorted(project.files.items()):
            digest.update(repr(candidates(path, source, context=context)).encode())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_candidates_are_the_same_in_every_process() -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", CODE],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("10", "12", "15", "17")
    ]
    found = {process.communicate(timeout=300)[0] for process in started}
    assert [process.returncode for process in started] == [0, 0, 0, 0]
    assert len(found) == 1
