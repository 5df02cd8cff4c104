"""Every table that the bots can form."""

from collections.abc import Sequence
from math import comb

from tournament.schedule.permutation import Permutation
from tournament.schedule.schedule import BadSchedule, Schedule, check


class EveryTable(Schedule):
    """Every choice of bots for the seats once in each round, in random order.

    The largest schedule without a repetition, for few bots: 12 bots at 6 seats make 924 tables, 100 bots more than a
    thousand million. Raises :class:`BadSchedule` where there are fewer bots than seats.
    """

    __slots__ = ("_order",)

    def __init__(
        self,
        bots: int,
        seats: int,
        seed: bytes,
        rounds: int | None = None,
        challengers: Sequence[int] = (),
        third_place: bool = False,
    ) -> None:
        check(bots, seats, seed, rounds, third_place)
        if challengers:
            raise BadSchedule(f"challengers {list(challengers)} at every table: only a gauntlet has challengers")
        self.bots = bots
        self.seats = seats
        self._order = Permutation(comb(bots, seats), seed, "schedule/tables")
        self.total = self._order.size * (rounds or 1)

    def newcomer(self, bot: int, seed: bytes) -> Schedule:
        """Return every table that a bot that came later can form with those of smaller numbers."""
        return _TablesOfOne(bot + 1, self.seats, seed)

    def _pairing(self, g: int) -> tuple[int, ...]:
        return combination(self._order.place(g % self._order.size), self.seats)


class _TablesOfOne(Schedule):
    """Every choice of bots for the seats that has the last bot, once, in random order."""

    __slots__ = ("_order",)

    def __init__(self, bots: int, seats: int, seed: bytes) -> None:
        self.bots = bots
        self.seats = seats
        self._order = Permutation(comb(bots - 1, seats - 1), seed, "schedule/tables")
        self.total = self._order.size

    def _pairing(self, g: int) -> tuple[int, ...]:
        return (*combination(self._order.place(g), self.seats - 1), self.bots - 1)


def combination(rank: int, size: int) -> tuple[int, ...]:
    """Return the combination of ``size`` numbers with this rank, which counts from 0, in ascending order.

    Source: the combinatorial number system, D. E. Knuth, "The art of computer programming" 4A, 7.2.1.3.
    """
    chosen = []
    for left in range(size, 0, -1):
        # The largest number such that the combinations of smaller ones are not more than the rank.
        low, high = left - 1, left
        while comb(high, left) <= rank:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if comb(middle, left) <= rank else (low, middle)
        chosen.append(low)
        rank -= comb(low, left)
    return tuple(reversed(chosen))
