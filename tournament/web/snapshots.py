"""What the pages show of a pool, worked out once for many readers.

Ratings of a million matches take a second: they are made anew when boards were added, at most as often as lets the
server stay idle most of the time, and a reader never waits for more than the first of them.
"""

import logging
import threading
import time
from dataclasses import dataclass

from tournament.crosstable import Crosstable, cross
from tournament.errors import StoreFailed
from tournament.history import History, history_of
from tournament.run.bench import planned_matches
from tournament.scores import Scores
from tournament.sequential import SequentialTest, test_line
from tournament.standings import TableOfPool, make_table
from tournament.store.database import Store
from tournament.store.ends import Place, benched
from tournament.store.listing import Change, change_of, latest_ends, ordered_blobs, verdict_counts
from tournament.store.matches import count_matches
from tournament.store.tables import now
from tournament.store.tournaments import StoredPool, StoredTournament

_log = logging.getLogger(__name__)

REST = 20
"""A snapshot is kept for so many times as long as it took to make."""

QUICK_TIME = 0.05
"""Seconds: a snapshot that took longer is made anew beside the reader, who gets the old one."""

MOST_QUICK_BOARDS = 3000
"""The history of more boards is worked out beside the readers."""

RATE_MATCHES = 200
"""The rate is that of the last so many matches."""

IDLE_TIME = 60.0
"""Seconds without a match after which a tournament counts as paused."""


@dataclass(slots=True, eq=False)
class Snapshot:
    """A pool at one moment."""

    table: TableOfPool
    crosstable: Crosstable
    history: History
    """Of an earlier moment, or empty, while it is worked out."""
    played: int
    planned: int
    verdicts: tuple[tuple[int, str, int], ...]
    """A bot's number, the termination, how often; most often first."""
    benched: dict[int, Place]
    test: str | None
    """What the sequential test says, on one line."""

    @property
    def boards(self) -> int:
        """How many boards are planned."""
        return self.planned // self.table.pool.seats


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a tournament goes on."""

    rate: float
    """Matches a second, lately; 0 while nothing is played."""
    remaining_time: float | None
    """Seconds to its end at this rate; None where that cannot be said."""


@dataclass(slots=True, eq=False)
class _Kept:
    snapshot: Snapshot
    change: Change
    finished: bool
    cost: float
    made: float


class Snapshots:
    """The snapshots of all pools. May be asked by several threads at once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[int, _Kept] = {}
        self._locks: dict[int, threading.Lock] = {}
        self._guard = threading.Lock()
        self._recounting: set[int] = set()
        """The pools whose histories are being worked out."""

    def of(self, tournament: StoredTournament, pool: StoredPool) -> Snapshot:
        """Return a pool as it is, or as it was a short time ago."""
        with self._guard:
            lock = self._locks.setdefault(pool.id, threading.Lock())
            kept = self._kept.get(pool.id)
        if kept is None:
            with lock:
                return (self._kept.get(pool.id) or self._make(tournament, pool)).snapshot
        change = change_of(self._store)
        same = kept.finished == tournament.finished and len(pool.versions) == len(kept.snapshot.table.pool.versions)
        # The matches of a finished tournament change only by being taken out, which makes it unfinished.
        if same and (change == kept.change or (tournament.finished and change.voids == kept.change.voids)):
            return kept.snapshot
        if same and time.monotonic() < kept.made + REST * kept.cost:
            return kept.snapshot
        if not lock.acquire(blocking=not same):
            return kept.snapshot
        if same and kept.cost > QUICK_TIME:
            threading.Thread(target=self._remake, args=(tournament, pool, lock), daemon=True).start()
            return kept.snapshot
        try:
            return self._make(tournament, pool).snapshot
        finally:
            lock.release()

    def pace(self, tournament: StoredTournament) -> Pace:
        """Return how fast a tournament goes on, by the ends of its latest matches."""
        if tournament.finished:
            return Pace(0.0, None)
        ends = latest_ends(self._store, tournament.pools, change_of(self._store).matches, RATE_MATCHES)
        moment = now().replace(tzinfo=None)
        times = [end.replace(tzinfo=None) for end in ends]
        if len(times) < 2 or (moment - times[-1]).total_seconds() > IDLE_TIME:
            return Pace(0.0, None)
        rate = len(times) / max((moment - times[0]).total_seconds(), 1e-3)
        snapshots = [self.of(tournament, pool) for pool in tournament.pools]
        left = sum(snapshot.planned - snapshot.played for snapshot in snapshots)
        return Pace(rate, left / rate)

    def _remake(self, tournament: StoredTournament, pool: StoredPool, lock: threading.Lock) -> None:
        try:
            self._make(tournament, pool)
        except StoreFailed as error:
            _log.error("the table of %s in %s is not renewed: %s", pool.game, tournament.name, error)
        finally:
            lock.release()

    def _make(self, tournament: StoredTournament, pool: StoredPool) -> _Kept:
        started = time.monotonic()
        # What is stored meanwhile belongs to the next one.
        change = change_of(self._store)
        scores = Scores.of(pool.seats, len(pool.versions), ordered_blobs(self._store, pool))
        test = SequentialTest.of(self._store, tournament, pool)
        snapshot = Snapshot(
            table=make_table(pool, scores),
            crosstable=cross(scores),
            history=self._history(pool, scores),
            played=count_matches(self._store, pool),
            planned=planned_matches(self._store, tournament, pool),
            verdicts=tuple(verdict_counts(self._store, pool)),
            benched=benched(self._store, pool),
            test=None if test is None else test_line(test, pool),
        )
        ended = time.monotonic()
        kept = _Kept(snapshot, change, tournament.finished, ended - started, ended)
        self._kept[pool.id] = kept
        if len(scores) > MOST_QUICK_BOARDS and pool.id not in self._recounting:
            self._recounting.add(pool.id)
            threading.Thread(target=self._recount, args=(pool, scores), daemon=True).start()
        return kept

    def _history(self, pool: StoredPool, scores: Scores) -> History:
        if len(scores) <= MOST_QUICK_BOARDS:
            return history_of(scores)
        kept = self._kept.get(pool.id)
        if kept is None or len(kept.snapshot.table.pool.versions) != scores.entrants:
            return history_of(scores, 0)
        return kept.snapshot.history

    def _recount(self, pool: StoredPool, scores: Scores) -> None:
        try:
            history = history_of(scores)
            snapshot = self._kept[pool.id].snapshot
            if len(snapshot.table.pool.versions) == scores.entrants:
                snapshot.history = history
        finally:
            self._recounting.discard(pool.id)
