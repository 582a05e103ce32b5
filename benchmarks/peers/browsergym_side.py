"""BrowserGym on the compared tasks, delays set to 0: `browsergym_side.py EPISODES BROWSER` prints JSON.

MINIWOB_URL names the served pages. BROWSER is the executable for both browsers that it launches.
"""

import json
import re
import sys
import time
from pathlib import Path

import browsergym.miniwob  # noqa: F401
import gymnasium
from browsergym.utils.obs import flatten_axtree_to_str
from playwright.sync_api import BrowserType

sys.path.insert(0, str(Path(__file__).parent))
from script import TASKS, solution

_LINE = re.compile(r"\[(\w+)\] (button|checkbox|textbox) '([^']*)'")
_launch = BrowserType.launch


def launch(self, **options):
    """The chat window launches a second browser without asking which."""
    options["executable_path"] = sys.argv[2]
    return _launch(self, **options)


BrowserType.launch = launch


def controls(task, observation):
    """The controls as the script wants them; the second text field of a login is the password."""
    text = flatten_axtree_to_str(observation["axtree_object"])
    found = []
    for ref, role, name in _LINE.findall(text):
        kind = "text" if role == "textbox" else role
        if task == "login-user" and kind == "text" and any(k == "text" for _, k, _ in found):
            kind = "password"
        found.append((ref, kind, name))
    return found


def main() -> None:
    """Play every task with the seeds 0, 1, ..."""
    episodes = int(sys.argv[1])
    result = {"resets": [], "steps": [], "successes": 0, "episodes": 0}
    for task in TASKS:
        env = gymnasium.make(
            f"browsergym/miniwob.{task}", headless=True, slow_mo=0, pre_observation_delay=0.0,
            wait_for_user_message=False,
        )  # fmt: skip
        for seed in range(episodes):
            begun = time.perf_counter()
            observation, _ = env.reset(seed=seed)
            result["resets"].append(time.perf_counter() - begun)
            reward = 0.0
            for step in solution(task, observation["goal"], controls(task, observation)):
                action = f"click('{step[1]}')" if step[0] == "click" else f"fill('{step[1]}', '{step[2]}')"
                begun = time.perf_counter()
                observation, reward, *_ = env.step(action)
                result["steps"].append(time.perf_counter() - begun)
            result["episodes"] += 1
            result["successes"] += int(reward > 0)
        env.close()
    print(json.dumps(result))


main()
