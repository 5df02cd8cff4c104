"""The package ``trueskill``, typed: the yardstick for the platform's own ratings."""

from collections.abc import Sequence

import trueskill

from tournament.ratings.rating import BETA, MU, SIGMA


def rate_board(
    ratings: Sequence[tuple[float, float]], ranks: Sequence[int], draw_probability: float
) -> list[tuple[float, float]]:
    """Return mu and sigma of each bot after one board, by TrueSkill without dynamics.

    ``ratings`` are mu and sigma before, ``ranks`` are lower for the better and equal for a tie, in the same order.
    """
    environment = trueskill.TrueSkill(
        mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=draw_probability, backend=None
    )
    groups = [(environment.create_rating(mu, sigma),) for mu, sigma in ratings]
    rated = environment.rate(groups, ranks=list(ranks), min_delta=1e-9)
    return [(float(group[0].mu), float(group[0].sigma)) for group in rated]
