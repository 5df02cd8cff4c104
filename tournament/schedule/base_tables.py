"""Base tables whose distances are even: the search behind :mod:`tournament.schedule.cyclic`.

Places stand in a circle of m. Each table adds to the counts of the distances between its places, forwards and
backwards; the counts are most even where the sum of their squares is least. A table is begun with the rarest distances,
then single places of it are exchanged as long as it helps or does no harm. Only whole numbers are compared, so that
every machine finds the same.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cardpit.games.seeds import Stream

Counts = npt.NDArray[np.int64]
"""How often each distance has occurred, from 0 to m - 1."""

_BEGINNINGS = 6
"""How often a base table is begun anew at most."""
_EXCHANGES = 30
"""How often a place of each is exchanged at most."""


def next_base(counts: Counts, seats: int, stream: Stream) -> tuple[int, ...]:
    """Return the base table that leaves the counts as even as they are found to become."""
    best: list[int] = []
    least = -1
    for _ in range(_BEGINNINGS):
        base = [0]
        while len(base) < seats:
            base.append(_rarest_place(counts, base, stream))
        base, unevenness, even = _exchanged(counts, base, stream)
        if least < 0 or unevenness < least:
            best, least = base, unevenness
        if even:
            break
    return tuple(best)


def _exchanged(counts: Counts, base: list[int], stream: Stream) -> tuple[list[int], int, bool]:
    """Return the base table after exchanges, the unevenness that it leaves, and whether no more even one can be."""
    bots = len(counts)
    after = counts + distances(base, bots)
    unevenness = int((after * after).sum())
    for _ in range(_EXCHANGES):
        if bots == 1 or after[1:].max() - after[1:].min() <= 1:
            return base, unevenness, True
        position = stream.below(len(base))
        others = base[:position] + base[position + 1 :]
        tried = [*others[:position], _rarest_place(counts, others, stream), *others[position:]]
        tried_after = counts + distances(tried, bots)
        tried_unevenness = int((tried_after * tried_after).sum())
        if tried_unevenness <= unevenness:
            base, after, unevenness = tried, tried_after, tried_unevenness
    return base, unevenness, False


def distances(base: Sequence[int], bots: int) -> Counts:
    """Return how often each distance occurs between the places of a base table, forwards and backwards."""
    apart = [(place - other) % bots for place in base for other in base if place != other]
    return np.bincount(np.array(apart, dtype=np.int64), minlength=bots).astype(np.int64)


def _rarest_place(counts: Counts, base: Sequence[int], stream: Stream) -> int:
    """Return the free place that adds least to the unevenness, any of them where they are equal."""
    bots = len(counts)
    met = 2 * (counts + distances(base, bots))
    if bots % 2 == 0:
        # Two opposite places are as far apart forwards as backwards.
        met[bots // 2] += 1
    places = np.arange(bots)
    cost = np.zeros(bots, dtype=np.int64)
    for index, place in enumerate(base):
        cost += met[(places - place) % bots]
        for other in base[:index]:
            # A place between two others, as far from both, has the same distance twice.
            cost += 2 * ((2 * places - place - other) % bots == 0)
    cost[list(base)] = cost.max() + 1
    best = np.flatnonzero(cost == cost.min())
    return int(best[stream.below(len(best))])
