"""One table over several games. Ratings of different games do not compare, so it is made of standardised ones."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.standings import TableOfPool


@dataclass(frozen=True, slots=True)
class Combined:
    """A row: a bot version, and how it did in each game."""

    rank: int
    bot: str
    version: int
    mean: float
    """The mean of its standardised ratings, over the games that it plays."""
    ratings: tuple[float | None, ...]
    """mu in each game; None where it does not play."""
    standardised: tuple[float | None, ...]
    """In each game, by how many standard deviations of the ratings of all bots it is above their mean."""


def combine(tables: Sequence[TableOfPool]) -> list[Combined]:
    """Return the rows of a table over some games, best first; equal ones by name and version."""
    scales = []
    for table in tables:
        mus = [row.rating.mu for row in table.rows]
        scales.append((statistics.fmean(mus), statistics.pstdev(mus)) if mus else (0.0, 0.0))
    bots: dict[tuple[str, int], list[float | None]] = {}
    for number, table in enumerate(tables):
        for row in table.rows:
            bots.setdefault((row.bot, row.version), [None] * len(tables))[number] = row.rating.mu
    rows: list[Combined] = []
    for (bot, version), ratings in bots.items():
        standardised = tuple(
            None if mu is None else (mu - mean) / spread if spread else 0.0
            for mu, (mean, spread) in zip(ratings, scales, strict=True)
        )
        mean = statistics.fmean(value for value in standardised if value is not None)
        rows.append(Combined(0, bot, version, mean, tuple(ratings), standardised))
    rows.sort(key=lambda row: (-row.mean, row.bot, row.version))
    return [replace(row, rank=place) for place, row in enumerate(rows, 1)]
