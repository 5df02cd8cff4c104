"""Tables of several bots by turning a base table: every bot plays as often, and meets all others about equally.

The bots stand in a circle of m places. A base table takes n of the places; turned by every number of places it makes m
tables, in which each bot plays n times, once in each position. Two bots meet as often as the distance between their
places occurs in the base table; so base tables are chosen such that all distances occur equally often. Where one base
table does it, it is a difference set: R. C. Bose, "On the construction of balanced incomplete block designs", Annals of
Eugenics 9 (1939).
"""

import numpy as np
import numpy.typing as npt

from cardpit.games.seeds import Stream

Counts = npt.NDArray[np.int64]
"""By distance from 0 to m - 1, forwards: how often two bots so far apart have met."""

_BEGINNINGS = 200
"""Base tables begun anew, of which the best is taken."""
_MOST_REPAIRS = 8
"""How often all places of a base table are tried again at most."""


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

    def rounds_until_all_met(self) -> int:
        """Return the fewest rounds in which every bot can meet every other, 1 or more."""
        others = len(self._order) - 1
        return 1 if self.tables == 1 else -(-others // max(self._seats * (self._seats - 1), 1))

    def _base(self, round_number: int) -> tuple[int, ...]:
        """Return the places of a round's base table, which follow from those of the rounds before."""
        while len(self._bases) <= round_number:
            stream = Stream(self._seed, f"schedule/base/{len(self._bases)}")
            base = _best_base(self._counts, self._seats, stream)
            self._bases.append(base)
            self._counts = self._counts + _distances(base, len(self._order))
        return self._bases[round_number]


def _best_base(counts: Counts, seats: int, stream: Stream) -> tuple[int, ...]:
    """Return the base table after which the counts are most even, as far as it is found."""
    bots = len(counts)
    preference = np.array(stream.shuffled(range(bots)), dtype=np.int64)
    best: tuple[int, ...] = ()
    least = -1
    for _ in range(_BEGINNINGS):
        preference = np.roll(preference, stream.below(bots))
        base = [0]
        while len(base) < seats:
            base.append(_next_place(counts, base, preference))
        base = _repaired(counts, base, preference)
        unevenness = _unevenness(counts, base)
        if least < 0 or unevenness < least:
            best, least = tuple(base), unevenness
    return best


def _repaired(counts: Counts, base: list[int], preference: Counts) -> list[int]:
    """Return the base table after places were exchanged for better ones while there were any."""
    least = _unevenness(counts, base)
    for _ in range(_MOST_REPAIRS):
        before = least
        for position in range(len(base)):
            others = base[:position] + base[position + 1 :]
            tried = base.copy()
            tried[position] = _next_place(counts, others, preference) if others else 0
            unevenness = _unevenness(counts, tried)
            if unevenness < least:
                base, least = tried, unevenness
        if least == before:
            break
    return base


def _next_place(counts: Counts, base: list[int], preference: Counts) -> int:
    """Return the free place whose distances to those of the base table are the rarest."""
    bots = len(counts)
    met = counts + _distances(base, bots)
    places = np.arange(bots)
    cost = np.zeros(bots, dtype=np.int64)
    for place in base:
        cost += met[(places - place) % bots]
    # A place between two others, equally far from both, has the same distance twice.
    for index, place in enumerate(base):
        for other in base[:index]:
            cost += (2 * places - place - other) % bots == 0
    cost[base] = cost.max() + 1
    return int(np.argmin(cost * bots + preference))


def _distances(base: list[int] | tuple[int, ...], bots: int) -> Counts:
    """Return how often each distance occurs between the places of a base table, forwards and backwards."""
    distances = [(place - other) % bots for place in base for other in base if place != other]
    return np.bincount(np.array(distances, dtype=np.int64), minlength=bots).astype(np.int64)


def _unevenness(counts: Counts, base: list[int]) -> int:
    """Return the sum of the squares of all counts after a base table: least where they are most even."""
    after = counts + _distances(base, len(counts))
    return int((after * after).sum())
