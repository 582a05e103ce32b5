"""The one trainable policy: text features, network, policy, checkpoint files."""

from rlaios_core.student.checkpoint import (
    Checkpoint,
    CheckpointError,
    checkpoint_id_of,
    load_checkpoint,
    new_checkpoint,
    save_checkpoint,
    weights_hash,
)
from rlaios_core.student.network import StudentSettings
from rlaios_core.student.policy import Evaluation, NonFiniteOutputError, Student

__all__ = [
    "Checkpoint",
    "CheckpointError",
    "Evaluation",
    "NonFiniteOutputError",
    "Student",
    "StudentSettings",
    "checkpoint_id_of",
    "load_checkpoint",
    "new_checkpoint",
    "save_checkpoint",
    "weights_hash",
]
