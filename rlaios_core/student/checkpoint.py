"""Checkpoint files: weights, optimiser, random state and counters in one safetensors file.

The file's header says what made it; the id is the hash of the file's content, so a file that was
altered, cut or exchanged does not load. Written to a temporary name, fsynced and renamed.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from rlaios_core.files import write_whole
from rlaios_core.schema import SCHEMA_VERSION, CheckpointRecord
from rlaios_core.student.network import StudentNetwork, StudentSettings
from rlaios_core.student.policy import Student
from rlaios_core.student.text import FEATURE_VERSION

_PREFIX = "ck-"
_WEIGHTS = "weights."
_OPTIMISER = "optimiser."


class CheckpointError(Exception):
    """A checkpoint is missing, corrupt or of another version; the message names the file and the mend."""


@dataclass(frozen=True)
class Checkpoint:
    """A student with everything that an exact continuation needs.

    `optimiser` holds Adam's moments per parameter, by "<parameter>.<moment>"; `counters` at least
    `updates` (gradient steps taken so far) and `epochs`.
    """

    student: Student
    settings: StudentSettings
    optimiser: Mapping[str, torch.Tensor] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)


def new_checkpoint(settings: StudentSettings, seed: int) -> Checkpoint:
    """An untrained student; equal settings and seed give equal weights."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = StudentNetwork(settings)
    return Checkpoint(Student(network, settings), settings, {}, {"updates": 0, "epochs": 0})


def weights_hash(checkpoint: Checkpoint) -> str:
    """Hash of the weights alone (hex, 16 digits): equal exactly when the students are equal."""
    digest = hashlib.sha256()
    for name, tensor in sorted(checkpoint.student.network.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]


def checkpoint_id_of(content: bytes) -> str:
    """The id of a checkpoint file with this content."""
    return _PREFIX + hashlib.sha256(content).hexdigest()[:16]


def save_checkpoint(
    directory: Path, checkpoint: Checkpoint, *, parent: str | None, campaign: str, epoch: int
) -> CheckpointRecord:
    """Write the checkpoint and return its record. Raises `CheckpointError` when the disk refuses."""
    header = {
        "schema_version": SCHEMA_VERSION,
        "feature_version": FEATURE_VERSION,
        "settings": checkpoint.settings.to_json(),
        "parent": parent,
        "campaign": campaign,
        "epoch": epoch,
        "counters": dict(checkpoint.counters),
    }
    tensors = {
        **{_WEIGHTS + name: value for name, value in checkpoint.student.network.state_dict().items()},
        **{_OPTIMISER + name: value for name, value in checkpoint.optimiser.items()},
    }
    content = save(
        {name: tensors[name].contiguous() for name in sorted(tensors)},
        metadata={"rlaios": json.dumps(header, sort_keys=True)},
    )
    checkpoint_id = checkpoint_id_of(content)
    path = directory / f"{checkpoint_id}.safetensors"
    _write(path, content)
    return CheckpointRecord(
        checkpoint_id=checkpoint_id,
        parent=parent,
        campaign=campaign,
        epoch=epoch,
        path=str(path),
        size_bytes=len(content),
        weights_hash=weights_hash(checkpoint),
    )


def load_checkpoint(path: Path, checkpoint_id: str) -> Checkpoint:
    """Read a checkpoint whose content hashes to `checkpoint_id`. Raises `CheckpointError` otherwise."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(
            f"checkpoint {checkpoint_id} cannot be read from {path} ({error.strerror}): "
            "restore the file from a backup, or roll back to another checkpoint"
        ) from error
    if checkpoint_id_of(content) != checkpoint_id:
        raise CheckpointError(
            f"checkpoint file {path} is corrupt (its content is not that of {checkpoint_id}): "
            "restore it from a backup, or roll back to another checkpoint"
        )
    try:
        with safe_open(path, framework="pt") as file:
            header = json.loads((file.metadata() or {})["rlaios"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    except (SafetensorError, KeyError, ValueError) as error:
        raise CheckpointError(f"{path} is not a checkpoint of this program: {error}") from error
    return _rebuild(path, header, tensors)


def _rebuild(path: Path, header: dict[str, Any], tensors: Mapping[str, torch.Tensor]) -> Checkpoint:
    for name, known in (("schema_version", SCHEMA_VERSION), ("feature_version", FEATURE_VERSION)):
        if header[name] != known:
            raise CheckpointError(
                f"{path} has {name} {header[name]}, this program reads {known}: "
                "use the program version that wrote it, or train anew"
            )
    settings = StudentSettings.model_validate(header["settings"])
    network = StudentNetwork(settings)
    network.load_state_dict(
        {n.removeprefix(_WEIGHTS): t for n, t in tensors.items() if n.startswith(_WEIGHTS)}
    )
    optimiser = {n.removeprefix(_OPTIMISER): t for n, t in tensors.items() if n.startswith(_OPTIMISER)}
    return Checkpoint(Student(network, settings), settings, optimiser, header["counters"])


def _write(path: Path, content: bytes) -> None:
    try:
        write_whole(path, content)
    except OSError as error:
        raise CheckpointError(
            f"cannot write checkpoint {path} ({error.strerror}): "
            "free space or mend the folder, then start again"
        ) from error
