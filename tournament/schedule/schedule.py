"""What a schedule is: the g-th pairing, and how many there are.

Errors::

    ScheduleError(ValueError)
    ├── UnknownSchedule   no schedule has this id
    ├── BadSchedule       too few bots, or a number that is not allowed
    └── NoSuchPairing     the schedule has fewer pairings
        └── NotYetKnown   it follows from boards that are not finished
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from cardpit.games.seeds import SEED_SIZE

LEAST_SEATS, MOST_SEATS = 2, 6

WARNING = "adaptive: intervals do not hold"
"""Stands wherever ratings are shown whose pairings were chosen such that their intervals are wrong."""


class ScheduleError(ValueError):
    """Something asked of a schedule that it does not allow."""


class UnknownSchedule(ScheduleError):
    """No schedule has this id."""


class BadSchedule(ScheduleError):
    """Too few bots, or a number that is not allowed."""


class NoSuchPairing(ScheduleError):
    """The schedule has fewer pairings."""


class NotYetKnown(NoSuchPairing):
    """Who meets in a pairing follows from boards that are not finished."""


class Tally(NamedTuple):
    """What two bots did in a pairing, all boards of which are finished; both values are in the pairing's order."""

    score: tuple[float, float]
    """The sum of the payoffs."""
    won: tuple[int, int]
    """Boards on which it had the higher score."""
    level: int
    """Boards on which both had the same score."""

    @property
    def points(self) -> tuple[float, float]:
        """1 for the higher score, 0 for the lower one, a half each where they are the same."""
        first, second = self.score
        return (first > second) + (first == second) / 2, (second > first) + (first == second) / 2


class Schedule(ABC):
    """Pairings in a fixed order: a pure function of the bots, the seats, the seed and the number of the pairing.

    Nothing is listed beforehand, so that a tournament goes on from any pairing, and to resume it is enough to know
    which numbers are done. Bots are their positions in the tournament's list.

    An adaptive schedule is a function of the earlier results too: ``schedule.after(results)`` knows those pairings that
    the results decide.
    """

    __slots__ = ("bots", "seats", "total")

    adaptive: ClassVar[bool] = False
    """Whether who meets whom follows from results."""
    intervals_hold: ClassVar[bool] = True
    """Whether the intervals of ratings contain the truth as often as they say."""

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
        if not self.known(g):
            raise NotYetKnown(f"pairing {g} of {self.total}: it follows from earlier ones that are not finished")
        return self._pairing(g)

    def known(self, g: int) -> bool:
        """Tell whether the results so far decide who meets in a pairing that there is."""
        return True

    def after(self, results: Mapping[int, Tally]) -> "Schedule":
        """Return the schedule that knows these results, by the number of the pairing; itself if they do not matter."""
        return self

    @property
    def rounds(self) -> int | None:
        """How many rounds there are, where each rests on those before it, else None."""
        return None

    def first_resting_on(self, g: int) -> int:
        """Return the first pairing that may follow from the result of pairing ``g``; ``total`` where none does."""
        return self.total

    def meeting(self, g: int) -> int:
        """Return how often the bots of a pairing have met before: each time they play other boards."""
        return 0

    def account(self, labels: Sequence[str]) -> list[str]:
        """Return, line by line, what the format itself says of the results so far; ``labels`` name the bots."""
        return []

    def newcomer(self, bot: int, seed: bytes) -> "Schedule":
        """Return the pairings of a bot that came later with those of smaller numbers.

        Raises :class:`BadSchedule` where a bot that comes later cannot be given its due.
        """
        raise BadSchedule("no bot can come later: round-robin, every-table and a gauntlet of two seats take some")

    @abstractmethod
    def _pairing(self, g: int) -> tuple[int, ...]:
        """Return the bots of a pairing that there is."""

    def __len__(self) -> int:
        """Return the number of pairings."""
        return self.total

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Go through all pairings in their order. Raises :class:`NotYetKnown` at the first that is not known."""
        return (self.pairing(g) for g in range(self.total))


def check(bots: int, seats: int, seed: bytes, rounds: int | None, third_place: bool = False) -> None:
    """Raise :class:`BadSchedule` where no schedule of any kind can be made of these."""
    if third_place:
        raise BadSchedule("a pairing for the third place: only a knockout has one")
    if not LEAST_SEATS <= seats <= MOST_SEATS:
        raise BadSchedule(f"{seats} seats: allowed are {LEAST_SEATS} to {MOST_SEATS}")
    if bots < seats:
        raise BadSchedule(f"{bots} bots for {seats} seats: at least {seats} bots are needed")
    if len(seed) != SEED_SIZE:
        raise BadSchedule(f"a seed of {len(seed)} bytes: it has {SEED_SIZE}")
    if rounds is not None and rounds < 1:
        raise BadSchedule(f"{rounds} rounds: allowed are 1 or more")


def check_adaptive(
    kind: str,
    bots: int,
    seats: int,
    seed: bytes,
    rounds: int | None,
    challengers: Sequence[int],
    third_place: bool = False,
) -> None:
    """Raise :class:`BadSchedule` where no schedule that goes by results can be made of these."""
    if seats != 2:
        raise BadSchedule(f"{seats} seats: {kind} pairs two bots; for more, round-robin is allowed")
    if challengers:
        raise BadSchedule(f"challengers {list(challengers)} in {kind}: only a gauntlet has challengers")
    check(bots, seats, seed, rounds, third_place)
