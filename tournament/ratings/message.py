"""What one board says of the skill of each of its bots: TrueSkill's update, on many boards at once.

A bot performs with its skill plus normal noise of ``BETA``; the ranking says that the difference of neighbouring
performances is above the draw margin, or within it where they tie. Each such statement is made normal by moments
(:mod:`tournament.ratings.gaussian`), and these pass along the ranking in both directions. A normal is kept as its
precision, 1 / variance, and its precision times its mean, in which products are sums.

Source: R. Herbrich, T. Minka, T. Graepel, "TrueSkill: a Bayesian skill rating system", 2006, figure 1.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from tournament.ratings import gaussian
from tournament.ratings.boards import BoolArray, FloatArray
from tournament.ratings.rating import BETA

NOISE = BETA**2
"""The variance of a performance around the skill."""


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """What passes between neighbours of a ranking: first precisions, then precisions x means."""

    to_left: FloatArray
    """2 x (seats - 1) x boards: from the statement of each pair to the better bot."""
    to_right: FloatArray
    """The same to the worse bot."""
    precision: FloatArray
    """(Seats - 1) x boards: how precisely each statement fixes the difference of two performances."""

    @classmethod
    def empty(cls, seats: int, boards: int) -> Self:
        """Return a chain before anything passed."""
        return cls(np.zeros((2, seats - 1, boards)), np.zeros((2, seats - 1, boards)), np.zeros((seats - 1, boards)))

    def part(self, boards: slice) -> "Chain":
        """Return a view of some of the boards."""
        return Chain(self.to_left[..., boards], self.to_right[..., boards], self.precision[..., boards])


def messages(cavity: FloatArray, tied: BoolArray, margin: float, chain: Chain, passes: int) -> FloatArray:
    """Return what each board says of each bot's skill: 2 (precision, precision x mean) x seats x boards.

    ``cavity`` is what is known of the skills without the board, in the same form, best bot first. The ``chain`` is
    read, and left as it is after so many passes from the best to the worst bot and back: one is enough for two seats,
    and wherever the chain comes from an earlier call.
    """
    seats = cavity.shape[1]
    # What each bot's own skill says of its performance.
    own = cavity / (1 + NOISE * cavity[0])
    for _ in range(passes):
        for pair in range(seats - 1):
            _state(own, tied, margin, chain, pair)
        for pair in range(seats - 3, -1, -1):
            _state(own, tied, margin, chain, pair)
    said = np.zeros_like(cavity)
    said[:, :-1] += chain.to_left
    said[:, 1:] += chain.to_right
    said /= 1 + NOISE * said[0]
    return said


def _state(own: FloatArray, tied: BoolArray, margin: float, chain: Chain, pair: int) -> None:
    """Compare the places ``pair`` and ``pair + 1`` and tell both what follows."""
    better, worse = own[:, pair], own[:, pair + 1]
    if pair:
        better = better + chain.to_right[:, pair - 1]
    if pair + 2 < own.shape[1]:
        worse = worse + chain.to_left[:, pair + 1]
    better_mean, worse_mean = better[1] / better[0], worse[1] / worse[0]
    variance = 1 / better[0] + 1 / worse[0]
    deviation = np.sqrt(variance)
    difference = (better_mean - worse_mean) / deviation
    v, w = gaussian.win(difference, margin / deviation)
    ties = np.flatnonzero(tied[pair])
    if len(ties):
        v[ties], w[ties] = gaussian.draw(difference[ties], margin / deviation[ties])
    left_over = variance * (1 - w)
    precision = chain.precision[pair] = w / left_over
    # The mean of the statement on the difference, times its precision.
    shift = ((better_mean - worse_mean) * w + deviation * v) / left_over
    to_left = worse[0] / (precision + worse[0])
    to_right = better[0] / (precision + better[0])
    chain.to_left[0, pair] = precision * to_left
    chain.to_left[1, pair] = (shift + precision * worse_mean) * to_left
    chain.to_right[0, pair] = precision * to_right
    chain.to_right[1, pair] = (precision * better_mean - shift) * to_right
