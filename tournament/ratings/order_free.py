"""TrueSkill without an order: the ratings are a function of the set of boards.

Ordinary TrueSkill takes one board after another, and a table that is updated as matches finish depends on which
finished first. Here each board keeps what it says of each of its bots, one normal message; a sweep takes each message
out again, makes TrueSkill's update of what is known without it, and puts the new message in its place, until nothing
changes. This is expectation propagation (T. Minka, "Expectation propagation for approximate Bayesian inference", 2001)
on TrueSkill's model with tau 0. Equal outcomes of the same bots share a message.

All messages of a sweep are renewed at once, which overshoots where few bots have many boards; so the levels of all bots
then make a Newton step (:mod:`tournament.ratings.levels`), and messages that swing to and fro are damped. The point at
which this stops is the same as without either.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from tournament.ratings.boards import Board, Boards, BotId, FloatArray
from tournament.ratings.levels import Ties, moves
from tournament.ratings.message import Chain, messages
from tournament.ratings.outcomes import Outcomes, gather, tied_share
from tournament.ratings.rating import BETA, MU, SIGMA, Rating, Ratings

TOLERANCE = 1e-4
"""Sweeps end when none changes a mu or a sigma by more."""
MOST_SWEEPS = 500
"""Sweeps end in any case; 5 to 20 are usual, 60 are needed where two bots met often and the same one always won."""
DRAW_PROBABILITY = (0.001, 0.999)
"""The lowest and highest draw probability: at 0 a tie would be impossible, at 1 anything else."""

_PRIOR = np.array([SIGMA**-2, MU * SIGMA**-2])
_CHUNK = 1 << 14
"""Outcomes that are worked on at a time, so that they stay in the processor's cache."""
_SMALLEST_STEP = 0.1
_FIRST_PASSES = 3
"""A table of more than two begins with several passes along the ranking; the next sweeps go on from there."""


def rate(boards: Boards | Iterable[Board], bots: Iterable[BotId] = ()) -> Ratings:
    """Return the ratings of all bots of the boards; ``bots`` adds bots that may have no board.

    The result is the same to the last bit for the same boards in any order. Raises ValueError as
    :meth:`tournament.ratings.Boards.of` does.
    """
    pool = boards if isinstance(boards, Boards) else Boards.of(boards, bots)
    outcomes = gather(pool.blocks, len(pool.bots))
    lowest, highest = DRAW_PROBABILITY
    draw_probability = min(max(tied_share(outcomes), lowest), highest)
    known, sweeps, converged = _settle(outcomes, len(pool.bots), draw_margin(draw_probability))
    mu, sigma = known[1] / known[0], 1 / np.sqrt(known[0])
    rows = zip(pool.bots, mu.tolist(), sigma.tolist(), pool.played.tolist(), strict=True)
    return Ratings(tuple(Rating(*row) for row in rows), draw_probability, sweeps, converged)


def draw_margin(draw_probability: float) -> float:
    """Return how close two performances tie, such that equal bots tie with this probability."""
    return NormalDist().inv_cdf((draw_probability + 1) / 2) * math.sqrt(2) * BETA


@dataclass(slots=True, eq=False)
class _Said:
    """What the boards of one number of seats say, renewed with every sweep."""

    outcomes: Outcomes
    messages: FloatArray
    """2 (precision, precision x mean) x seats x outcomes."""
    chain: Chain

    def renew(self, known: FloatArray, moved: FloatArray, margin: float, step: float, passes: int) -> None:
        """Replace the messages by a ``step`` towards what they are, given what is known and how far all bots moved."""
        for start in range(0, self.outcomes.bots.shape[1], _CHUNK):
            part = slice(start, start + _CHUNK)
            bots, tied, old = self.outcomes.bots[:, part], self.outcomes.tied[:, part], self.messages[..., part]
            chain = self.chain.part(part)
            move = moved.take(bots)
            old[1] += move * old[0]
            new = messages(known.take(bots, axis=1) - old, tied, margin, chain, passes)
            if step < 1:
                new = old + step * (new - old)
            old[:] = new

    def weighted(self) -> FloatArray:
        """Return the messages times how often each outcome happened."""
        return self.messages * self.outcomes.count


def _settle(outcomes: Sequence[Outcomes], bots: int, margin: float) -> tuple[FloatArray, int, bool]:
    """Return what is known of all bots, precisions and precisions x means, the sweeps, and whether they settled."""
    said = [
        _Said(each, np.zeros((2, *each.bots.shape)), Chain.empty(each.seats, each.bots.shape[1])) for each in outcomes
    ]
    known = np.repeat(_PRIOR[:, None], bots, axis=1)
    moved = np.zeros(bots)
    change = np.zeros(2 * bots)
    step = 1.0
    if not any(each.bots.size for each in outcomes):
        return known, 0, True
    for sweep in range(1, MOST_SWEEPS + 1):
        before = known
        total = np.repeat(_PRIOR[:, None], bots, axis=1)
        ties = []
        for each in said:
            each.renew(before, moved, margin, step, _FIRST_PASSES if sweep == 1 else 1)
            weighted = each.weighted()
            for seat, seated in enumerate(each.outcomes.bots):
                total[0] += np.bincount(seated, weights=weighted[0, seat], minlength=bots)
                total[1] += np.bincount(seated, weights=weighted[1, seat], minlength=bots)
            ties.append(Ties(each.outcomes.bots, each.chain.precision, each.outcomes.count))
        known, moved = _moved(before, total, ties)
        mu_change = known[1] / known[0] - before[1] / before[0]
        sigma_change = known[0] ** -0.5 - before[0] ** -0.5
        last, change = change, np.concatenate([mu_change * np.sqrt(known[0]), np.log(known[0] / before[0])])
        if max(np.abs(mu_change).max(), np.abs(sigma_change).max()) < TOLERANCE * step:
            return known, sweep, True
        if sweep > 2:
            step = _next_step(step, change, last)
    return known, MOST_SWEEPS, False


def _moved(before: FloatArray, total: FloatArray, ties: Sequence[Ties]) -> tuple[FloatArray, FloatArray]:
    """Return what is known after the levels moved together, and how far each bot's messages moved for it."""
    mu = before[1] / before[0]
    wanted = mu + moves(total[1] - total[0] * mu, float(_PRIOR[0]), total[0], ties)
    wanted += MU - wanted.mean()
    learnt = total[0] - _PRIOR[0]
    # A bot moves by its messages; its prior stays where it is. Without messages it cannot move.
    away = wanted * total[0] - total[1]
    moved = np.divide(away, learnt, out=np.zeros_like(away), where=learnt > 1e-9 * _PRIOR[0])
    return np.array([total[0], total[1] + moved * learnt]), moved


def _next_step(step: float, change: FloatArray, last: FloatArray) -> float:
    """Return the length of the next step: shorter where changes swing to and fro, longer where they do not.

    A change of -r times the last one shows a mode that the step ``step / (1 + r)`` would have settled.
    """
    size = float((last * last).sum())
    ratio = float((change * last).sum()) / size if size else 0.0
    longer = step / (1 - ratio) if ratio < -0.3 else step / 0.6
    return min(max(longer, _SMALLEST_STEP), 1.0)
