"""MiniWoB++'s own Selenium environment on the compared tasks: `selenium_side.py EPISODES` prints JSON."""

import json
import sys
import time
from pathlib import Path

import gymnasium
import miniwob
from miniwob.action import ActionTypes

sys.path.insert(0, str(Path(__file__).parent))
from script import TASKS, solution

gymnasium.register_envs(miniwob)


def controls(observation):
    """The elements as the script wants them. A checkbox is called by the text beside it."""
    found, elements = [], observation["dom_elements"]
    for element in elements:
        tag, text = element["tag"], element["text"]
        if tag == "button" or tag == "input_button":
            found.append((element["ref"], "button", text or str(element["value"])))
        elif tag in ("input_text", "input_password"):
            found.append((element["ref"], tag.removeprefix("input_"), ""))
        elif tag == "input_checkbox":
            top = element["top"][0]
            beside = [
                e for e in elements if e["tag"] in ("label", "t") and abs(e["top"][0] - top) < 8 and e["text"]
            ]
            found.append((element["ref"], "checkbox", beside[0]["text"] if beside else ""))
    return found


def main() -> None:
    """Play every task with the seeds 0, 1, ..."""
    episodes = int(sys.argv[1])
    result = {"resets": [], "steps": [], "successes": 0, "episodes": 0}
    for task in TASKS:
        env = gymnasium.make(f"miniwob/{task}-v1")
        env.reset(seed=0, options={"record_screenshots": False})
        for seed in range(episodes):
            begun = time.perf_counter()
            observation, _ = env.reset(seed=seed, options={"record_screenshots": False})
            result["resets"].append(time.perf_counter() - begun)
            reward = 0.0
            for step in solution(task, observation["utterance"], controls(observation)):
                kind = (
                    ActionTypes.CLICK_ELEMENT
                    if step[0] == "click"
                    else ActionTypes.FOCUS_ELEMENT_AND_TYPE_TEXT
                )
                more = {"text": step[2]} if step[0] == "type" else {}
                action = env.unwrapped.create_action(kind, ref=step[1], **more)
                begun = time.perf_counter()
                observation, reward, *_ = env.step(action)
                result["steps"].append(time.perf_counter() - begun)
            result["episodes"] += 1
            result["successes"] += int(reward > 0)
        env.close()
    print(json.dumps(result))


main()
