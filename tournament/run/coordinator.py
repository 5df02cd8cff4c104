"""The coordinator: has the rooms of a tournament played, and is the only one that stores results."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from cardpit.games.seeds import board_seed
from referee.orders import Board, MatchReport, Player, Room, RoomReport, Termination
from tournament.errors import TournamentError
from tournament.home import Home
from tournament.registry import player_of
from tournament.run.executor import Executor, RoomFailed
from tournament.run.sittings import Sitting, sittings
from tournament.store.database import Store
from tournament.store.results import add_failure, add_match, add_room_logs, clear_failures
from tournament.store.tournaments import StoredPool, StoredTournament, mark_finished

_log = logging.getLogger(__name__)

MOST_ATTEMPTS = 3
"""So many times a room is tried when the platform fails in it."""


class Watcher(Protocol):
    """Is told how a run goes on."""

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        """Take note of a match that was stored."""

    def room_failed(self, pool: StoredPool, sitting: Sitting, detail: str, last: bool) -> None:
        """Take note of a room that the platform failed in; ``last`` if it will not be tried again in this run."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """How a run ended."""

    finished: bool
    """Whether every match of the tournament has been played."""
    interrupted: bool
    failed_matches: int
    """Matches that the platform could not play."""


class Coordinator:
    """Runs one tournament to its end, or to an interrupt."""

    def __init__(
        self, home: Home, store: Store, tournament: StoredTournament, executor: Executor, watcher: Watcher
    ) -> None:
        self._store = store
        self._tournament = tournament
        self._executor = executor
        self._watcher = watcher
        self._players = {
            pool.id: tuple(player_of(version, home) for version in pool.versions) for pool in tournament.pools
        }
        self._draining = False
        self._running: asyncio.Task[None] | None = None
        self._failed_matches = 0

    @property
    def draining(self) -> bool:
        """Whether the run is coming to an end before its time."""
        return self._draining

    def drain(self) -> None:
        """Begin no match any more; the run ends with those that are being played."""
        self._draining = True

    def abort(self) -> None:
        """End all matches now; they are played again when the tournament is run again."""
        self._draining = True
        if self._running is not None:
            self._running.cancel()

    async def run(self) -> Conclusion:
        """Play what is still to be played. Raises :class:`tournament.errors.StoreFailed`."""
        for pool in self._tournament.pools:
            clear_failures(self._store, pool)
        running = self._running = asyncio.create_task(self._play_all())
        try:
            await asyncio.wait({running})
        finally:
            running.cancel()
            await self._executor.close()
        if not running.cancelled():
            running.result()
        finished = not self._draining and not self._failed_matches
        if finished:
            mark_finished(self._store, self._tournament)
        return Conclusion(finished, self._draining, self._failed_matches)

    async def _play_all(self) -> None:
        await self._executor.start()
        free = asyncio.Semaphore(self._executor.capacity)
        try:
            async with asyncio.TaskGroup() as group:
                for sitting in sittings(self._store, self._tournament, self._executor.capacity):
                    await free.acquire()
                    if self._draining:
                        break
                    group.create_task(self._play(sitting)).add_done_callback(lambda _: free.release())
        except* TournamentError as errors:
            # The first error is the cause; the others are rooms that ended at the same moment.
            raise errors.exceptions[0] from None

    async def _play(self, sitting: Sitting) -> None:
        waiting = list(sitting.boards)
        detail = ""
        for attempt in range(1, MOST_ATTEMPTS + 1):
            try:
                detail = await self._play_room(sitting, waiting)
            except RoomFailed as error:
                detail = str(error)
            if not waiting or self._draining:
                return
            # The board that was being played may be what the platform fails at: the others go first.
            waiting.append(waiting.pop(0))
            self._watcher.room_failed(sitting.pool, sitting, detail, attempt == MOST_ATTEMPTS)
        self._failed_matches += len(waiting)
        add_failure(self._store, sitting.pool, sitting.pairing, sitting.room, boards=waiting, detail=detail)

    async def _play_room(self, sitting: Sitting, waiting: list[int]) -> str:
        """Play a room's waiting boards, taking out each that has a result; return why some have none."""
        detail = "the room ended before all of its boards had been played"
        reports = self._executor.play(self._order(sitting, waiting))
        try:
            async for report in reports:
                if isinstance(report, RoomReport):
                    add_room_logs(self._store, sitting.pool, report)
                elif report.termination is Termination.PLATFORM:
                    detail = "; ".join(verdict.detail for verdict in report.verdicts) or detail
                elif report.board in waiting:
                    add_match(self._store, sitting.pool, report, sitting.entrants)
                    waiting.remove(report.board)
                    self._watcher.match_ended(sitting.pool, report, sitting.entrants)
                    if self._draining and waiting:
                        break
        finally:
            if isinstance(reports, AsyncGenerator):
                await reports.aclose()
        return detail

    def _order(self, sitting: Sitting, boards: list[int]) -> Room:
        pool, settings = sitting.pool, sitting.pool.configuration
        players: tuple[Player, ...] = self._players[pool.id]
        return Room(
            tournament=self._tournament.name,
            pool=pool.number,
            game=pool.game,
            parameters=settings.parameters,
            pairing=sitting.pairing,
            room=sitting.room,
            players=tuple(players[entrant] for entrant in sitting.entrants),
            boards=tuple(Board(number, board_seed(self._tournament.seed, pool.game, number)) for number in boards),
            conduct=self._tournament.configuration.conduct.conduct(settings.max_strikes),
        )
