"""Episodes per second of the orchestrator environment, against the same with a new sandbox for every request.

Both play the same training tasks by the same seeded random policy, in one run. CPU seconds are split into
programs (jobs, checks, the verifier), the work servers around them, and everything else (the environment and
the policy). Run it with `make bench-orchestrator-speed`; the last line is one JSON object.
"""

import argparse
import json
import os
import time
from collections.abc import Sequence

from rlaios_core.environments import Play
from rlaios_core.environments.conformance import RandomPolicy
from rlaios_core.environments.orchestrator.environment import OrchestratorEnvironment
from rlaios_core.environments.orchestrator.process_harness import ProcessHarness
from rlaios_core.environments.orchestrator.repairing import Repairer
from rlaios_core.environments.orchestrator.sources import GeneratedItems
from rlaios_core.environments.orchestrator.work.client import Program, Work, WorkPool, WorkServer, World
from rlaios_core.process_table import descendants, stat_fields
from rlaios_core.rollout import Assignment, RolloutSettings, play_all
from rlaios_core.schema import Episode, Split

TARGET = 10.0
"""Episodes per second on two cores."""
_TICKS = os.sysconf("SC_CLK_TCK")


class ColdPool(WorkPool):
    """A new sandboxed server, and with it a new interpreter, for every request."""

    def run(
        self,
        world: World,
        programs: Sequence[Program],
        *,
        keep: bool = True,
        wall_seconds: float | None = None,
    ) -> Work:
        """As the warm pool does, with nothing kept from the request before."""
        server = WorkServer(self.level)
        try:
            return server.run(world, programs, keep=keep, wall_seconds=wall_seconds)
        finally:
            server.close()


def server_cpu(guardians: Sequence[int]) -> tuple[float, float]:
    """CPU seconds of the servers themselves, and of the programs they ran."""
    own = programs = 0.0
    for guardian in guardians:
        for child in descendants(guardian):
            fields = stat_fields(child)
            if fields is None or int(fields[1]) != guardian:
                continue
            own += (int(fields[11]) + int(fields[12])) / _TICKS
            programs += (int(fields[13]) + int(fields[14])) / _TICKS
    return own, programs


def play(pool: WorkPool, count: int, concurrency: int) -> dict[str, float]:
    """Play `count` episodes; wall seconds, CPU seconds by place, and decisions."""
    repairer = Repairer()
    world = OrchestratorEnvironment(lambda: ProcessHarness(pool, repairer), GeneratedItems())
    tasks = [world.sample_task(Split.TRAIN, index, seed=11) for index in range(count)]
    assignments = [Assignment(task, Play("speed", 1, "random", task.index)) for task in tasks]
    settings = RolloutSettings(concurrency=concurrency)
    play_all(world, assignments[:2], {"random": RandomPolicy()}, settings)  # starts the servers
    before, started, here = server_cpu(pool.pids), time.perf_counter(), time.process_time()
    results = play_all(world, assignments, {"random": RandomPolicy()}, settings)
    wall, parent = time.perf_counter() - started, time.process_time() - here
    own, programs = (b - a for a, b in zip(before, server_cpu(pool.pids), strict=True))
    repairer.close()
    episodes = [result for result in results if isinstance(result, Episode)]
    return {
        "episodes": len(episodes),
        "faults": len(results) - len(episodes),
        "wall": wall,
        "parentCpu": parent,
        "serverCpu": own,
        "programCpu": programs,
        "decisions": sum(len(episode.trajectory) for episode in episodes) / len(episodes),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=88, help="episodes with warm servers")
    parser.add_argument("--cold-episodes", type=int, default=8, help="episodes with a new sandbox each time")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    pool = WorkPool(options.workers)
    warm = play(pool, options.episodes, concurrency=32)
    print("warm", {name: round(value, 2) for name, value in warm.items()})
    same = play(pool, options.cold_episodes, concurrency=8)
    pool.close()
    cold_pool = ColdPool(options.workers)
    cold = play(cold_pool, options.cold_episodes, concurrency=8)
    cold_pool.close()
    print("cold", {name: round(value, 2) for name, value in cold.items()})
    rate = warm["episodes"] / warm["wall"]
    outside = warm["parentCpu"] + warm["serverCpu"]
    cpu = outside + warm["programCpu"]
    result = {
        "name": "orchestrator-speed",
        "value": round(rate, 2),
        "baseline": round(cold["episodes"] / cold["wall"], 3),
        "ratio": round(cold["wall"] / same["wall"], 1),
        "target": TARGET,
        "ok": rate >= TARGET and not warm["faults"],
        "details": {
            "level": str(pool.level),
            "episodesPerCpuSecond": round(warm["episodes"] / cpu, 2),
            "shareOutsideSubprocesses": round(outside / cpu, 3),
            "decisionsPerEpisode": round(warm["decisions"], 2),
            "warm": {name: round(value, 3) for name, value in warm.items()},
            "cold": {name: round(value, 3) for name, value in cold.items()},
            "loadAverage": os.getloadavg()[0],
        },
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
