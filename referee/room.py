"""A room: the bots of one rotation of a pairing, at home for all its boards."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import cache

from cardpit.games import find_game
from cardpit.games.seeds import SEED_SIZE
from referee.match import Match
from referee.orders import Board, MatchReport, Room, RoomReport
from referee.seats.grpc import BotSession
from referee.seats.zygote import Zygote

MAX_FAILED_STARTS = 2
"""After so many failed starts in a row a room tries no more: its other matches are forfeited by the same verdict."""

REHEARSED_STEPS = 12
"""So many steps of a match call up every table that the rules of a game build when they are first used."""


class Chair:
    """Where one player of a room sits: holds its process, and a new one for the matches that begin after a fault.

    A process that has forfeited a match may be stuck. It gets no new table, and ends when its last one has closed.
    """

    def __init__(self, room: Room, seat: int) -> None:
        self._room = room
        self._player = room.players[seat]
        self._session: BotSession | None = None
        self._tables: Counter[BotSession] = Counter()
        self._failed_starts = 0
        self._logs: list[str] = []
        self._starting = asyncio.Lock()
        self._zygote: Zygote | None = None
        self._forks = room.conduct.restart == "match"

    async def sit(self) -> BotSession:
        """Return a process for a new table, or one whose fault says why there is none."""
        async with self._starting:
            if self._session is not None and self._session.fault is not None and not self._gave_up:
                await self._leave()
            if self._session is None:
                zygote = await self._living_zygote()
                self._session = BotSession(self._player, self._room.game, self._room.conduct, zygote)
                # Whoever ends the room must find it, even if its start is cancelled.
                self._tables[self._session] = 0
                await self._session.start()
                self._failed_starts = 0 if self._session.fault is None else self._failed_starts + 1
            self._tables[self._session] += 1
            return self._session

    async def rise(self, session: BotSession, *, forfeited: bool) -> None:
        """Let go of a table that has closed."""
        self._tables[session] -= 1
        if forfeited and session is self._session and not self._gave_up:
            await self._leave()
        elif session is not self._session and self._tables[session] == 0:
            await self._end(session, "it was at fault")

    async def _living_zygote(self) -> Zygote | None:
        """Return what forks the next process; None if it is to be started."""
        if self._forks and self._zygote is None:
            self._zygote = Zygote(self._player, self._room.conduct)
            self._forks = await self._zygote.start()
        self._forks = self._forks and self._zygote is not None and self._zygote.alive
        return self._zygote if self._forks else None

    async def close(self, reason: str) -> None:
        """End all processes, and begin no more."""
        await self.end(reason)
        if self._zygote is not None:
            await self._zygote.end()

    async def end(self, reason: str) -> None:
        """End all processes of bots."""
        self._session = None
        await asyncio.gather(*(self._end(session, reason) for session in list(self._tables)))

    @property
    def log(self) -> str:
        """What the bot's processes have written in this room."""
        return "\n".join(self._logs)

    @property
    def _gave_up(self) -> bool:
        return self._failed_starts >= MAX_FAILED_STARTS

    async def _leave(self) -> None:
        """Seat nobody new at the present process."""
        session, self._session = self._session, None
        if session is not None and self._tables[session] == 0:
            await self._end(session, "it was at fault")

    async def _end(self, session: BotSession, reason: str) -> None:
        del self._tables[session]
        await _undisturbed(session.end(reason))
        if session.log:
            self._logs.append(session.log)


async def play_room(room: Room, report: Callable[[MatchReport], None]) -> RoomReport:
    """Play a room's boards, reporting each match as soon as it has ended.

    Up to ``room.conduct.tables`` boards are played at once, if all bots can hold so many. However it ends, no process
    of the room is left.
    """
    # In a thread, for it may take longer than a decision, and other matches go on.
    await asyncio.to_thread(rehearse, room.game, len(room.players))
    chairs = [Chair(room, seat) for seat in range(len(room.players))]
    boards = iter(room.boards)

    async def play_boards() -> None:
        for board in boards:
            report(await _play_board(room, board, chairs))
            if room.conduct.restart == "match":
                await _end_all(chairs, "the match is done")

    try:
        tables = 1 if room.conduct.restart == "match" else await _most_tables(chairs)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(tables, len(room.boards))):
                group.create_task(play_boards())
    except* Exception as errors:  # noqa: BLE001 - raised again
        # One board's failure ends the others: it is the cause.
        raise errors.exceptions[0] from None
    finally:
        await _undisturbed(asyncio.gather(*(chair.close("the room is done") for chair in chairs)))
    return RoomReport(room.pairing, room.room, tuple(chair.log for chair in chairs))


@cache
def rehearse(game_id: str, seats: int) -> None:
    """Begin a match by the rules alone, so that no bot's clock runs while a game's tables are built."""
    state = find_game(game_id).deal(bytes(SEED_SIZE), seats)
    for _ in range(REHEARSED_STEPS):
        if state.outcome is None:
            state = state.apply({seat: state.legal_actions(seat)[0] for seat in state.turn})


async def _most_tables(chairs: list[Chair]) -> int:
    """Start all bots and return how many tables every one of them can hold."""
    sessions = await asyncio.gather(*(chair.sit() for chair in chairs))
    for chair, session in zip(chairs, sessions, strict=True):
        await chair.rise(session, forfeited=False)
    return min(session.max_tables for session in sessions)


async def _play_board(room: Room, board: Board, chairs: list[Chair]) -> MatchReport:
    sessions = await asyncio.gather(*(chair.sit() for chair in chairs))
    report = await Match(room, board, [session.seat() for session in sessions]).play()
    forfeited = {verdict.seat for verdict in report.verdicts}
    for seat, (chair, session) in enumerate(zip(chairs, sessions, strict=True)):
        await chair.rise(session, forfeited=seat in forfeited)
    return report


async def _end_all(chairs: list[Chair], reason: str) -> None:
    await asyncio.gather(*(chair.end(reason) for chair in chairs))


async def _undisturbed(work: Awaitable[object]) -> None:
    """Do some work to its end, however often this task is cancelled meanwhile; the cancelling counts afterwards."""
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            cancelled = True
    task.result()
    if cancelled:
        raise asyncio.CancelledError
