"""Head to head, ranks, what a plan resolves, and Student's t, each against values known otherwise."""

import math
from collections import Counter
from itertools import combinations_with_replacement
from random import Random
from statistics import fmean, stdev

import pytest

from tournament.ratings import BETA, SIGMA, Board, Rating
from tournament.ratings.order_free import rate
from tournament.statistics import (
    compare,
    expected_sigma,
    groups,
    mean_interval,
    next_better,
    probability_better,
    rank_intervals,
    resolution,
    resolved_edge,
    runs,
    sign,
    signs_by_chance,
    student_probability,
    student_quantile,
)


def rating(mu: float, sigma: float, bot: int = 0) -> Rating:
    return Rating(bot, mu, sigma, 100)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.30265), (5, 2.57058), (10, 2.22814), (30, 2.04227), (120, 1.97993), (1_000_000, 1.95997)],
)
def test_quantiles_of_students_t_are_those_of_the_printed_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(quantile, abs=6e-5)
    assert student_quantile(0.025, freedom) == pytest.approx(-quantile, abs=6e-5)
    assert student_probability(quantile, freedom) == pytest.approx(0.975, abs=1e-6)


def test_students_t_of_one_and_two_degrees_of_freedom_has_a_closed_form() -> None:
    for t in (-40.0, -2.0, -0.1, 0.0, 0.3, 5.0):
        assert student_probability(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-12)
        assert student_probability(t, 2) == pytest.approx(0.5 + t / (2 * math.sqrt(2 + t * t)), abs=1e-12)
    # Very many degrees are the normal distribution, near its middle too.
    assert student_probability(0.01, 1_000_000) == pytest.approx(0.5 + 0.5 * math.erf(0.01 / math.sqrt(2)), abs=1e-8)
    assert student_probability(math.inf, 3) == 1
    assert student_probability(-math.inf, 3) == 0
    assert student_quantile(0.5, 4) == pytest.approx(0, abs=1e-9)
    assert student_quantile(1.0, 4) == math.inf


def test_many_boards_have_the_ordinary_t_interval() -> None:
    random = Random(1)
    values = [random.gauss(0.3, 5) for _ in range(5000)]
    found = compare(values)
    half = 1.96044 * stdev(values) / math.sqrt(5000)
    assert found.mean == pytest.approx(fmean(values))
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half), rel=1e-3)
    assert found.better == pytest.approx(0.5 + 0.5 * math.erf(found.mean / half * 1.96044 / math.sqrt(2)), abs=1e-3)


def test_two_boards_in_thought_draw_a_mean_towards_zero() -> None:
    # 3, 3, 1, 1 and the two in thought, at the root of the mean square: sqrt(5) and -sqrt(5).
    error = stdev([3, 3, 1, 1, math.sqrt(5), -math.sqrt(5)]) / math.sqrt(6) * 6 / 4
    assert mean_interval(4, 2, stdev([3, 3, 1, 1])) == pytest.approx(
        (2 - 3.18245 * error, 2 + 3.18245 * error), abs=1e-4
    )
    assert probability_better(4, 2, stdev([3, 3, 1, 1])) == pytest.approx(student_probability(2 / error, 3))


def test_an_interval_is_wider_with_more_confidence() -> None:
    assert mean_interval(20, 1.0, 2.0, 0.99)[0] < mean_interval(20, 1.0, 2.0)[0] < mean_interval(20, 1.0, 2.0, 0.8)[0]


def false_signs(chances: dict[float, float], boards: int) -> float:
    """Return how likely boards with these chances of each difference give a sign, over all that can happen."""
    total = 0.0
    for outcome in combinations_with_replacement(chances, boards):
        if compare(outcome).sign:
            counts = Counter(outcome)
            ways = math.factorial(boards) / math.prod(map(math.factorial, counts.values()))
            total += ways * math.prod(chances[value] ** count for value, count in counts.items())
    return total


@pytest.mark.parametrize(
    ("chances", "most", "boards"),
    [
        ({-1: 0.5, 1: 0.5}, 0.065, range(2, 60)),
        ({-1: 0.25, 0: 0.5, 1: 0.25}, 0.052, range(2, 26)),
        ({-1: 0.1, 0: 0.8, 1: 0.1}, 0.052, range(2, 26)),
        ({-2: 1 / 16, -1: 1 / 4, 0: 3 / 8, 1: 1 / 4, 2: 1 / 16}, 0.052, range(2, 12)),
        ({-4: 0.1, -2: 0.1, -1: 0.3, 1: 0.3, 2: 0.1, 4: 0.1}, 0.052, range(2, 9)),
    ],
)
def test_equal_bots_seldom_get_a_sign(chances: dict[float, float], most: float, boards: range) -> None:
    found = [false_signs(chances, number) for number in boards]
    assert max(found) <= most
    assert found[-1] > 0.005


def test_equal_differences_need_six_boards_for_a_sign() -> None:
    assert compare([2.0] * 5).sign == ""
    assert compare([2.0] * 6).sign == "+"
    assert compare([-0.1] * 6).sign == "-"


def test_too_few_boards_say_nothing() -> None:
    for values in ([], [5.0]):
        found = compare(values)
        assert (found.low, found.high, found.better, found.sign) == (-math.inf, math.inf, 0.5, "")
    assert compare([0.0] * 20) == (20, 0.0, 0.0, 0.0, 0.5)


def test_signs_and_how_many_come_by_chance() -> None:
    assert [sign(0.1, 2), sign(-2, -0.1), sign(-1, 1), sign(0, 0)] == ["+", "-", "", ""]
    assert signs_by_chance(66) == pytest.approx(3.3)


def test_next_better_is_the_probability_of_a_difference_of_normals() -> None:
    assert next_better(rating(25, 1), rating(25, 2)) == 0.5
    assert next_better(rating(30, 3), rating(25, 4)) == pytest.approx(0.8413447, abs=1e-6)
    assert next_better(rating(25, 4), rating(30, 3)) == pytest.approx(0.1586553, abs=1e-6)


def test_rank_intervals_exclude_what_95_percent_exclude() -> None:
    rows = [rating(30, 0.5), rating(29, 0.5), rating(28.5, 0.5), rating(25, 0.5), rating(24.9, 5)]
    # Apart by more than 1.96 * sqrt(0.5) = 1.386: 30 from 28.5, and all three from 25; the last from nobody but 30.
    assert rank_intervals(rows) == [(1, 3), (1, 4), (2, 4), (4, 5), (1, 5)]
    assert rank_intervals(rows[::-1]) == [(1, 5), (4, 5), (2, 4), (1, 4), (1, 3)]
    assert rank_intervals([]) == []
    assert rank_intervals(rows[:1]) == [(1, 1)]


def test_rows_that_cannot_be_told_apart_share_a_letter() -> None:
    rows = [rating(mu, 0.5) for mu in (30, 29, 28.5, 25, 20, 19.5)]
    assert runs(rows) == [(0, 1), (1, 2), (4, 5)]
    assert groups(rows) == ["a", "ab", "b", "", "c", "c"]
    assert groups([rating(25, 8)] * 3) == ["a", "a", "a"]
    assert groups([]) == []
    assert groups(rows[:1]) == [""]


def test_a_run_ends_at_any_row_that_can_be_told_apart() -> None:
    rows = [rating(30, 6), rating(29, 0.1), rating(28, 3), rating(27, 0.1), rating(26.9, 6)]
    assert runs(rows) == [(0, 2), (2, 4)]


def test_letters_go_on_after_z() -> None:
    rows = [rating(100 - mu, 0.5) for mu in range(60)]
    marks = groups(rows)
    assert len(runs(rows)) == 59
    assert marks[0] == "a"
    assert marks[2] == "bc"
    assert marks[26] == "z aa"
    assert marks[-1] == "bg"


def test_what_a_plan_resolves_is_said_in_a_sentence() -> None:
    assert resolution(2, 585) == (
        "585 boards of each bot: ratings to within +-0.6; "
        "an edge of 56 % of boards will be resolved, one of 55 % will not"
    )
    assert resolution(2, 20_000).endswith("+-0.1; an edge of 51 % of boards will be resolved")
    assert resolution(6, 10).endswith("+-3.1; an edge of 78 % of boards will be resolved, one of 75 % will not")
    assert resolution(2, 0).endswith("+-16.3; no edge will be resolved")
    with pytest.raises(ValueError, match=r"7 players: allowed are 2, 3, 4, 5, 6"):
        resolution(7, 10)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_expected_sigma_is_the_one_that_ratings_get(players: int) -> None:
    random = Random(players)
    boards = []
    for _ in range(1200 // players):
        table = tuple(random.sample(range(12), players))
        boards.append(Board(table, tuple(random.gauss(25, BETA) for _ in table)))
    rows = rate(boards)
    expected = fmean(expected_sigma(players, row.boards) for row in rows)
    assert fmean(row.sigma for row in rows) == pytest.approx(expected, rel=0.05)
    assert expected_sigma(players, 0) == SIGMA


def test_a_resolved_edge_is_seen_at_95_percent() -> None:
    # Two ratings differ where they are 1.96 sqrt(2) sigma apart; a bot that is so much better wins that many boards.
    sigma = expected_sigma(2, 300)
    apart = 1.96 * math.sqrt(2) * sigma
    wins = 0.5 + 0.5 * math.erf(apart / (math.sqrt(2) * BETA) / math.sqrt(2))
    assert resolved_edge(2, 300) == pytest.approx(wins)
