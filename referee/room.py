"""A room: the bots of one rotation of a pairing, at home for all its boards."""

import asyncio
import logging
from collections.abc import Callable

from referee.match import Match
from referee.orders import Board, MatchReport, Room, RoomReport, Termination
from referee.seats.grpc import BotSession
from referee.seats.seat import SeatFault

_log = logging.getLogger(__name__)

MAX_FAILED_STARTS = 2
"""After so many failed starts in a row a room tries no more: its other matches are forfeited by the same verdict."""


class Chair:
    """Where one player of a room sits: holds its process, and a new one after a fault."""

    def __init__(self, room: Room, seat: int) -> None:
        self._room = room
        self._player = room.players[seat]
        self._session: BotSession | None = None
        self._failed_starts = 0
        self._logs: list[str] = []
        self._starting = asyncio.Lock()

    async def session(self) -> BotSession:
        """Return a session that can play, or one whose fault says why none can."""
        async with self._starting:
            session = self._session
            if session is not None and (session.fault is None or self._failed_starts >= MAX_FAILED_STARTS):
                return session
            await self.end("it was at fault")
            session = self._session = BotSession(self._player, self._room.game, self._room.conduct)
            await session.start()
            self._failed_starts = 0 if session.fault is None else self._failed_starts + 1
            return session

    def spoil(self, fault: SeatFault) -> None:
        """Let go of a process that has forfeited a match: it may be stuck, and the next match begins with a new one."""
        if self._session is not None and self._session.fault is None:
            self._session.fault = fault

    async def end(self, reason: str) -> None:
        """End the process."""
        session, self._session = self._session, None
        if session is not None:
            await session.end(reason)
            if session.log:
                self._logs.append(session.log)

    @property
    def log(self) -> str:
        """What the bot's processes have written in this room."""
        return "\n".join(self._logs)


async def play_room(room: Room, report: Callable[[MatchReport], None]) -> RoomReport:
    """Play a room's boards, reporting each match as soon as it has ended.

    Up to ``room.conduct.tables`` boards are played at once. However it ends, no process of the room is left.
    """
    chairs = [Chair(room, seat) for seat in range(len(room.players))]
    boards = iter(room.boards)

    async def play_boards() -> None:
        for board in boards:
            report(await _play_board(room, board, chairs))
            if room.conduct.restart == "match":
                await _end_all(chairs, "the match is done")

    tables = 1 if room.conduct.restart == "match" else room.conduct.tables
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(tables, len(room.boards))):
                group.create_task(play_boards())
    finally:
        await asyncio.shield(_end_all(chairs, "the room is done"))
    return RoomReport(room.pairing, room.room, tuple(chair.log for chair in chairs))


async def _play_board(room: Room, board: Board, chairs: list[Chair]) -> MatchReport:
    sessions = await asyncio.gather(*(chair.session() for chair in chairs))
    report = await Match(room, board, [session.seat() for session in sessions]).play()
    for verdict in report.verdicts:
        if verdict.termination in (Termination.TIMEOUT, Termination.ILLEGAL_ACTION):
            chairs[verdict.seat].spoil(SeatFault(verdict.termination, verdict.detail))
    return report


async def _end_all(chairs: list[Chair], reason: str) -> None:
    await asyncio.gather(*(chair.end(reason) for chair in chairs))
