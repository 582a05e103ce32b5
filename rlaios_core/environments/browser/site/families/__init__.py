"""The twelve flow families of the bundled site."""

from collections.abc import Mapping

from rlaios_core.environments.browser.site.families.challenge import Challenge
from rlaios_core.environments.browser.site.families.connect import Connect
from rlaios_core.environments.browser.site.families.find import Find
from rlaios_core.environments.browser.site.families.order import Order
from rlaios_core.environments.browser.site.families.preferences import Preferences
from rlaios_core.environments.browser.site.families.profile import Profile
from rlaios_core.environments.browser.site.families.publish import Publish
from rlaios_core.environments.browser.site.families.session import Session
from rlaios_core.environments.browser.site.families.sign_in import SignIn
from rlaios_core.environments.browser.site.families.sign_up import SignUp
from rlaios_core.environments.browser.site.families.table_row import TableRow
from rlaios_core.environments.browser.site.families.trouble import TroubleMet
from rlaios_core.environments.browser.site.scenario import Scenario
from rlaios_core.environments.browser.site.spec import SiteSpec

FAMILIES: Mapping[str, type[Scenario]] = {
    scenario.family: scenario
    for scenario in (
        SignIn, SignUp, Profile, Publish, Order, Find, Preferences, TableRow, Session, Challenge, TroubleMet,
        Connect,
    )
}  # fmt: skip
"""Family name -> its scenario."""

SHARES = tuple((name, scenario.handoff_share) for name, scenario in FAMILIES.items())
"""Families with the share of their tasks that rightly end in a hand-off."""


def open_scenario(spec: SiteSpec) -> Scenario:
    """A fresh scenario of the spec: equal specs give equal ones."""
    return FAMILIES[spec.family](spec)
