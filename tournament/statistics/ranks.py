"""What can be said of an order of ratings: who is better, which ranks are possible, who cannot be told apart."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tournament.ratings import NORMAL_95, Rating
from tournament.statistics.student import normal_probability


def next_better(rating: Rating, below: Rating) -> float:
    """Return the probability that a bot's skill is above that of the one below it."""
    return normal_probability((rating.mu - below.mu) / math.hypot(rating.sigma, below.sigma))


def rank_intervals(ratings: Sequence[Rating]) -> list[tuple[int, int]]:
    """Return the best and the worst rank of each bot that cannot be excluded at 95 %, in the order given.

    A bot's best rank is behind those that are surely better, its worst before those that are surely worse, each pair
    judged by itself.
    """
    mu, variance = _arrays(ratings)
    intervals = []
    for own, own_variance in zip(mu, variance, strict=True):
        ahead = (mu - own) / np.sqrt(variance + own_variance)
        better, worse = int((ahead > NORMAL_95).sum()), int((ahead < -NORMAL_95).sum())
        intervals.append((1 + better, len(ratings) - worse))
    return intervals


def groups(ratings: Sequence[Rating]) -> list[str]:
    """Return the letters of each row of a table: rows that share one cannot be told apart at 95 %.

    Letters go from a to z, then aa, ab and so on; where a row has several, spaces are between them. A row that can be
    told from all others has none. Each letter is a run of neighbouring rows, as long as no two of its rows can be told
    apart.
    """
    letters: list[list[str]] = [[] for _ in ratings]
    for number, (first, last) in enumerate(runs(ratings)):
        for row in range(first, last + 1):
            letters[row].append(_letters(number))
    return [" ".join(row) if any(len(each) > 1 for each in row) else "".join(row) for row in letters]


def runs(ratings: Sequence[Rating]) -> list[tuple[int, int]]:
    """Return the longest runs of neighbouring rows of which no two can be told apart: first and last row, from 0."""
    mu, variance = _arrays(ratings)
    found: list[tuple[int, int]] = []
    first = 0
    for last in range(len(ratings)):
        apart = np.abs(mu[first:last] - mu[last]) > NORMAL_95 * np.sqrt(variance[first:last] + variance[last])
        if apart.any():
            found.append((first, last - 1))
            first += int(np.flatnonzero(apart)[-1]) + 1
    found.append((first, len(ratings) - 1))
    return [run for run in found if run[0] < run[1]]


def _letters(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ..."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("a") + digit) + text
    return text


def _arrays(ratings: Sequence[Rating]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    return np.array([rating.mu for rating in ratings]), np.array([rating.sigma**2 for rating in ratings])
