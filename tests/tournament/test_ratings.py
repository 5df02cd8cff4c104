"""The ratings as a whole: what they say, and that no order of the boards can change them."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

import numpy as np
import pytest

from tournament.ratings import BETA, MU, RATINGS, SIGMA, Block, Board, Boards, Ratings, UnknownRating, find_rating
from tournament.ratings.order_free import MOST_SWEEPS, rate
from tournament.ratings.reference import rate_board


def play(skills: dict[int, float], tables: Sequence[tuple[int, ...]], seed: int, tie: float = 1.0) -> list[Board]:
    """Return boards in which every bot performs with its skill and the noise of the model, rounded so that some tie."""
    random = Random(seed)
    return [
        Board(table, tuple(round(random.gauss(skills[bot], BETA) / tie) * tie for bot in table)) for table in tables
    ]


def skills(bots: int, seed: int, spread: float = SIGMA) -> dict[int, float]:
    random = Random(seed)
    return {bot: random.gauss(MU, spread) for bot in range(bots)}


def tables(bots: int, seats: int, number: int, seed: int) -> list[tuple[int, ...]]:
    random = Random(seed)
    return [tuple(random.sample(range(bots), seats)) for _ in range(number)]


def loop(boards: list[Board], draw_probability: float, sweeps: int) -> dict[int, tuple[float, float]]:
    """Rate by the definition: a message of each board for each bot, around the package's update, a board at a time."""
    bots = sorted({int(bot) for board in boards for bot in board.bots})
    known = {bot: [SIGMA**-2, MU * SIGMA**-2] for bot in bots}
    said = [{int(bot): [0.0, 0.0] for bot in board.bots} for board in boards]
    for _ in range(sweeps):
        for board, messages in zip(boards, said, strict=True):
            cavity = {bot: [known[bot][i] - messages[bot][i] for i in (0, 1)] for bot in messages}
            seated = sorted(messages)
            scores = dict(zip(board.bots, board.scores, strict=True))
            ranks = [sum(other > scores[bot] for other in board.scores) for bot in seated]
            before = [(cavity[bot][1] / cavity[bot][0], cavity[bot][0] ** -0.5) for bot in seated]
            for bot, (mu, sigma) in zip(seated, rate_board(before, ranks, draw_probability), strict=True):
                known[bot] = [sigma**-2, mu * sigma**-2]
                messages[bot] = [known[bot][i] - cavity[bot][i] for i in (0, 1)]
        # The level of all bots together is the prior's: a shift of it changes no board.
        shift = MU - sum(tau / pi for pi, tau in known.values()) / len(bots)
        for messages in said:
            for bot, message in messages.items():
                message[1] += message[0] * shift
                known[bot][1] += message[0] * shift
    return {bot: (tau / pi, pi**-0.5) for bot, (pi, tau) in known.items()}


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_fixed_point_is_that_of_a_loop_around_the_package(seats: int) -> None:
    boards = play(skills(8, 1, 4), tables(8, seats, 48 // seats + 8, 2), 3, tie=3)
    ratings = rate(boards)
    assert 0.05 < ratings.draw_probability < 0.5
    expected = loop(boards, ratings.draw_probability, 25)
    for row in ratings:
        mu, sigma = expected[int(row.bot)]
        assert row.mu == pytest.approx(mu, abs=5e-4)
        assert row.sigma == pytest.approx(sigma, abs=5e-4)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_shuffled_boards_and_seats_give_the_same_ratings_to_the_last_bit(seats: int) -> None:
    boards = play(skills(12, 4), tables(12, seats, 300, 5), 6, tie=3)
    first = rate(boards)
    random = Random(7)
    for _ in range(3):
        random.shuffle(boards)
        turned = [
            Board(tuple(board.bots[seat] for seat in order), tuple(board.scores[seat] for seat in order))
            for board in boards
            for order in [random.sample(range(seats), seats)]
        ]
        assert rate(turned) == first


def test_counts_are_the_same_as_boards_that_happened_so_often() -> None:
    once = Block.of([[0, 1], [1, 2], [0, 2]], [[1, 0], [3, 3], [2, 5]], count=[3, 0, 2])
    often = Block.of([[0, 1]] * 3 + [[2, 0]] * 2, [[1, 0]] * 3 + [[5, 2]] * 2)
    assert rate(Boards((0, 1, 2), (once,))) == rate(Boards((0, 1, 2), (often,)))


def test_blocks_of_several_numbers_of_seats_are_rated_together() -> None:
    true = skills(6, 8, 4)
    boards = play(true, tables(6, 2, 30, 9), 10) + play(true, tables(6, 5, 16, 11), 12)
    ratings = rate(boards)
    expected = loop(boards, ratings.draw_probability, 15)
    assert [row.mu for row in ratings] == pytest.approx([expected[bot][0] for bot in range(6)], abs=1e-3)
    assert [row.boards for row in ratings] == [sum(bot in board.bots for board in boards) for bot in range(6)]


def test_two_equal_bots_over_200_boards_are_within_two_sigma() -> None:
    apart = []
    for seed in range(20):
        first, second = rate(play({0: MU, 1: MU}, [(0, 1)] * 200, seed))
        apart.append(abs(first.mu - second.mu) / (first.sigma**2 + second.sigma**2) ** 0.5)
    assert apart[0] < 2
    assert sum(each > 2 for each in apart) <= 3


@pytest.mark.parametrize(("seats", "number"), [(2, 1500), (4, 500), (6, 300)])
def test_95_percent_intervals_cover_the_truth_as_often(seats: int, number: int) -> None:
    covered = []
    for seed in range(6):
        true = skills(60, seed)
        level = MU - sum(true.values()) / len(true)
        for row in rate(play(true, tables(60, seats, number, seed + 100), seed + 200)):
            covered.append(abs(row.mu - true[int(row.bot)] - level) < row.half_width)
    assert 0.92 < np.mean(covered) < 0.98


def test_a_bot_without_a_board_keeps_the_prior() -> None:
    ratings = rate([Board(("a", "b"), (1, 0))], bots=["c"])
    assert [row.bot for row in ratings] == ["a", "b", "c"]
    assert ratings.rows[2].mu == pytest.approx(MU)
    assert (ratings.rows[2].sigma, ratings.rows[2].boards) == (SIGMA, 0)
    assert ratings.rows[2].conservative == pytest.approx(0)


def test_no_boards_at_all_are_rated() -> None:
    assert rate([]) == Ratings((), 0.001, 0, True)
    assert [(row.mu, row.boards) for row in rate([], bots=[2, 1])] == [(MU, 0), (MU, 0)]


def test_a_single_board_is_the_update_of_the_package() -> None:
    ratings = rate([Board((0, 1, 2), (5, 1, 3))])
    expected = rate_board([(MU, SIGMA)] * 3, [0, 2, 1], 0.001)
    assert [row.mu for row in ratings] == pytest.approx([mu for mu, _ in expected], abs=1e-4)
    assert [row.sigma for row in ratings] == pytest.approx([sigma for _, sigma in expected], abs=1e-4)


def test_groups_that_never_met_both_keep_the_level_of_the_prior() -> None:
    boards = play(skills(10, 13, 4), list(combinations(range(5), 2)) * 40, 14)
    boards += [Board(tuple(int(bot) + 5 for bot in board.bots), board.scores) for board in boards]
    mus = [row.mu for row in rate(boards)]
    assert sum(mus[:5]) / 5 == pytest.approx(MU, abs=1e-3)
    assert mus[5:] == pytest.approx(mus[:5], abs=1e-3)


def test_groups_that_met_once_settle_as_far_apart_as_the_loop_says() -> None:
    pairs = list(combinations(range(3), 2)) * 6
    boards = play({bot: MU + 7 * (bot > 2) for bot in range(6)}, pairs + [(a + 3, b + 3) for a, b in pairs], 15, tie=3)
    boards.append(Board((0, 3), (0, 9)))
    ratings = rate(boards)
    expected = loop(boards, ratings.draw_probability, 80)
    assert [row.mu for row in ratings] == pytest.approx([expected[bot][0] for bot in range(6)], abs=5e-3)
    assert ratings.rows[3].mu - ratings.rows[0].mu > 1


@pytest.mark.parametrize("count", [1, 100, 10_000])
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_one_sided_results_settle(seats: int, count: int) -> None:
    bots = tuple(range(seats))
    won = rate(Boards(bots, (Block.of([bots], [bots], [count]),)))
    mus = [row.mu for row in won]
    assert won.converged and won.sweeps < MOST_SWEEPS
    assert mus == sorted(mus) and mus[-1] - mus[0] > 5
    assert sum(mus) / seats == pytest.approx(MU, abs=1e-6)
    assert all(0 < row.sigma < SIGMA for row in won)
    tied = rate(Boards(bots, (Block.of([bots], [[1] * seats], [count]),)))
    assert tied.converged and tied.draw_probability == 0.999
    assert [row.mu for row in tied] == pytest.approx([MU] * seats)
    assert all(0 < row.sigma < SIGMA for row in tied)


def test_a_strict_order_of_many_bots_settles_in_few_sweeps() -> None:
    pairs = np.array(list(combinations(range(40), 2)))
    ratings = rate(Boards(tuple(range(40)), (Block.of(pairs, pairs, np.full(len(pairs), 50)),)))
    assert ratings.converged and ratings.sweeps <= 20
    assert [row.bot for row in ratings.ranked()] == list(range(39, -1, -1))


def test_the_draw_probability_is_the_share_of_tied_neighbours() -> None:
    boards = [Board((0, 1, 2), (1, 1, 0)), Board((0, 1, 2), (2, 1, 2)), Board((0, 1), (0, 1))]
    assert rate(boards).draw_probability == pytest.approx(2 / 5)
    assert rate(boards[2:]).draw_probability == 0.001


def test_ratings_are_ranked_by_mu_or_conservatively() -> None:
    boards = [Board(("a", "b"), (1, 0)), *[Board(("a", "b"), (1, 0)), Board(("a", "b"), (0, 1))] * 40]
    boards += [Board(("c", "b"), (1, 0))]
    ratings = rate(boards)
    assert [row.bot for row in ratings.ranked()] == ["c", "a", "b"]
    assert [row.bot for row in ratings.ranked(conservative=True)] == ["a", "b", "c"]


def test_ranks_agree_with_a_second_implementation() -> None:
    models = pytest.importorskip("openskill.models")
    boards = play(skills(25, 16), tables(25, 4, 1200, 17), 18)
    model = models.PlackettLuce(tau=0.0)
    other = {bot: model.rating() for bot in range(25)}
    for board in boards:
        rated = model.rate([[other[int(bot)]] for bot in board.bots], scores=list(board.scores))
        other.update({int(bot): team[0] for bot, team in zip(board.bots, rated, strict=True)})
    mine = np.argsort(np.argsort([row.mu for row in rate(boards)]))
    its = np.argsort(np.argsort([other[bot].mu for bot in range(25)]))
    assert np.corrcoef(mine, its)[0, 1] > 0.95


def test_an_unknown_rating_is_an_error_that_lists_the_known_ones() -> None:
    assert find_rating("trueskill") is rate
    assert list(RATINGS) == ["trueskill"]
    with pytest.raises(UnknownRating, match=r"unknown rating 'elo': known are trueskill"):
        find_rating("elo")


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (Board((0, 1), (1.0, float("nan"))), r"board 0 has the scores \[1.0, nan\]: every score is a finite number"),
        (Board((0, 0), (1.0, 2.0)), r"board 0 has the bots \[0, 0\]: each bot sits once at a table"),
        (Board((0, 1), (1.0,)), r"a board of \[0, 1\] has the scores \[1.0\]: one for each bot"),
        (Board((0,), (1.0,)), r"bots have the shape \(1, 1\): allowed is boards x seats, of 2 or more seats"),
    ],
)
def test_a_board_that_cannot_be_is_refused(board: Board, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate([board])


def test_arrays_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match=r"board 1 happened -2 times: 0 or more are allowed"):
        Block.of([[0, 1], [1, 0]], [[0, 1], [1, 0]], [1, -2])
    with pytest.raises(ValueError, match=r"scores have the shape \(1, 3\)"):
        Block.of([[0, 1]], [[0, 1, 2]])
    with pytest.raises(ValueError, match=r"boards have bots from 0 to 2: allowed are 0 to 1"):
        Boards((4, 7), (Block.of([[0, 2]], [[0, 1]]),))
    with pytest.raises(ValueError, match=r"the bots \[7, 4\] are not in ascending order, each once"):
        Boards((7, 4), ())


def test_any_number_of_bots_makes_keys_that_tell_outcomes_apart() -> None:
    bots = tuple(range(100_000))
    block = Block.of([[0, 1, 2, 3, 4, 99_999], [0, 1, 2, 3, 4, 99_998]], [[6, 5, 4, 3, 2, 1]] * 2)
    ratings = rate(Boards(bots, (block,)))
    assert ratings.rows[0].boards == 2
    assert ratings.rows[99_999].mu == ratings.rows[99_998].mu < ratings.rows[4].mu
