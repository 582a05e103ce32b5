"""One PPO trainer: from a sealed batch of verified episodes to the next checkpoint."""

from rlaios_core.trainer.experience import Experience, UnusableExperienceError
from rlaios_core.trainer.online import train_online
from rlaios_core.trainer.ppo import NonFiniteUpdateError, StaleBatchError, UpdateReport
from rlaios_core.trainer.settings import PpoSettings

__all__ = [
    "Experience",
    "NonFiniteUpdateError",
    "PpoSettings",
    "StaleBatchError",
    "UnusableExperienceError",
    "UpdateReport",
    "train_online",
]
