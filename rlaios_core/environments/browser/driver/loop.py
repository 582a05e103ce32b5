"""One event loop on one daemon thread, and a synchronous call into it that always returns.

Playwright's synchronous interface refuses to run inside an event loop (Jupyter, async tests, async ops)
and is bound to one thread; its calls into a page know no time limit. This gives both.
"""

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from rlaios_core.environments.browser.driver.errors import DriverError, DriverFailure
from rlaios_core.environments.browser.driver.patience import patient

T = TypeVar("T")
_LOST = "Connection closed"
_LAST_SECONDS = 0.1
_GRACE_SECONDS = 1.0
"""How much later than the loop's own bound the caller gives up on the loop itself."""


class LoopThread:
    """Runs coroutines for any number of threads."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_unheard)
        self._thread = threading.Thread(target=self._run, name="browser-loop", daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run `work` to its end. Raises `DriverError`: stuck when it takes more than `seconds`."""
        seconds = patient(seconds)
        if not self._thread.is_alive():
            work.close()
            raise DriverError(DriverFailure.CLOSED, "the browser worker is closed")
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, seconds), self._loop)
        try:
            return future.result(seconds + _GRACE_SECONDS)
        except (TimeoutError, concurrent.futures.TimeoutError) as error:
            future.cancel()
            raise DriverError(DriverFailure.STUCK, f"no answer within {seconds:g} s") from error
        except (asyncio.CancelledError, concurrent.futures.CancelledError) as error:
            raise DriverError(DriverFailure.CLOSED, "the browser worker was closed meanwhile") from error
        except Exception as error:
            if type(error) is Exception and _LOST in str(error):
                raise DriverError(DriverFailure.DRIVER, str(error)) from error
            raise

    def close(self) -> None:
        """Cancel what still runs and end the thread; what will not end is left to the process's end."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(2.0)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            pending = asyncio.all_tasks(self._loop)
            for task in pending:
                task.cancel()
            if pending:
                with contextlib.suppress(asyncio.TimeoutError):
                    self._loop.run_until_complete(asyncio.wait(pending, timeout=1.0))
            # Ended children are heard of by the loop; they would complain to a closed one.
            self._loop.run_until_complete(asyncio.sleep(_LAST_SECONDS))
        finally:
            self._loop.close()


def _unheard(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A driver that was killed leaves futures that nobody waits for any more: nothing to report."""
    if _LOST not in str(context.get("exception")):
        loop.default_exception_handler(context)
