"""The sequential test: its ratio, its bounds, and how often it is wrong."""

import math
from random import Random

import pytest

from tournament.statistics import Sprt, elo_score
from tournament.statistics.sprt import log_likelihood_ratio


def run(test: Sprt, chances: list[float], random: Random) -> tuple[str, int]:
    """Return what the test accepts, and after how many boards, when it is asked after every fourth board."""
    counts = dict.fromkeys((0.0, 0.25, 0.5, 0.75, 1.0), 0)
    for board in range(1, 20_000):
        counts[random.choices(list(counts), chances)[0]] += 1
        if board % 4 == 0 and (accepted := test.judge(counts).accepted):
            return accepted, board
    raise AssertionError("the test did not end")


def chances(mean: float) -> list[float]:
    """Return chances of a board's scores with this mean."""
    level = [0.08, 0.2, 0.44, 0.2, 0.08]
    tilt = (mean - 0.5) / (2 * (0.08 * 0.25 + 0.2 * 0.0625))
    return [chance * (1 + tilt * (score - 0.5)) for chance, score in zip(level, (0, 0.25, 0.5, 0.75, 1), strict=True)]


def test_bounds_are_those_of_wald() -> None:
    assert Sprt(0.5, 0.53).bound == pytest.approx(2.944, abs=5e-4)
    assert Sprt(0.5, 0.53, error=0.01).bound == pytest.approx(4.595, abs=5e-4)


def test_the_ratio_of_wins_and_losses_is_that_of_two_coins() -> None:
    counts = {1.0: 70, 0.0: 30}
    expected = 70 * math.log(0.6 / 0.5) + 30 * math.log(0.4 / 0.5)
    assert log_likelihood_ratio(counts, 0.5, 0.6) == pytest.approx(expected, rel=1e-3)


def test_the_ratio_of_many_boards_is_the_normal_approximation() -> None:
    counts = {0.0: 800, 0.25: 2000, 0.5: 4300, 0.75: 2050, 1.0: 850}
    boards = sum(counts.values())
    mean = sum(score * count for score, count in counts.items()) / boards
    variance = sum((score - mean) ** 2 * count for score, count in counts.items()) / boards
    expected = boards * (0.52 - 0.5) * (2 * mean - 0.5 - 0.52) / (2 * variance)
    assert log_likelihood_ratio(counts, 0.5, 0.52) == pytest.approx(expected, rel=0.02)


def test_the_likeliest_distributions_have_the_means_of_the_hypotheses() -> None:
    # Where the boards' mean is that of a hypothesis, no distribution is likelier; so the ratio is greatest there.
    counts = {0.0: 20, 0.5: 60, 1.0: 20}
    ratios = [log_likelihood_ratio(counts, 0.4, p1) for p1 in (0.45, 0.49, 0.5, 0.51, 0.55)]
    assert max(ratios) == ratios[2]
    assert log_likelihood_ratio(counts, 0.4, 0.6) == pytest.approx(0, abs=1e-9)


def test_scores_may_come_one_by_one_or_counted() -> None:
    test = Sprt(0.5, 0.6)
    assert test.judge([0.5, 1.0, 0.25, 1.0]) == test.judge({1.0: 2, 0.25: 1, 0.5: 1})
    assert test.judge([0.25, 1.0, 0.5, 1.0]) == test.judge([1.0, 1.0, 0.5, 0.25])
    verdict = test.judge([0.5, 1.0, 0.25, 1.0])
    assert (verdict.boards, verdict.decisive, verdict.score, verdict.accepted) == (4, 3, 0.6875, None)
    assert test.judge([]) == (0, 0, 0.5, 0.0, None)


def test_it_waits_for_ten_decisive_boards() -> None:
    test = Sprt(0.5, 0.75)
    assert test.judge({0.5: 200, 1.0: 4}).accepted is None
    assert abs(test.judge({0.5: 200, 1.0: 4}).ratio) > test.bound
    assert test.judge({0.5: 200, 1.0: 5, 0.0: 5}).accepted == "p0"
    assert test.judge({1.0: 9}).accepted is None
    assert test.judge({1.0: 10}).accepted == "p1"


@pytest.mark.parametrize(("mean", "accepted"), [(0.5, "p0"), (0.56, "p1")])
def test_it_is_wrong_in_about_one_of_twenty(mean: float, accepted: str) -> None:
    random = Random(5)
    ends = [run(Sprt(0.5, 0.56), chances(mean), random) for _ in range(60)]
    assert sum(end[0] != accepted for end in ends) <= 7
    assert sum(end[1] for end in ends) / len(ends) < 300


def test_elo_points_are_shares() -> None:
    assert elo_score(0) == 0.5
    assert elo_score(400) == pytest.approx(10 / 11)
    assert Sprt.of_elo(0, 20) == Sprt(0.5, elo_score(20))


@pytest.mark.parametrize(
    ("p0", "p1", "error", "message"),
    [
        (0.5, 0.5, 0.05, r"p0 0.5 and p1 0.5: allowed are 0 < p0 < p1 < 1"),
        (0.5, 1.0, 0.05, r"p0 0.5 and p1 1.0: allowed are 0 < p0 < p1 < 1"),
        (0.5, 0.6, 0.5, r"error 0.5: allowed is above 0 and below 0.5"),
    ],
)
def test_a_test_that_cannot_be_is_refused(p0: float, p1: float, error: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(p0, p1, error)


def test_a_score_beyond_a_whole_board_is_refused() -> None:
    with pytest.raises(ValueError, match=r"board score 1.5: allowed is 0 to 1"):
        Sprt(0.5, 0.6).judge([0.5, 1.5])
