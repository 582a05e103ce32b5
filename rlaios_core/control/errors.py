"""What the control plane refuses, each as one clear line."""


class ControlError(Exception):
    """Base of every error that the control plane raises on purpose."""


class CampaignError(ControlError):
    """A request that does not fit the campaign's settings or state."""


class StoreError(ControlError):
    """The database or a stored file is missing, corrupt, locked or full; names the file and the mend."""


class LeaseError(ControlError):
    """Another process is writing to the campaign; names its owner."""


class TransitionError(ControlError):
    """An event that may not follow the state it was offered to."""
