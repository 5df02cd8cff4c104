"""What a finished board says of each bot, as arrays: all that ratings, tables and crosstables are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class SeatScore(NamedTuple):
    """The result of one match for one seat, as far as a board needs it."""

    room: int
    seat: int
    entrant: int
    """The number of the bot version in its pool."""
    payoff: float
    place: int
    margin: int
    strikes: int
    timeouts: int
    termination: str


def score_type(seats: int) -> np.dtype[np.void]:
    """Return the layout of one bot's part of a board; a board has one for each bot, in the order of its pairing."""
    return np.dtype(
        [
            ("entrant", "<i4"),
            ("score", "<f8"),  # the sum of its payoffs
            ("margin", "<f8"),  # the sum of its margins
            ("ahead", "<f4", (seats,)),  # matches in which it finished ahead of each bot of the pairing, ties half
            ("timeouts", "<i4"),  # answers that came too late
            ("errors", "<i4"),  # illegal answers, and matches lost by a crash or the like
        ]
    )


def board_scores(seats: int, results: Sequence[SeatScore]) -> bytes:
    """Return a board as it is stored. ``results`` has every seat of every rotation, in any order."""
    by_place = {(result.room, result.seat): result for result in results}
    # Room r seats the pairing rotated by r: the seat s of room r has the bot s + r of the pairing.
    scores = np.zeros(seats, score_type(seats))
    for (room, seat), result in by_place.items():
        own = scores[(seat + room) % seats]
        own["entrant"] = result.entrant
        own["score"] += result.payoff
        own["margin"] += result.margin
        for other in range(seats):
            if other != seat:
                place = by_place[room, other].place
                own["ahead"][(other + room) % seats] += (result.place < place) + (result.place == place) / 2
        faulty = result.termination not in ("normal", "timeout", "illegal action")
        # A match lost on its own time limit has no late answer, yet it was the clock.
        own["timeouts"] += max(result.timeouts, result.termination == "timeout")
        own["errors"] += result.strikes - result.timeouts + faulty
    return scores.tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Every finished board of a pool."""

    seats: int
    entrants: int
    """How many bot versions the pool has."""
    boards: npt.NDArray[np.void]
    """Boards x bots of :func:`score_type`."""

    @classmethod
    def of(cls, seats: int, entrants: int, blobs: Sequence[bytes]) -> "Scores":
        """Return boards as they were stored."""
        return cls(seats, entrants, np.frombuffer(b"".join(blobs), score_type(seats)).reshape(-1, seats))

    def __len__(self) -> int:
        return len(self.boards)
