"""The bundled site: a small real web application whose server knows what really happened."""

from rlaios_core.environments.browser.site.families import FAMILIES, SHARES, open_scenario
from rlaios_core.environments.browser.site.scenario import Scenario
from rlaios_core.environments.browser.site.server import HEADER, SiteServer
from rlaios_core.environments.browser.site.spec import SiteSpec, draw_spec

__all__ = ["FAMILIES", "HEADER", "SHARES", "Scenario", "SiteServer", "SiteSpec", "draw_spec", "open_scenario"]
