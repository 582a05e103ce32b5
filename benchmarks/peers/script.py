"""The scripted solutions of the five compared tasks, from utterance and controls. Imported by every adapter.

A control is (reference, kind, name): kind is button, checkbox, text or password. The script gives steps:
("click", reference) or ("type", reference, text).
"""

import re

TASKS = ("click-button", "click-test-2", "enter-text", "login-user", "click-checkboxes")


def solution(task, utterance, controls):
    """The steps that solve the task."""
    quoted = re.findall(r'"([^"]*)"', utterance)
    if task == "click-button":
        return [("click", _named(controls, quoted[0]))]
    if task == "click-test-2":
        return [("click", _named(controls, "ONE"))]
    if task == "enter-text":
        return [("type", _kind(controls, "text")[0], quoted[0]), ("click", _named(controls, "Submit"))]
    if task == "login-user":
        return [
            ("type", _kind(controls, "text")[0], quoted[0]),
            ("type", _kind(controls, "password")[0], quoted[1]),
            ("click", _named(controls, "Login")),
        ]
    wanted = re.match(r"Select (.*) and click Submit", utterance).group(1)
    names = [] if wanted == "nothing" else wanted.split(", ")
    boxes = [("click", _named(controls, name, "checkbox")) for name in names]
    return [*boxes, ("click", _named(controls, "Submit"))]


def _named(controls, name, kind="button"):
    return next(ref for ref, k, n in controls if k == kind and n == name)


def _kind(controls, kind):
    return [ref for ref, k, _ in controls if k == kind]
