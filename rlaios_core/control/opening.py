"""Opening campaigns, and stopping and restarting them by hand."""

from rlaios_core.control.errors import CampaignError
from rlaios_core.control.events import CampaignOpened, CampaignPaused, FreezeLifted
from rlaios_core.control.settings import CampaignSettings
from rlaios_core.control.stages.collection import campaign_teacher
from rlaios_core.control.stages.desk import Desk
from rlaios_core.control.state import ControlState, Mode
from rlaios_core.schema import content_hash


def open_campaign(desk: Desk, settings: CampaignSettings) -> ControlState:
    """Open a campaign with an untrained student, or find it open with equal settings."""
    campaign_teacher(settings)
    if settings.name in desk.store.campaigns():
        return _reopen(desk, settings)
    record = desk.learner.create(desk.registry.directory, settings)
    desk.registry.publish(record)
    event = CampaignOpened(
        campaign=settings.name,
        epoch=0,
        checkpoint_id=record.checkpoint_id,
        environments=settings.environments,
        rules=settings.comparison,
        settings_hash=content_hash(_identity(settings)),
    )
    with desk.store.writing(settings.name) as connection:
        desk.store.put_settings(connection, settings)
        desk.registry.register(connection, record)
        return desk.store.append(connection, event)


def _reopen(desk: Desk, settings: CampaignSettings) -> ControlState:
    known = desk.store.settings(settings.name)
    before, now = _identity(known), _identity(settings)
    if before != now:
        differing = ", ".join(sorted(name for name in before if before[name] != now[name]))
        raise CampaignError(
            f"campaign {settings.name!r} was opened with other settings ({differing}): "
            "use those, or choose another name"
        )
    if settings.epochs != known.epochs:
        with desk.store.writing(settings.name) as connection:
            desk.store.put_settings(connection, settings)
    return desk.store.state(settings.name)


def _identity(settings: CampaignSettings) -> dict[str, object]:
    """What makes a campaign what it is: everything but how long it runs."""
    return settings.model_copy(update={"epochs": 1}).to_json()


def pause(desk: Desk, campaign: str, reason: str) -> ControlState:
    """Stop a running campaign between epochs."""
    state = desk.store.state(campaign)
    if state.mode is not Mode.RUNNING:
        raise CampaignError(f"campaign {campaign!r} is {state.mode.value} already")
    if state.open_epoch is not None:
        raise CampaignError(f"an epoch of campaign {campaign!r} is under way: finish it first")
    event = CampaignPaused(campaign=campaign, epoch=state.epoch, ordinal=state.stops, reason=reason)
    with desk.store.writing(campaign) as connection:
        return desk.store.append(connection, event)


def unfreeze(desk: Desk, campaign: str, reason: str, *, retry_rollback: bool) -> ControlState:
    """Let a paused or frozen campaign go on."""
    state = desk.store.state(campaign)
    if state.mode not in (Mode.PAUSED, Mode.FROZEN_FAILURE):
        raise CampaignError(f"campaign {campaign!r} is {state.mode.value}: there is nothing to lift")
    event = FreezeLifted(
        campaign=campaign,
        epoch=state.epoch,
        ordinal=state.stops,
        reason=reason,
        retry_rollback=retry_rollback,
    )
    with desk.store.writing(campaign) as connection:
        return desk.store.append(connection, event)
