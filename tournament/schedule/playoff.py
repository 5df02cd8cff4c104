"""Play-off: bots that may be the best meet, again and again, until it is clear which one is.

Source: top-two Thompson sampling, D. Russo, "Simple Bayesian algorithms for best-arm identification", 2016. Since the
pairings follow from the results, the intervals of the ratings do not hold.
"""

from collections import Counter
from collections.abc import Sequence
from math import comb
from statistics import NormalDist

import numpy as np

from cardpit.games.seeds import Stream
from tournament.ratings import Block, Boards, Rating, find_rating
from tournament.schedule.rounds import Pair, Rounds
from tournament.schedule.schedule import Tally, check_adaptive

PAIRS = 4
"""Pairs of a round. More keep more cores busy, fewer learn sooner from results."""

LEAST_ROUNDS = 3

MOST_DRAWS = 64
"""After so many draws with the same best bot its opponent is the second of the last draw."""

DIGITS = 3
"""Ratings are rounded to these, so that the last bits of another machine's arithmetic pair nobody else."""


class Playoff(Rounds):
    """Rounds of a few pairs among the leaders: each pair are the best bots of two draws from the ratings so far.

    A bot's skill is drawn from its rating, so bots that are surely not the best are soon left alone. Bots that meet
    again play other boards. Without ``rounds`` about as many pairings are played as a round-robin has. Raises
    :class:`BadSchedule` for tables of more than two.
    """

    __slots__ = ()

    intervals_hold = False

    def __init__(
        self,
        bots: int,
        seats: int,
        seed: bytes,
        rounds: int | None = None,
        challengers: Sequence[int] = (),
        third_place: bool = False,
    ) -> None:
        check_adaptive("playoff", bots, seats, seed, rounds, challengers, third_place)
        super().__init__(bots, seed, PAIRS, rounds or max(LEAST_ROUNDS, -(-comb(bots, 2) // PAIRS)))

    def _next_round(self, before: Sequence[tuple[Pair, Tally]]) -> Sequence[Pair]:
        skills = [NormalDist(round(row.mu, DIGITS), round(row.sigma, DIGITS)) for row in _ratings(self.bots, before)]
        stream = Stream(self._seed, f"schedule/playoff/{len(before) // PAIRS}")
        return [_pair(skills, stream) for _ in range(PAIRS)]


def _pair(skills: Sequence[NormalDist], stream: Stream) -> Pair:
    """Return the best of one draw, and the best of the first later draw in which it is another one."""
    best = _draw(skills, stream)[0]
    for _ in range(MOST_DRAWS):
        order = _draw(skills, stream)
        if order[0] != best:
            return best, order[0]
    return best, next(bot for bot in order if bot != best)


def _draw(skills: Sequence[NormalDist], stream: Stream) -> list[int]:
    """Return the bots in the order of skills drawn for them, best first."""
    drawn = [skill.inv_cdf((stream.below(1 << 32) + 0.5) / (1 << 32)) for skill in skills]
    return sorted(range(len(drawn)), key=lambda bot: -drawn[bot])


def _ratings(bots: int, before: Sequence[tuple[Pair, Tally]]) -> tuple[Rating, ...]:
    """Return the ratings by the boards so far, bot by bot."""
    boards: Counter[tuple[Pair, Pair]] = Counter()
    for pair, tally in before:
        boards[pair, (1, 0)] += tally.won[0]
        boards[pair, (0, 1)] += tally.won[1]
        boards[pair, (0, 0)] += tally.level
    rows = [(pair, scores, count) for (pair, scores), count in boards.items() if count]
    block = Block.of(
        np.array([row[0] for row in rows], dtype=np.int64).reshape(-1, 2),
        np.array([row[1] for row in rows], dtype=np.float64).reshape(-1, 2),
        count=[row[2] for row in rows],
    )
    return find_rating("trueskill")(Boards(tuple(range(bots)), (block,))).rows
