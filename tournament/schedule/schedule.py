"""What a schedule is: the g-th pairing, and how many there are.

Errors::

    ScheduleError(ValueError)
    ├── UnknownSchedule   no schedule has this id
    ├── BadSchedule       too few bots, or a number that is not allowed
    └── NoSuchPairing     the schedule has fewer pairings
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

from cardpit.games.seeds import SEED_SIZE

LEAST_SEATS, MOST_SEATS = 2, 6


class ScheduleError(ValueError):
    """Something asked of a schedule that it does not allow."""


class UnknownSchedule(ScheduleError):
    """No schedule has this id."""


class BadSchedule(ScheduleError):
    """Too few bots, or a number that is not allowed."""


class NoSuchPairing(ScheduleError):
    """The schedule has fewer pairings."""


class Schedule(ABC):
    """Pairings in a fixed order: a pure function of the bots, the seats, the seed and the number of the pairing.

    Nothing is listed beforehand, so that a tournament goes on from any pairing, and to resume it is enough to know
    which numbers are done. Bots are their positions in the tournament's list.
    """

    __slots__ = ("bots", "seats", "total")

    bots: int
    """How many bots there are."""
    seats: int
    """How many of them meet in a pairing."""
    total: int
    """How many pairings there are."""

    def pairing(self, g: int) -> tuple[int, ...]:
        """Return the bots of pairing ``g``, which counts from 0. Raises :class:`NoSuchPairing`."""
        if not 0 <= g < self.total:
            raise NoSuchPairing(f"pairing {g} of {self.total}: allowed are 0 to {self.total - 1}")
        return self._pairing(g)

    @abstractmethod
    def _pairing(self, g: int) -> tuple[int, ...]:
        """Return the bots of a pairing that there is."""

    def __len__(self) -> int:
        """Return the number of pairings."""
        return self.total

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Go through all pairings in their order."""
        return (self._pairing(g) for g in range(self.total))


def check(bots: int, seats: int, seed: bytes, rounds: int | None) -> None:
    """Raise :class:`BadSchedule` where no schedule of any kind can be made of these."""
    if not LEAST_SEATS <= seats <= MOST_SEATS:
        raise BadSchedule(f"{seats} seats: allowed are {LEAST_SEATS} to {MOST_SEATS}")
    if bots < seats:
        raise BadSchedule(f"{bots} bots for {seats} seats: at least {seats} bots are needed")
    if len(seed) != SEED_SIZE:
        raise BadSchedule(f"a seed of {len(seed)} bytes: it has {SEED_SIZE}")
    if rounds is not None and rounds < 1:
        raise BadSchedule(f"{rounds} rounds: allowed are 1 or more")
