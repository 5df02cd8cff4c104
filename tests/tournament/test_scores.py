"""What a board says of each bot."""

import numpy as np
import numpy.typing as npt

from tournament.scores import SeatScore, board_scores, score_type

TIED = ("normal", "normal"), (1, 1)
CRASHED = ("crash", "normal"), (2, 1)


def scores(
    *rooms: tuple[tuple[str, str], tuple[int, int]], strikes: int = 0, timeouts: int = 0
) -> npt.NDArray[np.void]:
    """The scores of bots 7 and 9 on a board; each room has the ends and the places by seat."""
    results = [
        SeatScore(room, seat, (7, 9)[(seat + room) % 2], float(place == 1), place, 0, strikes, timeouts, ends[seat])
        for room, (ends, places) in enumerate(rooms)
        for seat, place in enumerate(places)
    ]
    return np.frombuffer(board_scores(2, results), score_type(2))


def test_matches_are_counted_for_the_bot_whatever_its_seat() -> None:
    board = scores(CRASHED, CRASHED)
    assert board["entrant"].tolist() == [7, 9]
    assert board["score"].tolist() == [1.0, 1.0]
    assert board["ahead"].tolist() == [[0, 1], [1, 0]]
    board = scores(CRASHED, (("normal", "crash"), (1, 2)))
    assert board["score"].tolist() == [0.0, 2.0]
    assert board["ahead"].tolist() == [[0, 0], [2, 0]]


def test_a_tie_is_half_a_win() -> None:
    assert scores(TIED, TIED)["ahead"].tolist() == [[0, 1], [1, 0]]
    assert scores(TIED, CRASHED)["ahead"].tolist() == [[0, 1.5], [0.5, 0]]


def test_late_answers_are_timeouts_and_all_else_is_an_error() -> None:
    board = scores(CRASHED, TIED, strikes=3, timeouts=2)
    assert board["timeouts"].tolist() == [4, 4]
    assert board["errors"].tolist() == [3, 2]
    assert scores((("timeout", "normal"), (2, 1)), TIED)["timeouts"].tolist() == [1, 0]
