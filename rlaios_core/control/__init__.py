"""The control plane: campaigns, epochs, verdicts, lineage, replay. Rules are pure, effects at the edge."""

from rlaios_core.control.campaign_controller import CampaignController
from rlaios_core.control.checkpoint_registry import Retention
from rlaios_core.control.doctor import Diagnosis, examine
from rlaios_core.control.errors import CampaignError, ControlError, LeaseError, StoreError, TransitionError
from rlaios_core.control.events import GateFinding
from rlaios_core.control.history import Evidence, Reign
from rlaios_core.control.reports import (
    BenchmarkReport,
    CandidateReport,
    CandidateStatus,
    CollectionReport,
    EnvironmentBenchmark,
    LaneReport,
    PointerMove,
    PromotionReport,
    Stage,
)
from rlaios_core.control.settings import (
    CampaignSettings,
    ComparisonSettings,
    ReplaySettings,
    RetentionSettings,
    RewardSettings,
    RolloutLimits,
)
from rlaios_core.control.stages.desk import Progress, silent
from rlaios_core.control.state import ControlState, Mode, PendingRollback
from rlaios_core.control.workspace import Workspace

__all__ = [
    "BenchmarkReport",
    "CampaignController",
    "CampaignError",
    "CampaignSettings",
    "CandidateReport",
    "CandidateStatus",
    "CollectionReport",
    "ComparisonSettings",
    "ControlError",
    "ControlState",
    "Diagnosis",
    "EnvironmentBenchmark",
    "Evidence",
    "GateFinding",
    "LaneReport",
    "LeaseError",
    "Mode",
    "PendingRollback",
    "PointerMove",
    "Progress",
    "PromotionReport",
    "Reign",
    "ReplaySettings",
    "Retention",
    "RetentionSettings",
    "RewardSettings",
    "RolloutLimits",
    "Stage",
    "StoreError",
    "TransitionError",
    "Workspace",
    "examine",
    "silent",
]
