"""The table of a pool and its crosstable: a pure function of its finished boards."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tournament.ratings import Block, Boards, Ratings, find_rating
from tournament.scores import Scores
from tournament.store.database import Store
from tournament.store.matches import board_blobs
from tournament.store.tournaments import StoredPool

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Totals:
    """What each bot of a pool did in all of its finished boards, by its number."""

    boards: npt.NDArray[np.intp]
    wins: npt.NDArray[np.intp]
    """Boards on which it alone had the best score."""
    draws: npt.NDArray[np.intp]
    """Boards on which it shared the best score."""
    score: Floats
    """The sum of its payoffs."""
    margin: Floats
    ahead: Floats
    """Opponents left behind in matches, ties half."""
    timeouts: npt.NDArray[np.intp]
    errors: npt.NDArray[np.intp]


def totals_of(scores: Scores) -> Totals:
    """Add up the boards of a pool."""
    boards, count = scores.boards, scores.entrants
    bots = boards["entrant"].ravel()

    def total(values: npt.NDArray[np.generic]) -> Floats:
        return np.bincount(bots, weights=values.ravel().astype(np.float64), minlength=count).astype(np.float64)

    def number(values: npt.NDArray[np.generic]) -> npt.NDArray[np.intp]:
        return np.rint(total(values)).astype(np.intp)

    best = boards["score"] == boards["score"].max(axis=1, keepdims=True) if len(scores) else boards["score"] > 0
    alone = best & (best.sum(axis=1, keepdims=True) == 1)
    return Totals(
        boards=np.bincount(bots, minlength=count),
        wins=number(alone),
        draws=number(best & ~alone),
        score=total(boards["score"]),
        margin=total(boards["margin"]),
        ahead=total(boards["ahead"].sum(axis=2)),
        timeouts=number(boards["timeouts"]),
        errors=number(boards["errors"]),
    )


def load_scores(store: Store, pool: StoredPool) -> Scores:
    """Return every finished board of a pool."""
    return Scores.of(pool.seats, len(pool.versions), board_blobs(store, pool))


def rate_scores(scores: Scores) -> Ratings:
    """Return the ratings of a pool's bots, by their numbers."""
    block = Block.of(scores.boards["entrant"], scores.boards["score"])
    return find_rating("trueskill")(Boards(tuple(range(scores.entrants)), (block,)))
