"""Which boards of a pool a table is made of: all of them, the latest, those without some bots."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from tournament.errors import BadConfiguration
from tournament.scores import Scores
from tournament.standings import TableOfPool, make_table
from tournament.store.boards import boards_since
from tournament.store.database import Store
from tournament.store.matches import finished_boards
from tournament.store.tournaments import StoredPool


@dataclass(frozen=True, slots=True)
class Selection:
    """What is asked for; by default every board of every bot."""

    since: datetime | None = None
    """Only boards that were finished at that time or later."""
    without: tuple[tuple[str, int], ...] = ()
    """Bot versions, by name and number, whose boards do not count."""

    def left_out(self, pool: StoredPool) -> set[int]:
        """Return the numbers in a pool of the bots that are left out."""
        return {number for number, v in enumerate(pool.versions) if (v.name, v.version) in self.without}

    def scores(self, store: Store, pool: StoredPool) -> Scores:
        """Return the chosen boards of a pool, in the order of the schedule."""
        boards = finished_boards(store, pool)
        if self.since is not None:
            boards = {key: boards[key] for key in boards_since(store, pool, self.since) & boards.keys()}
        scores = Scores.of(pool.seats, len(pool.versions), [blob for _, blob in sorted(boards.items())])
        out = np.isin(scores.boards["entrant"], list(self.left_out(pool))).any(axis=1)
        return Scores(scores.seats, scores.entrants, scores.boards[~out])

    def table(self, store: Store, pool: StoredPool) -> TableOfPool:
        """Return the table that the chosen boards make, without the bots that are left out."""
        return make_table(pool, self.scores(store, pool), self.left_out(pool))

    @property
    def words(self) -> list[str]:
        """What is said of it above a table, each as one phrase; nothing where all boards count."""
        since = [] if self.since is None else [f"boards since {self.since.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"]
        return since + [f"without {name} {version}" for name, version in self.without]


EVERYTHING = Selection()


def read_time(text: str) -> datetime:
    """Return a moment written as ISO 8601, in UTC where no zone is given. Raises :class:`BadConfiguration`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise BadConfiguration(
            f"--since {text}: a date or time such as 2026-05-01 or 2026-05-01T18:30 is allowed, in UTC if without zone"
        ) from None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def versions_of(pools: Sequence[StoredPool], numbers: dict[int, list[int]]) -> tuple[tuple[str, int], ...]:
    """Return the bot versions with these numbers in each pool, by the pool's key."""
    found = (pool.versions[number] for pool in pools for number in numbers[pool.id])
    return tuple(dict.fromkeys((version.name, version.version) for version in found))
