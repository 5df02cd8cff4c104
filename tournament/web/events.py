"""Live events: a line to every open page whenever the results of its tournament have changed."""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool

from tournament.store.listing import Change, change_of
from tournament.store.tournaments import find_tournament
from tournament.web.site import Site

LOOK_TIME = 1.0
"""Seconds between two looks at the store."""

BEAT_LOOKS = 15
"""After so many looks without news a comment is sent, so that a reader that has gone is noticed."""

MOST_READERS = 200


class Readers:
    """Who listens to the events of one server."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._count = 0

    @property
    def full(self) -> bool:
        """Whether no more are taken."""
        return self._count >= MOST_READERS

    async def listen(self, name: str) -> AsyncIterator[str]:
        """Yield an event whenever results were added or taken out, or the tournament has ended or goes on.

        An event has the key of the newest match in the store and whether the tournament is finished: no result and no
        card.
        """
        self._count += 1
        try:
            told: tuple[Change, bool] | None = None
            looks = 0
            while True:
                change = await run_in_threadpool(change_of, self._site.store)
                if told is None or change != told[0] or looks % BEAT_LOOKS == 0:
                    finished = (await run_in_threadpool(find_tournament, self._site.store, name)).finished
                    if told != (change, finished):
                        told = (change, finished)
                        data = json.dumps({"newest": change.matches, "finished": finished})
                        yield f"event: results\ndata: {data}\n\n"
                    else:
                        yield ": nothing new\n\n"
                looks += 1
                await asyncio.sleep(LOOK_TIME)
        finally:
            self._count -= 1
