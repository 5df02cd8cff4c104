"""How far the levels of all bots must move, found for all of them at once.

Sweeps alone move a bot towards what its own boards say, given the others as they are; between groups that rarely met
the news then travels a bot a sweep, and the sweeps seem to have settled long before they have. So each sweep ends with
a Newton step on all levels: linear equations in which a board ties its bots together, solved by conjugate gradients.
"""

from collections.abc import Sequence

import numpy as np

from tournament.ratings.boards import FloatArray, IntArray
from tournament.ratings.message import NOISE

_TOLERANCE = 1e-2
"""The step need not be more exact than the sweep that follows can tell."""
_NOTHING = 1e-100
"""In place of 0, where a board that had to end so says nothing of anybody."""


class Ties:
    """How the boards of one number of seats hold the levels of their bots together, along each ranking.

    A board knows the difference of neighbouring performances with some precision, and a performance differs from the
    skill by noise. With D the differences of neighbours, S the variances of what is known of them and N the variance of
    the noise, the board holds the levels with ``D' inverse(S + N D D') D``; what is inverted has three diagonals.
    """

    __slots__ = ("_bots", "_count", "_pivots")

    def __init__(self, bots: IntArray, precision: FloatArray, count: FloatArray) -> None:
        """Take the bots best first, how precisely neighbours are compared, and how often each board happened."""
        self._bots = bots
        self._count = count
        self._pivots = 1 / np.maximum(precision, _NOTHING) + 2 * NOISE
        for pair in range(1, len(precision)):
            self._pivots[pair] -= NOISE * NOISE / self._pivots[pair - 1]

    def pull(self, levels: FloatArray) -> FloatArray:
        """Return how the boards pull at each bot's level, in precision x points."""
        seated = levels.take(self._bots)
        pulls = seated[:-1] - seated[1:]
        last = len(pulls) - 1
        for pair in range(last):
            pulls[pair + 1] += NOISE / self._pivots[pair] * pulls[pair]
        pulls[last] /= self._pivots[last]
        for pair in range(last - 1, -1, -1):
            pulls[pair] += NOISE * pulls[pair + 1]
            pulls[pair] /= self._pivots[pair]
        pulls *= self._count
        total = np.zeros(len(levels))
        for pair, pull in enumerate(pulls):
            total += np.bincount(self._bots[pair], weights=pull, minlength=len(levels))
            total -= np.bincount(self._bots[pair + 1], weights=pull, minlength=len(levels))
        return total


def moves(residual: FloatArray, prior: float, precision: FloatArray, ties: Sequence[Ties]) -> FloatArray:
    """Return the move of each bot's level that meets the residual, which is in precision x points.

    ``prior`` is the precision of a level before any board, ``precision`` that of each bot's now. A board says nothing
    of its bots as a whole: where all move together, only the prior holds them.
    """
    level = np.zeros_like(residual)
    left = residual.copy()
    ahead = left / precision
    direction = ahead.copy()
    size = first = float((left * ahead).sum())
    for _ in range(len(residual)):
        if size <= _TOLERANCE * _TOLERANCE * first:
            break
        pull = prior * direction + sum((tie.pull(direction) for tie in ties), np.zeros(len(residual)))
        step = size / float((direction * pull).sum())
        level += step * direction
        left -= step * pull
        ahead = left / precision
        previous, size = size, float((left * ahead).sum())
        direction = ahead + size / previous * direction
    return level
