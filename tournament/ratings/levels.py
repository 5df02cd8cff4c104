"""How far the levels of all bots must move, found for all of them at once.

Sweeps alone move a bot towards what its own boards say, given the others as they are; between groups that rarely met
the news then travels a bot a sweep, and the sweeps seem to have settled long before they have. So each sweep ends with
a Newton step on all levels: linear equations in which a board ties its bots together, solved by conjugate gradients.
"""

from collections.abc import Sequence

import numpy as np

from tournament.ratings.boards import FloatArray, IntArray

_TOLERANCE = 1e-2
"""The step need not be more exact than the sweep that follows can tell."""


class Ties:
    """How strongly the boards of one number of seats tie the levels of their bots together."""

    __slots__ = ("_bots", "_share", "_strength")

    def __init__(self, bots: IntArray, strength: FloatArray) -> None:
        """Take the bots and the precision of what each board says of each of them, both seats x boards."""
        seats = len(bots)
        self._bots = bots
        self._strength = strength * (seats / (seats - 1))
        self._share = strength / strength.sum(axis=0)

    def pull(self, levels: FloatArray) -> FloatArray:
        """Return how the boards pull at each bot's level: with its strength to the mean of its table."""
        apart = levels.take(self._bots)
        apart -= (self._share * apart).sum(axis=0)
        apart *= self._strength
        total = np.zeros(len(levels))
        for seated, pulls in zip(self._bots, apart, strict=True):
            total += np.bincount(seated, weights=pulls, minlength=len(levels))
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
