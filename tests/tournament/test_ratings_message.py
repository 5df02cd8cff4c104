"""What one board says, against the package and against the definition of the truncated normal."""

import math
from random import Random
from statistics import NormalDist

import numpy as np
import pytest

from tournament.ratings import SIGMA, gaussian
from tournament.ratings.message import Chain, messages
from tournament.ratings.order_free import draw_margin
from tournament.ratings.reference import rate_board


def update(
    ratings: list[tuple[float, float]], tied: list[bool], draw_probability: float, passes: int = 30
) -> list[tuple[float, float]]:
    """Return mu and sigma after one board, best bot first."""
    cavity = np.array([[[sigma**-2] for _, sigma in ratings], [[mu * sigma**-2] for mu, sigma in ratings]])
    chain = Chain.empty(len(ratings), 1)
    ties = np.array(tied)[:, None]
    pi, tau = cavity + messages(cavity, ties, draw_margin(draw_probability), chain, passes)
    return [(t / p, p**-0.5) for p, t in zip(pi[:, 0].tolist(), tau[:, 0].tolist(), strict=True)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("draw_probability", [0.001, 0.1, 0.4])
def test_the_update_of_a_board_is_that_of_the_package(seats: int, draw_probability: float) -> None:
    random = Random(seats)
    for _ in range(8):
        ratings = [(random.gauss(25, 4), random.uniform(1, SIGMA)) for _ in range(seats)]
        tied = [random.random() < 0.4 for _ in range(seats - 1)]
        ranks = [sum(not tie for tie in tied[:seat]) for seat in range(seats)]
        mine = update(ratings, tied, draw_probability)
        for got, expected in zip(mine, rate_board(ratings, ranks, draw_probability), strict=True):
            # The package's normal distribution is good to seven digits.
            assert got == pytest.approx(expected, abs=1e-5)


def test_a_chain_goes_on_where_it_was() -> None:
    ratings = [(22.0, 3.0), (27.0, 5.0), (25.0, 2.0), (24.0, 4.0)]
    cavity = np.array([[[sigma**-2] for _, sigma in ratings], [[mu * sigma**-2] for mu, sigma in ratings]])
    ties = np.array([[False], [True], [False]])
    chain, at_once = Chain.empty(4, 1), Chain.empty(4, 1)
    for _ in range(12):
        by_steps = messages(cavity, ties, 2.0, chain, 1)
    assert by_steps == pytest.approx(messages(cavity, ties, 2.0, at_once, 12), rel=1e-12)
    assert by_steps != pytest.approx(messages(cavity, ties, 2.0, Chain.empty(4, 1), 1), rel=1e-6)


def test_a_result_that_nobody_could_expect_stays_finite() -> None:
    for tied in (True, False):
        for mu, sigma in update([(-200.0, 1.0), (250.0, 1.0)], [tied], 0.001):
            assert -210 < mu < 260
            assert 0 < sigma < 1


def test_the_scaled_complement_is_that_of_the_standard_library() -> None:
    points = np.linspace(0, 25, 5001)
    expected = [math.exp(x * x) * math.erfc(x) for x in points.tolist()]
    assert gaussian.erfcx(points) == pytest.approx(expected, rel=1e-11)
    # Beyond what erfc can hold: 1 / (x sqrt(pi)) (1 - 1 / 2 x^2).
    assert gaussian.erfcx(np.array([1e4])) == pytest.approx([1 / (1e4 * math.sqrt(math.pi)) * (1 - 0.5e-8)], rel=1e-11)


@pytest.mark.parametrize("difference", [-6.0, -1.3, 0.0, 0.2, 2.0, 7.0])
@pytest.mark.parametrize("margin", [0.002, 0.4, 1.5])
def test_corrections_are_the_moments_of_the_truncated_normal(difference: float, margin: float) -> None:
    for truncated, low, high in ((gaussian.win, margin, 40.0), (gaussian.draw, -margin, margin)):
        places = np.linspace(low, high, 400_001)
        weights = np.exp(-0.5 * np.square(places - difference))
        weights[[0, -1]] /= 2
        mean = float((places * weights).sum() / weights.sum())
        variance = float((np.square(places - mean) * weights).sum() / weights.sum())
        v, w = truncated(np.array([difference]), np.array([margin]))
        assert difference + v[0] == pytest.approx(mean, abs=1e-5)
        assert 1 - w[0] == pytest.approx(variance, rel=1e-4, abs=1e-7)


def test_equal_bots_tie_with_the_draw_probability_within_the_margin() -> None:
    for probability in (0.001, 0.12, 0.9):
        difference = NormalDist(0, math.sqrt(2) * SIGMA / 2)
        margin = draw_margin(probability)
        assert difference.cdf(margin) - difference.cdf(-margin) == pytest.approx(probability)
