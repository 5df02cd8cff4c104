"""Who scored how much against whom."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from tournament.scores import Scores
from tournament.statistics import mean_interval, probability_better, sign

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Encounter:
    """What a bot did against another, on all boards that they met on."""

    boards: int
    score_percent: float
    """Matches in which it finished ahead of the other, ties half, in percent."""
    difference: float
    """By how much its score on a board was the higher one, in the mean."""
    better: float
    """The probability that the true difference is above 0."""
    sign: str
    """``+`` or ``-`` where the difference is not zero at 95 %, else empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Crosstable:
    """Every pair of bots of a pool, as matrices of rows against columns."""

    seats: int
    boards: Floats
    ahead: Floats
    """Matches in which the row finished ahead, ties half."""
    sums: Floats
    """The sum of the differences of their scores on a board."""
    squares: Floats
    """The sum of the squares of these differences."""

    def encounter(self, row: int, column: int) -> Encounter | None:
        """Return what a bot did against another; None where they have not met."""
        count = int(self.boards[row, column])
        if not count:
            return None
        mean = float(self.sums[row, column]) / count
        spread = max(0.0, float(self.squares[row, column]) - count * mean * mean)
        deviation = (spread / (count - 1)) ** 0.5 if count > 1 else 0.0
        return Encounter(
            boards=count,
            score_percent=100 * float(self.ahead[row, column]) / (count * self.seats),
            difference=mean,
            better=probability_better(count, mean, deviation),
            sign=sign(*mean_interval(count, mean, deviation)),
        )


def cross(scores: Scores) -> Crosstable:
    """Add up the boards of a pool by pairs of bots."""
    size = scores.entrants
    boards, ahead, sums, squares = (np.zeros(size * size) for _ in range(4))
    for own, other in permutations(range(scores.seats), 2):
        keys = scores.boards["entrant"][:, own].astype(np.intp) * size + scores.boards["entrant"][:, other]
        difference = scores.boards["score"][:, own] - scores.boards["score"][:, other]
        boards += np.bincount(keys, minlength=size * size)
        ahead += np.bincount(keys, weights=scores.boards["ahead"][:, own, other], minlength=size * size)
        sums += np.bincount(keys, weights=difference, minlength=size * size)
        squares += np.bincount(keys, weights=difference**2, minlength=size * size)
    return Crosstable(scores.seats, *(matrix.reshape(size, size) for matrix in (boards, ahead, sums, squares)))
