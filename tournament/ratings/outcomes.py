"""Boards as rankings: equal outcomes of the same bots together, in an order that no input can change."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tournament.ratings.boards import Block, BoolArray, FloatArray, IntArray

_WORD_BITS = 62
"""Bits of a sorting key that fit in one whole number."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The distinct outcomes of boards of one number of seats, in ascending order."""

    bots: IntArray
    """Seats x outcomes: the bots best first, tied ones in ascending order."""
    tied: BoolArray
    """(Seats - 1) x outcomes: whether a place is shared with the next one."""
    count: FloatArray
    """How often each outcome happened."""

    @property
    def seats(self) -> int:
        """The number of bots at a table."""
        return len(self.bots)


def gather(blocks: Sequence[Block], bots: int) -> list[Outcomes]:
    """Return the outcomes of the blocks for each number of seats, fewest first."""
    by_seats: dict[int, list[Block]] = {}
    for block in blocks:
        by_seats.setdefault(block.bots.shape[1], []).append(block)
    return [_distinct([_ranked(block) for block in by_seats[seats]], bots) for seats in sorted(by_seats)]


def tied_share(outcomes: Sequence[Outcomes]) -> float:
    """Return the share of neighbouring places that are tied, counted over all boards; 0 without boards."""
    tied = sum(float((each.tied * each.count).sum()) for each in outcomes)
    places = sum(float(each.count.sum()) * (each.seats - 1) for each in outcomes)
    return tied / places if places else 0.0


def _ranked(block: Block) -> Outcomes:
    """Return the boards of a block with their bots best first."""
    bots = [np.ascontiguousarray(column) for column in block.bots.T]
    scores = [np.ascontiguousarray(column) for column in block.scores.T]
    # A bubble sort by whole columns: tables are small and there are many of them.
    for last in range(len(bots) - 1, 0, -1):
        for left in range(last):
            right = left + 1
            wrong = (scores[left] < scores[right]) | ((scores[left] == scores[right]) & (bots[left] > bots[right]))
            bots[left], bots[right] = np.where(wrong, bots[right], bots[left]), np.where(wrong, bots[left], bots[right])
            scores[left], scores[right] = (
                np.maximum(scores[left], scores[right]),
                np.minimum(scores[left], scores[right]),
            )
    tied = np.array([high == low for high, low in pairwise(scores)])
    return Outcomes(np.array(bots), tied, block.count.astype(np.float64))


def _distinct(parts: Sequence[Outcomes], bots: int) -> Outcomes:
    """Return the distinct outcomes of several parts with their counts added, in ascending order."""
    seated = np.concatenate([part.bots for part in parts], axis=1)
    tied = np.concatenate([part.tied for part in parts], axis=1)
    count = np.concatenate([part.count for part in parts])
    keys = _keys(seated, tied, bots)
    order = np.argsort(keys[0], kind="stable") if len(keys) == 1 else np.lexsort(keys)
    new = np.ones(len(order), dtype=np.bool_)
    if len(order) > 1:
        new[1:] = np.any([key[order[1:]] != key[order[:-1]] for key in keys], axis=0)
    starts = np.flatnonzero(new)
    chosen = order[starts]
    # Counts are whole numbers, so that their sums are exact in any order.
    total = np.add.reduceat(count[order], starts) if len(starts) else count
    return Outcomes(np.ascontiguousarray(seated[:, chosen]), np.ascontiguousarray(tied[:, chosen]), total)


def _keys(seated: IntArray, tied: BoolArray, bots: int) -> list[IntArray]:
    """Return whole numbers that name each outcome, as few as hold it."""
    bits = max(bots - 1, 1).bit_length()
    keys = [np.zeros(seated.shape[1], dtype=np.int64)]
    used = 0
    for column, width in [(seat, bits) for seat in seated] + [(tie, 1) for tie in tied]:
        if used + width > _WORD_BITS:
            keys.append(np.zeros(seated.shape[1], dtype=np.int64))
            used = 0
        keys[-1] = (keys[-1] << width) | column
        used += width
    return [key.astype(np.intp) for key in keys]
