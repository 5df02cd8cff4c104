"""An adaptive schedule while it is played: its pairings become known as others end."""

from collections.abc import Iterator

from tournament.run.sittings import LeftOut, Sitting, schedule_of, sittings_of
from tournament.run.tallies import tallies_of
from tournament.store.boards import boards_of_pairings
from tournament.store.database import Store
from tournament.store.matches import finished_boards
from tournament.store.tournaments import StoredPool, StoredTournament


class Unfolding:
    """Gives out the sittings of a pool, each pairing as soon as the results decide it."""

    def __init__(self, store: Store, tournament: StoredTournament, pool: StoredPool) -> None:
        self._store = store
        self._tournament = tournament
        self._pool = pool
        self._schedule = schedule_of(tournament, pool)
        self._results = tallies_of(pool, finished_boards(store, pool))
        self._begun = set(self._results)

    def sittings(self, capacity: int, left_out: LeftOut) -> Iterator[Sitting]:
        """Yield what is still to be played of the pairings that are known now and were not given out before."""
        unfinished = self._begun - self._results.keys()
        self._results |= tallies_of(self._pool, boards_of_pairings(self._store, self._pool, unfinished))
        self._schedule = self._schedule.after(self._results)
        new = [g for g in range(self._schedule.total) if g not in self._begun and self._schedule.known(g)]
        self._begun.update(new)
        if new:
            yield from sittings_of(self._store, self._tournament, self._pool, self._schedule, new, capacity, left_out)
