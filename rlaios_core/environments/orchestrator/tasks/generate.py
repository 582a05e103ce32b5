"""From a position to a work item: template, wording, family, distractions and intake, all by seed."""

import json
import random
from typing import Any

from rlaios_core.environments.orchestrator.items import Ability, Check, Executor, WorkItem
from rlaios_core.environments.orchestrator.tasks import templates, wording
from rlaios_core.environments.orchestrator.tasks.draft import Draft
from rlaios_core.environments.orchestrator.tasks.families import FAMILIES, Scene, distract
from rlaios_core.environments.orchestrator.worlds import world_files
from rlaios_core.schema import Split, derive_seed

EXECUTORS = (
    Executor(name="local", ability=Ability.PLAIN, cost=1.0),
    Executor(name="dry-run", ability=Ability.PREVIEW, cost=1.0),
    Executor(name="subagent", ability=Ability.CAPABLE, cost=4.0),
    Executor(name="human", ability=Ability.PERSON, cost=6.0),
)
_SMALLEST_QUOTA = 1_000
_QUOTA = ', "quota": 12345'
"""What a quota adds to the settings' file."""
CHECKS = tuple(
    Check(name=name, run=(name,)) for name in ("policy", "diff", "auth", "deps", "disk", "lint", "history")
)


def generate_item(split: Split, index: int, seed: int) -> WorkItem:
    """The item at a position: families come in turn, so that every stretch of positions has them all.

    Raises `KeyError` for a split that has no templates.
    """
    names = sorted(FAMILIES)
    order = random.Random(derive_seed("orchestrator", "order", seed, split.value, index // len(names)))
    family = order.sample(names, len(names))[index % len(names)]
    rng = random.Random(derive_seed("orchestrator", seed, split.value, index))
    template = templates.draw(split, rng)
    words = wording.draw(split, rng)
    draft = Draft(split, template.steps, rng.choice(template.nouns), rng)
    scene = Scene(draft, words)
    FAMILIES[family](scene)
    distract(scene)
    draft.settle_names()
    return _item(scene, template, family, rng)


def _item(scene: Scene, template: templates.Template, family: str, rng: random.Random) -> WorkItem:
    draft = scene.draft
    noise = wording.some(draft.split, "noise", rng.randrange(0, 3), rng)
    files = {**draft.files, "etc/wording.json": json.dumps({**scene.words, "noise": noise})}
    files["etc/item.json"] = json.dumps(_settings(draft, draft.protected))
    item = WorkItem(
        name=draft.subject,
        template=template.name,
        family=family,
        instruction=scene.words["ticket"].format(item=template.name, subject=draft.subject),
        intake=_intake(scene, rng),
        files=files,
        databases={path: tuple(statements) for path, statements in draft.databases.items()},
        archives=draft.archives,
        service=draft.service,
        jobs=tuple(draft.jobs),
        checks=CHECKS,
        executors=EXECUTORS,
        expect=tuple(draft.expect),
        tests=tuple(draft.tests),
        guards=tuple(draft.guards),
        needs=tuple(draft.needs),
        budget=scene.budget,
        source=draft.source,
        look_alikes=tuple(_look_alike(draft, files, change) for change in scene.look_alikes),
        order=rng.randrange(2**31),
    )
    return item if draft.quota is None else _nearly_full(item, files, draft)


def _nearly_full(item: WorkItem, files: dict[str, str], draft: Draft) -> WorkItem:
    """The item with a quota that its world uses up but for `draft.quota` bytes."""
    used = sum(len(content) for content in world_files(item).values())
    draft.quota = used + len(_QUOTA) + (draft.quota or 0)
    changed = {**files, "etc/item.json": json.dumps(_settings(draft, draft.protected))}
    return item.model_copy(update={"files": changed})


def _settings(draft: Draft, protected: list[str]) -> dict[str, Any]:
    known: dict[str, Any] = {"name": draft.subject, "protected": protected, "writes": draft.writes}
    return known if draft.quota is None or draft.quota < _SMALLEST_QUOTA else {**known, "quota": draft.quota}


def _look_alike(draft: Draft, files: dict[str, str], change: dict[str, Any]) -> dict[str, Any]:
    """A look-alike's changes as fields of an item."""
    found = {name: value for name, value in change.items() if name != "protect"}
    merged = {**files, **change.get("files", {})}
    if "protect" in change:
        merged["etc/item.json"] = json.dumps(_settings(draft, change["protect"]))
    return {**found, "files": merged}


def _intake(scene: Scene, rng: random.Random) -> tuple[str, ...]:
    """What is known at the start, in any order; what it means is for checks to find out."""
    draft = scene.draft
    lines = [
        f"jobs:{len(draft.jobs)} {' then '.join(job.run[0] for job in draft.jobs)}",
        f"last_run:{scene.last_run} behind:{scene.behind}",
        f"scope:{'shared' if scene.shared else 'own'}",
        f"notices:{len(draft.service['notices'])}",
    ]
    lines += wording.some(draft.split, "chatter", rng.randrange(0, 3), rng)
    rng.shuffle(lines)
    return tuple(lines)
