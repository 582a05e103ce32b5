"""The worlds that browser tasks come from."""

from rlaios_core.environments.browser.worlds.base import Standing, TaskSource, World

__all__ = ["Standing", "TaskSource", "World"]
