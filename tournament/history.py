"""How the ratings of a pool came about: the table after the first boards of the schedule, again and again."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tournament.scores import Scores
from tournament.standings import rate_scores

Floats = npt.NDArray[np.float64]

POINTS = 20


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The ratings at some points, of all bots of a pool."""

    boards: tuple[int, ...]
    """On how many of the first boards each point rests, ascending; the last is all of them."""
    mu: Floats
    """Points x bots."""
    half_width: Floats
    """Points x bots: the skill was within so much of mu with 95 %."""


def history_of(scores: Scores, points: int = POINTS) -> History:
    """Rate the first boards, more and more of them, at ``points`` evenly spaced numbers; empty without a board.

    ``scores`` has the boards in the order of the schedule, so that the history, as the ratings, does not depend on
    which of them ended first.
    """
    count = len(scores)
    numbers = tuple(sorted({round(count * (point + 1) / points) for point in range(points)} - {0}))
    ratings = [rate_scores(Scores(scores.seats, scores.entrants, scores.boards[:number])) for number in numbers]
    shape = (len(numbers), scores.entrants)
    return History(
        boards=numbers,
        mu=np.array([[row.mu for row in each] for each in ratings]).reshape(shape),
        half_width=np.array([[row.half_width for row in each] for each in ratings]).reshape(shape),
    )
