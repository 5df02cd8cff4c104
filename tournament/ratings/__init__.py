"""Ratings: a pure function of the finished boards of a pool.

A pool is one game with its parameters and one number of players. Its boards come as values or, where there are many,
as arrays, and are rated all at once::

    from tournament.ratings import Block, Board, Boards, find_rating

    rate = find_rating("trueskill")
    ratings = rate([Board(("alice 1", "bob 2"), (14.0, 9.0)), Board(("bob 2", "alice 1"), (3.0, 3.0))])
    ratings = rate(Boards(bots=(7, 9, 12), blocks=(Block.of([[0, 1], [2, 0]], [[14, 9], [3, 3]], count=[1, 5]),)))
    for rating in ratings.ranked():
        print(rating.bot, rating.mu, rating.half_width, rating.conservative, rating.boards)

``ratings.draw_probability``, ``ratings.sweeps`` and ``ratings.converged`` say how they were found.
:mod:`tournament.statistics` makes the rows of a table from them. ``docs/ratings.md`` explains all of it.
"""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Protocol

from tournament.ratings import order_free
from tournament.ratings.boards import Block, Board, Boards, BotId
from tournament.ratings.rating import BETA, MU, NORMAL_95, SIGMA, Rating, Ratings

__all__ = [
    "BETA",
    "MU",
    "NORMAL_95",
    "RATINGS",
    "SIGMA",
    "Block",
    "Board",
    "Boards",
    "BotId",
    "Rate",
    "Rating",
    "Ratings",
    "UnknownRating",
    "find_rating",
]


class UnknownRating(ValueError):
    """No way of rating has this id."""


class Rate(Protocol):
    """A way of rating."""

    def __call__(self, boards: Boards | Iterable[Board], bots: Iterable[BotId] = ()) -> Ratings:
        """Return the ratings of all bots of the boards; ``bots`` adds bots that may have no board."""


RATINGS: MappingProxyType[str, Rate] = MappingProxyType({"trueskill": order_free.rate})
"""Every way of rating by its id."""


def find_rating(rating_id: str) -> Rate:
    """Return the way of rating with this id. Raises :class:`UnknownRating`, which lists the known ones."""
    try:
        return RATINGS[rating_id]
    except KeyError:
        raise UnknownRating(f"unknown rating {rating_id!r}: known are {', '.join(RATINGS)}") from None
