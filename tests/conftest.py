"""Fixtures that tests of every package share."""

import asyncio
import os

import pytest
import uvloop

from referee.orders import MatchReport
from referee.room import play_room
from rooms import Hosted, HostRoom, make_room

# The tests must not write to the database of whoever runs them.
os.environ.pop("CARDPIT_DATABASE_URL", None)


@pytest.fixture
def host() -> HostRoom:
    """Plays a room to its end, in this process, with real bot processes."""

    def play(*bots: str, **options: object) -> Hosted:
        reports: list[MatchReport] = []
        room = make_room(bots or ("honest", "honest"), **options)  # type: ignore[arg-type]
        done = uvloop.run(asyncio.wait_for(play_room(room, reports.append), 60))
        return reports, done

    return play
