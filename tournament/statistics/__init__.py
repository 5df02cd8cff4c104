"""What results say beyond the ratings: head to head, ranks, what a plan resolves, and sequential tests.

::

    from tournament.statistics import Sprt, compare, groups, next_better, rank_intervals, resolution

    rows = ratings.ranked()
    next_better(rows[0], rows[1])       # P(the first is better than the second)
    rank_intervals(rows)                # [(1, 2), (1, 3), ...]: ranks that cannot be excluded at 95 %
    groups(rows)                        # ["a", "ab", "b", ...]: rows that share a letter cannot be told apart
    compare([3.0, -1.0, 2.5, 0.0])      # mean difference on a board, t-interval, P(better), sign
    resolution(players=2, boards=300)   # what so many boards of each bot will resolve
    Sprt(p0=0.50, p1=0.53).judge([0.5, 0.75, 1.0, 0.25])

``docs/ratings.md`` explains all of it.
"""

from tournament.statistics.head_to_head import (
    Difference,
    compare,
    mean_interval,
    probability_better,
    sign,
    signs_by_chance,
)
from tournament.statistics.ranks import groups, next_better, rank_intervals, runs
from tournament.statistics.resolution import expected_sigma, resolution, resolved_edge
from tournament.statistics.sprt import Sprt, Verdict, elo_score
from tournament.statistics.student import student_probability, student_quantile

__all__ = [
    "Difference",
    "Sprt",
    "Verdict",
    "compare",
    "elo_score",
    "expected_sigma",
    "groups",
    "mean_interval",
    "next_better",
    "probability_better",
    "rank_intervals",
    "resolution",
    "resolved_edge",
    "runs",
    "sign",
    "signs_by_chance",
    "student_probability",
    "student_quantile",
]
