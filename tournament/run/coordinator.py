"""The coordinator: has the rooms of a tournament played, and is the only one that stores results."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from cardpit.games.seeds import board_seed
from referee.orders import Board, MatchReport, Player, Room, RoomReport, Termination
from tournament.errors import StoreFailed, StoreLost, TournamentError
from tournament.home import Home
from tournament.registry import player_of
from tournament.run.bench import find_benched, left_out, planned_matches, surplus
from tournament.run.executor import Executor, RoomFailed
from tournament.run.patience import Patience
from tournament.run.sittings import Sitting, schedule_of, sittings
from tournament.run.unfolding import Unfolding
from tournament.sequential import SequentialTest
from tournament.store.database import Store
from tournament.store.ends import Place, ends_of, fault_counts, keep_benched, keep_test_end
from tournament.store.matches import find_board
from tournament.store.results import add_failure, add_match, add_room_logs, clear_failures
from tournament.store.tournaments import StoredPool, StoredTournament, mark_finished
from tournament.store.voids import void_matches

_log = logging.getLogger(__name__)

MOST_ATTEMPTS = 3
"""So many times a room is tried when the platform fails in it."""


class Watcher(Protocol):
    """Is told how a run goes on."""

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        """Take note of a match that was stored."""

    def room_failed(self, pool: StoredPool, sitting: Sitting, detail: str, last: bool) -> None:
        """Take note of a room that the platform failed in; ``last`` if it will not be tried again in this run."""

    def bot_benched(self, pool: StoredPool, entrant: int, planned: int) -> None:
        """Take note of a bot that plays no more; ``planned`` is how many matches the tournament has now."""

    def test_ended(self, pool: StoredPool, test: SequentialTest, planned: int) -> None:
        """Take note of the end of a sequential test; ``planned`` is how many matches the tournament has now."""


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
        self,
        home: Home,
        store: Store,
        tournament: StoredTournament,
        executor: Executor,
        watcher: Watcher,
        *,
        open_end: bool = False,
    ) -> None:
        """Get ready; with ``open_end`` the tournament is not finished when all has been played."""
        self._store = store
        self._tournament = tournament
        self._executor = executor
        self._watcher = watcher
        self._patiently = Patience()
        self._players = {
            pool.id: tuple(
                replace(player_of(version, home), time_odds=entrant.time_odds)
                for version, entrant in zip(pool.versions, pool.configuration.bots, strict=True)
            )
            for pool in tournament.pools
        }
        self._open_end = open_end
        self._draining = False
        self._running: asyncio.Task[None] | None = None
        self._failed_matches = 0
        self._benched: dict[int, dict[int, Place]] = {}
        self._streaks: dict[int, Counter[int]] = {}
        self._suspended: list[Sitting] = []
        self._tests: dict[int, SequentialTest | None] = {}
        self._ends: dict[int, dict[int, Place]] = {}

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
        running = self._running = asyncio.create_task(self._play_all())
        try:
            await asyncio.wait({running})
        finally:
            running.cancel()
            await self._executor.close()
        try:
            if not running.cancelled():
                running.result()
        except StoreFailed as error:
            raise StoreFailed(f"{error}; go on with: tournament run --name {self._tournament.name}") from error
        return Conclusion(self._finished, self._draining, self._failed_matches)

    @property
    def _finished(self) -> bool:
        return not self._draining and not self._failed_matches

    async def _play_all(self) -> None:
        await self._executor.start()
        while True:
            losses = self._patiently.losses
            try:
                await self._play_missing()
                # A server that was lost may have lost what it had confirmed: then it is played again.
                if self._patiently.losses == losses:
                    self._conclude()
                    return
            except StoreLost as error:
                # Results that had ended have been stored. All else begins again from what the database holds.
                await self._patiently.wait(error)

    async def _play_missing(self) -> None:
        self._failed_matches = 0
        self._suspended.clear()
        for pool in self._tournament.pools:
            clear_failures(self._store, pool)
            self._streaks[pool.id] = Counter(fault_counts(self._store, pool))
            self._benched[pool.id] = find_benched(self._store, self._tournament, pool)
            keep_benched(self._store, pool, self._benched[pool.id])
            self._open_test(pool)
        self._patiently.end()
        await self._play_each(
            sittings(self._store, self._tournament, self._executor.capacity, self._left_out), patient=False
        )
        # What waited to see whether its bot would be benched and has not been left out since.
        await self._play_each(iter(self._suspended), patient=True)
        await self._play_unfolding()

    def _conclude(self) -> None:
        if self._finished and not self._open_end:
            self._conclude_ends()
            mark_finished(self._store, self._tournament)

    async def _play_each(self, waiting: Iterator[Sitting], *, patient: bool) -> None:
        free = asyncio.Semaphore(self._executor.capacity)
        try:
            async with asyncio.TaskGroup() as group:
                for sitting in waiting:
                    await free.acquire()
                    if self._draining:
                        break
                    group.create_task(self._play(sitting, patient)).add_done_callback(lambda _: free.release())
        except* TournamentError as errors:
            # The first error is the cause; the others are rooms that ended at the same moment.
            raise errors.exceptions[0] from None

    async def _play_unfolding(self) -> None:
        """Play the pools with adaptive schedules: each pairing as soon as the results decide it."""
        pools = [pool for pool in self._tournament.pools if schedule_of(self._tournament, pool).adaptive]
        unfolding = [Unfolding(self._store, self._tournament, pool) for pool in pools]
        capacity = self._executor.capacity
        rooms: set[asyncio.Task[None]] = set()
        waiting: list[Sitting] = []
        try:
            async with asyncio.TaskGroup() as group:
                while not self._draining:
                    for each in unfolding:
                        waiting += each.sittings(capacity, self._left_out)
                    while waiting and len(rooms) < capacity:
                        rooms.add(group.create_task(self._play(waiting.pop(0), patient=True)))
                    if not rooms:
                        break
                    _, rooms = await asyncio.wait(rooms, return_when=asyncio.FIRST_COMPLETED)
        except* TournamentError as errors:
            raise errors.exceptions[0] from None

    async def _play(self, sitting: Sitting, patient: bool) -> None:
        waiting = self._still_in(sitting, sitting.boards)
        detail = ""
        for attempt in range(1, MOST_ATTEMPTS + 1):
            if not waiting:
                return
            try:
                detail = await self._play_room(sitting, waiting, patient)
            except RoomFailed as error:
                detail = str(error)
            waiting = self._still_in(sitting, waiting)
            if not waiting or self._draining:
                return
            # The board that was being played may be what the platform fails at: the others go first.
            waiting.append(waiting.pop(0))
            self._watcher.room_failed(sitting.pool, sitting, detail, attempt == MOST_ATTEMPTS)
        self._failed_matches += len(waiting)
        add_failure(self._store, sitting.pool, sitting.pairing, sitting.room, boards=waiting, detail=detail)

    async def _play_room(self, sitting: Sitting, waiting: list[int], patient: bool) -> str:
        """Play a room's waiting boards, taking out each that has a result; return why some have none."""
        detail = "the room ended before all of its boards had been played"
        streaks: Counter[int] = Counter()
        reports = self._executor.play(self._order(sitting, waiting))
        try:
            async for report in reports:
                if isinstance(report, RoomReport):
                    await self._patiently(partial(add_room_logs, self._store, sitting.pool, report))
                elif report.termination is Termination.PLATFORM:
                    detail = "; ".join(verdict.detail for verdict in report.verdicts) or detail
                elif report.board in waiting:
                    await self._patiently(partial(add_match, self._store, sitting.pool, report, sitting.entrants))
                    waiting.remove(report.board)
                    self._watcher.match_ended(sitting.pool, report, sitting.entrants)
                    self._judge(sitting, report)
                    self._test(sitting, report.board)
                    if waiting and (self._draining or len(self._still_in(sitting, waiting)) < len(waiting)):
                        break
                    if waiting and not patient and self._lasts(sitting, report, streaks):
                        self._suspended.append(replace(sitting, boards=tuple(waiting)))
                        waiting.clear()
                        break
        finally:
            if isinstance(reports, AsyncGenerator):
                await reports.aclose()
        return detail

    def _left_out(self, pool: StoredPool, bots: Sequence[int], pairing: int, board: int, room: int) -> bool:
        return left_out(self._ends[pool.id], bots, Place(pairing, board, room))

    def _still_in(self, sitting: Sitting, boards: Iterable[int]) -> list[int]:
        """Return the boards of a room that neither the bench nor the end of a test keeps from being played."""
        return [
            board
            for board in boards
            if not self._left_out(sitting.pool, sitting.entrants, sitting.pairing, board, sitting.room)
        ]

    def _lasts(self, sitting: Sitting, report: MatchReport, streaks: Counter[int]) -> bool:
        """Tell whether a bot is at fault so often in a row that its room had better wait.

        The rows that bench a bot go through all rooms of a board: the other rooms may soon answer.
        """
        limit = self._tournament.configuration.bench_after
        faulty = _at_fault(sitting, report)
        for entrant in sitting.entrants:
            streaks[entrant] = streaks[entrant] + 1 if entrant in faulty else 0
        return bool(limit) and max(streaks.values()) >= limit

    def _judge(self, sitting: Sitting, report: MatchReport) -> None:
        """Bench a bot if its row of faults is long enough."""
        pool, limit = sitting.pool, self._tournament.configuration.bench_after
        faulty, streaks = _at_fault(sitting, report), self._streaks[pool.id]
        for entrant in sitting.entrants:
            streaks[entrant] = streaks[entrant] + 1 if entrant in faulty else 0
        # In the order of the schedule the row can be longer than in that of the ends. The end of the run finds these.
        if limit and any(streaks[entrant] >= limit for entrant in faulty):
            self._bench(pool)

    def _bench(self, pool: StoredPool) -> None:
        known = self._benched[pool.id]
        found = find_benched(self._store, self._tournament, pool)
        if found == known:
            return
        self._benched[pool.id] = found
        keep_benched(self._store, pool, found)
        self._ends[pool.id] = ends_of(self._store, pool)
        for entrant in found.keys() - known.keys():
            self._watcher.bot_benched(pool, entrant, self._planned())

    def _planned(self) -> int:
        return sum(planned_matches(self._store, self._tournament, pool) for pool in self._tournament.pools)

    def _open_test(self, pool: StoredPool) -> None:
        test = self._tests[pool.id] = SequentialTest.of(self._store, self._tournament, pool)
        keep_test_end(self._store, pool, test.end if test is not None else None)
        self._ends[pool.id] = ends_of(self._store, pool)

    def _test(self, sitting: Sitting, board: int) -> None:
        """Let the sequential test judge a board, if this match has completed it."""
        pool, test = sitting.pool, self._tests[sitting.pool.id]
        blob = find_board(self._store, pool, sitting.pairing, board) if test is not None else None
        if test is not None and blob is not None and test.add(board, blob):
            keep_test_end(self._store, pool, test.end)
            self._ends[pool.id] = ends_of(self._store, pool)
            self._watcher.test_ended(pool, test, self._planned())

    def _conclude_ends(self) -> None:
        """Take out what was played ahead of the schedule and in vain, so that the results are always the same."""
        for pool in self._tournament.pools:
            self._bench(pool)
            self._void(pool, self._benched[pool.id], "its bot is benched before it in the schedule")
            self._open_test(pool)
            self._void(pool, self._ends[pool.id], "the test has ended before it")

    def _void(self, pool: StoredPool, ends: dict[int, Place], why: str) -> None:
        if matches := surplus(self._store, pool, ends):
            void_matches(self._store, self._tournament, pool, matches, why)

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


def _at_fault(sitting: Sitting, report: MatchReport) -> set[int]:
    return {sitting.entrants[verdict.seat] for verdict in report.verdicts}
