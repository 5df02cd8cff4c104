"""The table of a pool and its crosstable: a pure function of its finished boards."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from tournament.ratings import BETA, MU, Block, Boards, Rating, Ratings, find_rating
from tournament.scores import Scores
from tournament.statistics import groups, next_better, rank_intervals
from tournament.store.database import Store
from tournament.store.matches import board_blobs
from tournament.store.tournaments import StoredPool

FEW_BOARDS = 10
"""With fewer boards a rating is marked as uncertain."""

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


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the table."""

    rank: int
    entrant: int
    """The number of the bot version in its pool."""
    bot: str
    version: int
    rating: Rating
    low_rank: int
    """The best rank that cannot be excluded at 95 %."""
    high_rank: int
    """The worst."""
    group: str
    """Letters: rows that share one cannot be told apart."""
    next_better: float | None
    """The probability that it is better than the next row; None in the last."""
    average_win: float
    """The probability that it beats an average bot on a board."""
    score_percent: float
    """Opponents left behind in matches, ties half, in percent."""
    payoff: float
    """The mean payoff of a match."""
    margin: float
    """The mean margin of a match."""
    boards: int
    matches: int
    wins: int
    """Boards on which it alone had the best score."""
    draws: int
    """Boards on which it shared the best score."""
    losses: int
    timeouts: int
    """Answers that came too late."""
    errors: int
    """Illegal answers, and matches lost by a crash or the like."""


@dataclass(frozen=True, slots=True)
class TableOfPool:
    """The table of one pool."""

    pool: StoredPool
    boards: int
    draw_probability: float
    rows: tuple[Standing, ...]
    """Best first: by mu where all have played equally, else by the conservative rating."""


def table_of(store: Store, pool: StoredPool) -> TableOfPool:
    """Return the table of a pool from its finished boards."""
    return make_table(pool, load_scores(store, pool))


def make_table(pool: StoredPool, scores: Scores, without: Collection[int] = ()) -> TableOfPool:
    """Return the table that some boards of a pool make; bots that are left out by their numbers have no row."""
    totals = totals_of(scores)
    ratings = rate_scores(scores)
    shown = [rating for rating in ratings.rows if int(rating.bot) not in without]
    equally = len({int(totals.boards[int(rating.bot)]) for rating in shown}) == 1
    # Equal ratings: the better margin goes first, then the earlier bot.
    order = sorted(
        shown,
        key=lambda r: (-(r.mu if equally else r.conservative), -totals.margin[int(r.bot)], int(r.bot)),
    )
    intervals, marks = rank_intervals(order), groups(order)
    rows = []
    for place, rating in enumerate(order):
        number = int(rating.bot)
        version, boards = pool.versions[number], int(totals.boards[number])
        matches = boards * pool.seats
        below = order[place + 1] if place + 1 < len(order) else None
        rows.append(
            Standing(
                rank=place + 1,
                entrant=number,
                bot=version.name,
                version=version.version,
                rating=rating,
                low_rank=intervals[place][0],
                high_rank=intervals[place][1],
                group=marks[place],
                next_better=None if below is None else next_better(rating, below),
                average_win=_average_win(rating),
                score_percent=_share(100 * totals.ahead[number], matches * (pool.seats - 1)),
                payoff=_share(totals.score[number], matches),
                margin=_share(totals.margin[number], matches),
                boards=boards,
                matches=matches,
                wins=int(totals.wins[number]),
                draws=int(totals.draws[number]),
                losses=boards - int(totals.wins[number]) - int(totals.draws[number]),
                timeouts=int(totals.timeouts[number]),
                errors=int(totals.errors[number]),
            )
        )
    return TableOfPool(pool, len(scores), ratings.draw_probability, tuple(rows))


def _share(part: float, whole: int) -> float:
    return float(part) / whole if whole else 0.0


def _average_win(rating: Rating) -> float:
    """Return the probability that a bot performs better than one of the mean rating, known exactly, on one board."""
    return NormalDist().cdf((rating.mu - MU) / math.sqrt(2 * BETA**2 + rating.sigma**2))
