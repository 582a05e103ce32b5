"""One process per seed: what the learning benchmarks share.

A benchmark calls itself again with its own arguments and `--one SEED --out FILE`; that process writes the
seed's results, and the first one reads them all.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any


def add_options(parser: argparse.ArgumentParser, *, jobs: int) -> None:
    """`--seeds`, `--first-seed`, `--jobs` (by default `jobs`) and `--out`."""
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=jobs, help="seeds at a time")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help="folder for the raw results")


def run_all(
    module: str, sizes: argparse.Namespace, run_seed: Callable[[int, argparse.Namespace, Path], None]
) -> list[dict[str, Any]] | None:
    """Every seed's results, in order. In a seed's own process: run it, and return `None`."""
    if sizes.one is not None:
        run_seed(sizes.one, sizes, sizes.out)
        return None
    folder = sizes.out or Path(tempfile.mkdtemp(prefix="rlaios-learning-"))
    folder.mkdir(parents=True, exist_ok=True)

    def in_process(seed: int) -> dict[str, Any]:
        out = folder / f"seed-{seed}.json"
        command = [sys.executable, "-m", module, *sys.argv[1:], "--one", str(seed), "--out", str(out)]
        subprocess.run(command, check=True, stdout=sys.stderr)
        found: dict[str, Any] = json.loads(out.read_text())
        return found

    with ThreadPoolExecutor(sizes.jobs) as threads:
        return list(threads.map(in_process, range(sizes.first_seed, sizes.first_seed + sizes.seeds)))
