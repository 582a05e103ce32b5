"""A person's own flows: described in YAML, checked before they are enabled, kept to their origins."""

from rlaios_core.environments.browser.flows.files import FlowError, load_flow, load_flows
from rlaios_core.environments.browser.flows.model import Flow, FlowStep

__all__ = ["Flow", "FlowError", "FlowStep", "load_flow", "load_flows"]
