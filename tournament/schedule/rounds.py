"""Schedules that go round by round: who meets in a round follows from the results of all rounds before it."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Self

from tournament.schedule.schedule import Schedule, Tally

Pair = tuple[int, int]


class Rounds(Schedule):
    """Rounds of equally many pairs. A subclass says which pairs a round has, given all pairs and results before it.

    The pairs of a round are a function of the bots, the seed and complete rounds alone: they do not depend on which
    board ended first, nor on where a run was interrupted.
    """

    __slots__ = ("_made", "_results", "_seed", "_size")

    adaptive = True

    def __init__(self, bots: int, seed: bytes, size: int, rounds: int) -> None:
        self.bots = bots
        self.seats = 2
        self.total = size * rounds
        self._size = size
        self._seed = seed
        self._results: Mapping[int, Tally] = {}
        self._made: list[Pair] = []

    def after(self, results: Mapping[int, Tally]) -> Self:
        """Return the schedule that knows these results."""
        found = copy(self)
        found._results = dict(results)
        more = all(results.get(g) == tally for g, tally in self._results.items())
        found._made = list(self._made) if more else []
        return found

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return self.total // self._size

    def known(self, g: int) -> bool:
        """Tell whether every round before that of a pairing is complete."""
        return all(earlier in self._results for earlier in range(g - g % self._size))

    def first_resting_on(self, g: int) -> int:
        """Return the first pairing of the next round."""
        return min(g - g % self._size + self._size, self.total)

    def meeting(self, g: int) -> int:
        """Return how often the bots of a pairing have met in earlier pairings."""
        bots = set(self.pairing(g))
        return sum(set(self._made[earlier]) == bots for earlier in range(g))

    def _pairing(self, g: int) -> Pair:
        while len(self._made) <= g:
            before = [(pair, self._results[number]) for number, pair in enumerate(self._made)]
            self._made += self._next_round(before)
        return self._made[g]

    @abstractmethod
    def _next_round(self, before: Sequence[tuple[Pair, Tally]]) -> Sequence[Pair]:
        """Return the pairs of the next round, given every pair so far with its result, in order."""
