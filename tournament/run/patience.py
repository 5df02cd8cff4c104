"""Patience with a database whose server is lost for a while: a restart, a network that fails."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TypeVar

from tournament.errors import StoreFailed, StoreLost

_log = logging.getLogger(__name__)

T = TypeVar("T")

LOST_TIME = 300.0
"""Seconds after which the database is given up."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds between two tries: each pause is twice as long as the one before, up to the longest."""


class Patience:
    """Tries again what the loss of the database has stopped. What it says, it says once for each loss, on the log."""

    def __init__(self) -> None:
        self.losses = 0
        """How often the database has been lost."""
        self._lost_at: float | None = None
        self._pause = FIRST_PAUSE

    async def __call__(self, work: Callable[[], T]) -> T:
        """Do some work with the store, again and again until the database is there.

        The work must bear to be done twice: it may have been stored although its answer was lost.
        """
        while True:
            try:
                result = work()
            except StoreLost as error:
                await self.wait(error)
            else:
                self.end()
                return result

    async def wait(self, error: StoreLost) -> None:
        """Wait a little before the next try. Raises :class:`StoreFailed` where it has taken too long."""
        now = time.monotonic()
        if self._lost_at is None:
            self.losses += 1
            self._lost_at, self._pause = now, FIRST_PAUSE
            _log.warning("%s; trying again for %.0f s", error, LOST_TIME)
        if now - self._lost_at > LOST_TIME:
            raise StoreFailed(f"{error}; it did not come back within {LOST_TIME:.0f} s") from error
        await asyncio.sleep(self._pause)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def end(self) -> None:
        """Take note that the database is there."""
        if self._lost_at is not None:
            _log.warning("the database is back after %.1f s", time.monotonic() - self._lost_at)
            self._lost_at = None
