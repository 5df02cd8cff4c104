"""Tables of several bots by turning a base table: every bot plays as often, and meets all others about equally.

The bots stand in a circle of m places. A base table takes n of the places; turned by every number of places it makes m
tables, in which each bot plays n times, once in each position. Two bots meet as often as the distance between their
places occurs in the base table; so base tables are chosen such that all distances occur equally often. Where one base
table does it, it is a difference set: R. C. Bose, "On the construction of balanced incomplete block designs", Annals of
Eugenics 9 (1939).
"""

import numpy as np

from cardpit.games.seeds import Stream
from tournament.schedule.base_tables import Counts, distances, next_base


class CyclicTables:
    """Tables in rounds, found by their number alone; in each round every bot plays equally often.

    A round is a base table turned by every number of places in random order, or the one table where there are just as
    many bots as seats. The base tables so far are kept: a few numbers a round.
    """

    __slots__ = ("_bases", "_counts", "_order", "_seats", "_seed", "_turns", "_turns_of", "tables")

    tables: int
    """Tables in a round."""

    def __init__(self, bots: int, seats: int, seed: bytes) -> None:
        self._seats = seats
        self._seed = seed
        self._order = Stream(seed, "schedule/order").shuffled(range(bots))
        self._bases: list[tuple[int, ...]] = []
        self._counts: Counts = np.zeros(bots, dtype=np.int64)
        self._turns: tuple[int, ...] = ()
        self._turns_of = -1
        self.tables = bots if bots > seats else 1

    def table(self, g: int) -> tuple[int, ...]:
        """Return the bots of table ``g``, which counts over all rounds."""
        round_number, within = divmod(g, self.tables)
        bots = len(self._order)
        if self.tables == 1:
            return self._order
        base = self._base(round_number)
        if self._turns_of != round_number:
            self._turns = Stream(self._seed, f"schedule/turns/{round_number}").shuffled(range(bots))
            self._turns_of = round_number
        turn = self._turns[within]
        return tuple(self._order[(place + turn) % bots] for place in base)

    def rounds_to_meet(self) -> int:
        """Return in how many rounds every bot meets every other.

        It is one more than the fewest that could do, because no tables are that perfect for most numbers of bots; with
        so few bots that one round does it easily, it is one.
        """
        others, met = len(self._order) - 1, self._seats * (self._seats - 1)
        return 1 if self.tables == 1 or 2 * met >= 3 * others else 1 - (-others // met)

    def _base(self, round_number: int) -> tuple[int, ...]:
        """Return the places of a round's base table, which follow from those of the rounds before."""
        while len(self._bases) <= round_number:
            stream = Stream(self._seed, f"schedule/base/{len(self._bases)}")
            base = next_base(self._counts, self._seats, stream)
            self._bases.append(base)
            self._counts = self._counts + distances(base, len(self._order))
        return self._bases[round_number]
