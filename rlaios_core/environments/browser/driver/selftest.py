"""`python -m rlaios_core.environments.browser.driver.selftest`: does the browser start and obey?

Prints one line with source, path, version and time; exit code 1 with one line that says what is wrong.
"""

import sys
import time
from urllib.parse import quote

from rlaios_core.environments.browser.driver.chromium import BrowserMissingError, Build
from rlaios_core.environments.browser.driver.errors import DriverError, DriverFailure
from rlaios_core.environments.browser.driver.generation import WorkerSettings
from rlaios_core.environments.browser.driver.seat import Seat
from rlaios_core.environments.browser.driver.worker import BrowserWorker

_PAGE = (
    "<title>t</title><label>Name <input id=n></label>"
    "<button onclick=\"document.title = document.getElementById('n').value\">Take</button>"
)


def self_test(settings: WorkerSettings | None = None) -> Build:
    """Launch, open a page, fill, click, look. Raises `BrowserMissingError` or `DriverError`."""
    worker = BrowserWorker(settings)
    try:
        build = worker.build
        with worker.seat(Seat(origins=("data://",))) as page:
            view = worker.run(page.open(f"data:text/html,{quote(_PAGE)}"), 15.0)
            field, button = view.look.controls
            worker.run(page.fill(field, "seen"), 10.0)
            title = worker.run(page.click(button), 10.0).look.title
        if title != "seen":
            raise DriverError(
                DriverFailure.BROWSER, f"{build.path or build.source} {build.version} does not obey"
            )
        return build
    finally:
        worker.close()


def main() -> int:
    """Run the test for a person or a script."""
    started = time.monotonic()
    try:
        build = self_test()
    except (BrowserMissingError, DriverError) as error:
        sys.stderr.write(f"browser: {error}\n")
        return 1
    sys.stdout.write(
        f"browser: {build.source} {build.path} {build.version}, {time.monotonic() - started:.1f} s\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
