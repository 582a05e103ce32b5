"""Dagster's real UI in a real browser: what an operator sees of a campaign with a rollback behind it.

`scripts/screenshots` keeps the pictures for the documentation; otherwise they go with the test.
"""

import os
import shutil
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import dagster as dg
import pytest

from rlaios_core.environments import registry
from rlaios_core.schema import Split
from rlaios_pipeline.runner import DagsterRunner
from tests.pipeline.conftest import tiny_settings
from tests.pipeline.daemons import PATIENCE, Site

playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
FOLDER = "RLAIOS_SCREENSHOTS"
SHOWN = 90.0
"""Seconds after which a text that is not on the page will not come."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(4 * PATIENCE),
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian: apt-get install chromium)"),
]


class Screens(NamedTuple):
    """A browser before the UI."""

    page: Any
    url: str
    site: Site
    folder: Path

    def show(self, path: str, *texts: str, name: str, click: str | None = None) -> None:
        """Open a page, wait until it shows these texts, keep a picture of it."""
        self.page.goto(self.url + path, timeout=PATIENCE * 1000)
        if click is not None:
            self.page.get_by_text(click, exact=True).first.click(timeout=PATIENCE * 1000)
        for text in texts:
            try:
                self.page.get_by_text(text).first.wait_for(timeout=SHOWN * 1000)
            finally:
                self.page.screenshot(path=self.folder / f"{name}.png")
        # Graphs and charts are drawn after their texts are there.
        self.page.wait_for_timeout(3000)
        self.page.screenshot(path=self.folder / f"{name}.png")


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screens]:
    folder = tmp_path_factory.mktemp("screens")
    site = Site(folder / "site")
    a_campaign_with_a_rollback(site)
    pictures = Path(os.environ.get(FOLDER) or folder)
    pictures.mkdir(parents=True, exist_ok=True)
    port = free_port()
    arguments = ["-m", "dagster_webserver", "-h", "127.0.0.1", "-p", str(port), "-w", str(site.workspace)]
    with site.process("webserver", arguments), playwright.sync_playwright() as driver:
        url = f"http://127.0.0.1:{port}"
        site.until(lambda: answers(f"{url}/server_info"), "the web server answers")
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
        yield Screens(page, url, site, pictures)
        browser.close()


def a_campaign_with_a_rollback(site: Site) -> None:
    """Four epochs as recorded runs, with held-out measurements and a rollback that a person called for."""
    settings = tiny_settings().model_copy(update={"epochs": 4, "episodes_per_epoch": 24})
    with site.controller() as controller, site.instance() as instance:
        runner = DagsterRunner(controller, instance)
        runner.open_campaign(settings)
        first = controller.state("alpha").lineage.active
        runner.measure_checkpoint("alpha", "untrained", first, Split.FINAL, 12, lambda *_: None)
        for epoch in range(1, 5):
            runner.run_epoch("alpha", monitoring=False, progress=lambda *_: None)
            if epoch == 3:
                runner.run_rollback("alpha", requested=True, reason="it stops before it has looked")


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        time.sleep(0.5)
        return False


def rollback_run(site: Site) -> str:
    with site.instance() as instance:
        (run,) = instance.get_runs(dg.RunsFilter(job_name="rollback"))
        return str(run.run_id)


def test_the_launch_form_shows_the_sections(screens: Screens) -> None:
    screens.show(
        "/locations/rlaios/jobs/open_campaign/playground",
        "budget", "comparison", "learning_rate", "settings_json",
        name="launch_form",
    )  # fmt: skip


def test_the_asset_graph_shows_the_epoch(screens: Screens) -> None:
    # The graph cuts long names in the middle.
    names = [f"_{name}" for name in registry.names()]
    screens.show(
        "/locations/rlaios/asset-groups/epoch/lineage",
        "benchmark", *names, "comparison", "candidate", "promotion",
        name="asset_graph",
    )  # fmt: skip


def test_a_pointer_s_page_tells_who_it_was_when_and_why(screens: Screens) -> None:
    screens.show(
        "/assets/policy/active?view=partitions&partition=alpha",
        "rolled back; weights verified", "campaign opened with an untrained student",
        name="lineage", click="[Show Markdown]",
    )  # fmt: skip


def test_the_gates_are_listed_with_the_promotion(screens: Screens) -> None:
    screens.show("/assets/promotion?view=checks", "coverage", "shell_safety", "holdout", name="gates")


def test_a_rollback_s_run_tells_what_it_restored(screens: Screens) -> None:
    screens.show(f"/runs/{rollback_run(screens.site)}", "restore_weights", "Success", name="rollback_run")
