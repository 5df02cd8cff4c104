"""Two bots against each other: the differences of their scores on the boards that both were at.

A board is one observation, since its matches share their cards. The mean difference has Student's t distribution around
the true one, but for few boards with few possible scores, which may all look alike. So two boards are added in thought,
one for each bot, as A. Agresti and B. A. Coull ("Approximate is better than exact for interval estimation of binomial
proportions", The American Statistician 52, 1998) do with shares. Of equal bots then at most 5 % get a sign, however
many boards they have, and at most 6.4 % where every board is won or lost by the same margin; without the two boards it
would be 12 % of those with 7 such boards.
"""

import functools
import math
from collections.abc import Iterable
from typing import NamedTuple

from tournament.statistics.student import student_probability, student_quantile


class Difference(NamedTuple):
    """By how much one bot scored more than another on a board."""

    boards: int
    mean: float
    low: float
    """The lower end of the interval; minus infinity where a single board says nothing of the spread."""
    high: float
    better: float
    """The probability that the true difference is above 0."""

    @property
    def sign(self) -> str:
        """``+`` or ``-`` where the interval is on one side of 0, else nothing."""
        return sign(self.low, self.high)


def compare(differences: Iterable[float], confidence: float = 0.95) -> Difference:
    """Return the mean of score differences on boards, its interval and P(better)."""
    values = list(differences)
    count = len(values)
    mean = math.fsum(values) / count if count else 0.0
    squares = math.fsum((value - mean) ** 2 for value in values)
    # What rounding leaves of equal differences is no spread.
    deviation = math.sqrt(squares / (count - 1)) if count > 1 and min(values) < max(values) else 0.0
    low, high = mean_interval(count, mean, deviation, confidence)
    return Difference(count, mean, low, high, probability_better(count, mean, deviation))


def mean_interval(count: int, mean: float, deviation: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the t-interval of a mean of so many observations with this standard deviation (of ``count - 1``).

    Without two observations it is infinite on both sides. Equal ones have an interval too: it excludes 0 from six on.
    """
    error = _error(count, mean, deviation)
    if math.isinf(error):
        return -math.inf, math.inf
    half = _quantile(0.5 + confidence / 2, count - 1) * error
    return mean - half, mean + half


def probability_better(count: int, mean: float, deviation: float) -> float:
    """Return the probability that the true mean is above 0, with nothing known beforehand; 0.5 where nothing is."""
    error = _error(count, mean, deviation)
    return student_probability(mean / error, max(count - 1, 1)) if error else 0.5


def sign(low: float, high: float) -> str:
    """Return ``+`` or ``-`` where an interval is on one side of 0, else nothing."""
    return "+" if low > 0 else "-" if high < 0 else ""


def signs_by_chance(pairs: int, confidence: float = 0.95) -> float:
    """Return how many of so many pairs of equal bots get a sign on average."""
    return pairs * (1 - confidence)


def _error(count: int, mean: float, deviation: float) -> float:
    """Return the standard error of a mean, with two more observations taken for granted: one each way.

    Both are as far from 0 as the others are (the root of their mean square), so that they draw the mean towards 0 and
    show some spread where the others show none.
    """
    if count < 2:
        return math.inf
    square = mean * mean + deviation * deviation * (count - 1) / count
    drawn = mean * count / (count + 2)
    return math.sqrt(max(square - drawn * drawn, 0.0) / (count + 1)) * (count + 2) / count


@functools.lru_cache(maxsize=4096)
def _quantile(probability: float, freedom: int) -> float:
    return student_quantile(probability, freedom)
