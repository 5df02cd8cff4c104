"""Persons at tables: as many as this server bears, each match in a process of its own, kept when it has ended."""

import asyncio
import logging
import secrets
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from anyio import CancelScope
from starlette.concurrency import run_in_threadpool

from cardpit import TimeControl
from cardpit.games import find_game
from cardpit.games.seeds import SEED_SIZE
from referee.clock import default_strikes
from referee.orders import Board, Conduct, MatchReport, Player, Room
from referee.worker import read_frame, write_frame
from tournament.errors import BadHome, Failure, WrongUse
from tournament.home import Home
from tournament.registry import player_of
from tournament.store.accounts import User
from tournament.store.bots import find_version, label, plays
from tournament.store.database import Store
from tournament.store.exhibitions import add_exhibition
from tournament.store.tables import BotVersion

_log = logging.getLogger(__name__)

MOST_TABLES = 4
"""Matches at once."""

MOST_TABLES_EACH = 2
"""Those of one user, or of one address where nobody is logged in."""

SHORTEST_TICK = 0.2
"""Seconds."""

IDLE_TIME = 300.0
"""Seconds without a word from a person after which the match is forfeited."""

MATCH_TIME = 3600.0
"""Seconds."""

END_TIME = 10.0
"""Seconds that a match may take to end after the person has left."""

PERSON = "person"
"""A person's name in a record."""


class Full(Exception):
    """There is no free table."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants to play."""

    game: str
    bot: str
    """``name`` or ``name@2``."""
    seat: int
    seats: int
    tick_time: float
    """Seconds, in real-time games; 0 where a tick waits for the person."""


class Exhibition:
    """One match that is being played: the server's end of its dealer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def decide(self, number: int, action: str) -> None:
        """Pass a decision on."""
        write_frame(self._writer, ("decide", number, action))

    def close(self) -> None:
        """End the match, whatever it is doing."""
        self._writer.close()

    def leave(self) -> None:
        """Forfeit the match."""
        write_frame(self._writer, ("leave", 0, None))

    async def news(self) -> AsyncIterator[str | MatchReport]:
        """Yield news for the page as JSON, and the match's report at its end. Raises :class:`Failure`."""
        while True:
            match await read_frame(self._reader):
                case ("news", _, str(text)):
                    yield text
                case ("done", _, MatchReport() as report):
                    yield report
                    return
                case ("failed", _, text):
                    _log.error("a match of a person failed: %s", text)
                    raise Failure("the match failed, and not by a bot: the server's log says why")
                case _:
                    raise Failure("the match failed, and not by a bot: its process died")


async def _end(process: asyncio.subprocess.Process) -> None:
    """Wait for a dealer to end its bots and itself, but not for long; the bots' wardens see to what it leaves."""
    await asyncio.wait([asyncio.ensure_future(process.wait())], timeout=END_TIME)
    if process.returncode is None:
        process.kill()
        await process.wait()


class Exhibitions:
    """The tables of one server."""

    def __init__(self, store: Store, home: Home, *, jail: str | None) -> None:
        self.closed = jail is None
        """Whether there is no jail that holds, so that nobody plays."""
        self._store = store
        self._home = home
        self._jail = jail or ""
        self._taken: Counter[str] = Counter()

    async def room(self, wish: Wish) -> tuple[Room, BotVersion]:
        """Return the room that a person wants. Raises :class:`WrongUse` where that cannot be."""
        game = find_game(wish.game)
        seats = game.settle_seats(wish.seats)
        if not 0 <= wish.seat < seats:
            raise WrongUse(f"seat {wish.seat}: 0 to {seats - 1} are allowed")
        if 0 < wish.tick_time < SHORTEST_TICK:
            raise WrongUse(f"ticks of {wish.tick_time:g} s: 0 and {SHORTEST_TICK:g} or more are allowed")
        version = await run_in_threadpool(find_version, self._store, wish.bot)
        if not plays(version, game.id):
            raise WrongUse(f"bot {label(version)} does not play {game.id}")
        try:
            players = [player_of(version, self._home)] * (seats - 1)
        except BadHome as error:
            _log.error("%s", error)
            raise Failure(f"bot {label(version)} is not on this server any more") from None
        players.insert(wish.seat, Player(PERSON, 0, "", Path(), (), time_odds=(MATCH_TIME, 0.0)))
        control = TimeControl(
            match_time=MATCH_TIME,
            max_strikes=default_strikes(real_time=game.real_time),
            realtime=game.real_time and wish.tick_time > 0,
            tick_time=wish.tick_time,
        )
        board = Board(0, secrets.token_bytes(SEED_SIZE))
        conduct = Conduct(control, jail=self._jail)
        return Room("", 0, game.id, game.settle({}), 0, 0, tuple(players), (board,), conduct), version

    @asynccontextmanager
    async def begin(self, room: Room, seat: int, who: str) -> AsyncIterator[Exhibition]:
        """Hold a table and its match; ``who`` is whose it is. However it ends, no process is left.

        Raises :class:`Full`.
        """
        if self.closed:
            raise Full("nobody plays here: no jail that holds works on this server's machine")
        if self._taken.total() >= MOST_TABLES:
            raise Full(f"all {MOST_TABLES} tables are taken: try it again in a while")
        if self._taken[who] >= MOST_TABLES_EACH:
            raise Full(f"you sit at {MOST_TABLES_EACH} tables already: finish a match first")
        self._taken[who] += 1
        try:
            ours, theirs = socket.socketpair()
            with theirs:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "tournament.web.dealer", str(theirs.fileno())),
                    stdin=asyncio.subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
            reader, writer = await asyncio.open_unix_connection(sock=ours)
            try:
                write_frame(writer, ("play", seat, room))
                yield Exhibition(reader, writer)
            finally:
                writer.close()
                # Whoever is impatient with the match waits for this.
                with CancelScope(shield=True):
                    await _end(process)
        finally:
            self._taken[who] -= 1
            # Who plays no more is forgotten.
            self._taken += Counter()

    async def keep(self, user: User | None, version: BotVersion, room: Room, seat: int, report: MatchReport) -> int:
        """Store a match and return its key."""
        store = partial(add_exhibition, self._store, user, version, room, person_seat=seat, report=report)
        return await run_in_threadpool(store)
