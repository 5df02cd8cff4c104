"""Real bot processes at tables of a referee in this process, for tests of bots that behave."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import uvloop

from cardpit.games import Value, find_game
from referee.orders import MatchReport, Player
from referee.room import play_room
from rooms import BOTS, Hosted, make_room


def sdk_bot(name: str) -> Player:
    """A bot of ``tests/bots/sdk_bots.py``."""
    return script(BOTS / "sdk_bots.py", name)


def script(path: Path, *arguments: str) -> Player:
    """A Python file as a bot."""
    return Player(arguments[0] if arguments else path.stem, 0, "", path.parent, ("python", path.name, *arguments))


def play_bots(players: Sequence[Player], parameters: Mapping[str, Value] | None = None, **options: object) -> Hosted:
    """Play a room of these bots to its end. ``options`` are those of :func:`rooms.make_room`."""
    room = make_room(["honest"] * len(players), **{"bank_time": 10.0, **options})  # type: ignore[arg-type]
    room = replace(room, players=tuple(players), parameters=find_game(room.game).settle(parameters))
    reports: list[MatchReport] = []
    done = uvloop.run(asyncio.wait_for(play_room(room, reports.append), 60))
    return reports, done
