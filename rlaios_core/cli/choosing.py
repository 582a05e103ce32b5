"""Which campaign and which checkpoint a command means."""

from rlaios_core.cli.errors import CliError
from rlaios_core.control import CampaignController
from rlaios_core.schema import Pointer


def choose_campaign(controller: CampaignController, name: str | None, preferred: str | None = None) -> str:
    """The campaign called `name`; without a name the preferred one, or the only one."""
    known = controller.campaigns()
    if name is not None:
        if name not in known:
            raise CliError(f"there is no campaign {name!r}; {_known(known)}")
        return name
    if preferred in known and preferred is not None:
        return preferred
    if len(known) != 1:
        raise CliError(f"say which campaign with --campaign; {_known(known)}")
    return known[0]


def choose_checkpoint(controller: CampaignController, campaign: str, checkpoint: str) -> str:
    """The checkpoint that a pointer names, or the id itself."""
    if checkpoint not in [pointer.value for pointer in Pointer]:
        return checkpoint
    lineage = controller.state(campaign).lineage
    chosen: str | None = getattr(lineage, checkpoint)
    if chosen is None:
        raise CliError(f"campaign {campaign}: {checkpoint} names no checkpoint yet; use --checkpoint active")
    return chosen


def _known(known: list[str]) -> str:
    if not known:
        return "none was opened yet: start with `rlaios campaign` or `rlaios shell train`"
    return f"there are: {', '.join(known)}"
