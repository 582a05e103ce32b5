"""One verification with full isolation against a cold `python -m pytest -q` of the same project.

Both are measured in one run, turn by turn, so that whatever else the machine does hits both alike. The last
line is one JSON object. Run it with `make bench-verification` or `python -m benchmarks.verification`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rlaios_core.environments.sandbox import launch
from rlaios_core.environments.shell.verification import TestOutcome, VerificationResult, VerificationServer

_PROJECTS = Path(__file__).parents[1] / "rlaios_core/environments/shell/projects/train"
_TARGET = 4.0


@dataclass(frozen=True)
class Sample:
    """One measured call: wall-clock and CPU seconds."""

    wall: float
    cpu: float


def project_files(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The sources and the visible tests of a benchmark project."""
    texts = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))
    }
    tests = {path: text for path, text in texts.items() if path.startswith("tests/")}
    return {path: text for path, text in texts.items() if not path.startswith(("tests/", "hidden/"))}, tests


def measured(call: Callable[[], object]) -> Sample:
    """Time one call; CPU is that of child processes that ended during it."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    call()
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Sample(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def cold(folder: Path, *, plugins: bool) -> None:
    """A fresh `python -m pytest -q`, with or without looking for the environment's installed ``plugins``."""
    environment = launch.clean_environment() | {"PYTHONPATH": str(folder)}
    if plugins:
        del environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)


def resident_bytes(pid: int) -> dict[str, int]:
    """Resident sizes of a server's processes, by role."""
    sizes = {}
    for role in ("guardian", "server"):
        status = Path(f"/proc/{pid}/status")
        if not status.exists():  # not Linux
            return {}
        line = next(line for line in status.read_text("ascii").splitlines() if line.startswith("VmRSS"))
        sizes[f"{role}RssBytes"] = int(line.split()[1]) << 10
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        if children:
            pid = int(children[0])
    return sizes


def milliseconds(samples: list[Sample]) -> dict[str, float]:
    """Median and minimum wall clock and median CPU, in milliseconds."""
    walls = [sample.wall for sample in samples]
    return {
        "wallMedianMs": round(1e3 * statistics.median(walls), 2),
        "wallMinMs": round(1e3 * min(walls), 2),
        "cpuMedianMs": round(1e3 * statistics.median(sample.cpu for sample in samples), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=15, help="turns of all variants (default 15)")
    parser.add_argument("--project", default="bank_ledger", help="folder name of a training project")
    options = parser.parse_args()
    folder = _PROJECTS / options.project
    if options.repetitions < 1 or not folder.is_dir():
        known = ", ".join(sorted(path.name for path in _PROJECTS.iterdir() if path.is_dir()))
        parser.error(f"need at least 1 repetition and one of these projects: {known}")
    files, tests = project_files(folder)
    ours: list[Sample] = []
    traced: list[Sample] = []
    plain: list[Sample] = []
    bare: list[Sample] = []
    with VerificationServer() as server, tempfile.TemporaryDirectory() as copy:
        for path, text in (files | tests).items():
            target = Path(copy, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")

        def verify(*, trace: bool = False) -> VerificationResult:
            return server.verify(files, tests, trace=trace)

        started = time.perf_counter()
        result = verify()
        start_seconds = time.perf_counter() - started
        verify()  # the second run meets code compiled after the first
        cold(Path(copy), plugins=True)
        for turn in range(options.repetitions):
            for trace, samples in ((False, ours), (True, traced)):
                before = time.perf_counter()
                result = verify(trace=trace)
                samples.append(Sample(time.perf_counter() - before, result.cpu_seconds))
            plain.append(measured(lambda: cold(Path(copy), plugins=True)))
            bare.append(measured(lambda: cold(Path(copy), plugins=False)))
            print(f"turn {turn + 1}: ours {1e3 * ours[-1].wall:.0f} ms, cold {1e3 * bare[-1].wall:.0f} ms")
        memory = resident_bytes(server.guardian_pid())
    passed = sum(report.outcome is TestOutcome.PASSED for report in result.reports.values())
    # The harder comparison: looking for plugins alone takes a second in an environment as large as ours.
    value, baseline = (statistics.median(sample.wall for sample in samples) for samples in (ours, bare))
    table = {
        "isolated, warm": milliseconds(ours),
        "isolated, warm, traced": milliseconds(traced),
        "cold pytest -q": milliseconds(plain),
        "cold pytest -q, plugins off": milliseconds(bare),
    }
    for name, figures in table.items():
        print(f"{name:28}", *(f"{key} {figure:8.1f}" for key, figure in figures.items()))
    summary = {
        "name": "verification",
        "value": value,
        "baseline": baseline,
        "ratio": baseline / value,
        "target": _TARGET,
        "ok": baseline / value >= _TARGET and passed == len(result.reports) > 0,
        "details": {
            "level": server.level.value,
            "project": options.project,
            "tests": len(result.reports),
            "passed": passed,
            "repetitions": options.repetitions,
            "firstCallSeconds": round(start_seconds, 3),
            "ratioWithPlugins": statistics.median(sample.wall for sample in plain) / value,
            "ratioCpu": statistics.median(sample.cpu for sample in bare)
            / statistics.median(sample.cpu for sample in ours),
            "runMaxRssBytes": result.max_rss_bytes,
            "loadAverage": os.getloadavg()[0],
            **memory,
            "variants": table,
        },
    }
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
