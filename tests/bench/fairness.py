"""What playing boards in every rotation gains: how many matches with cards of their own are worth one of a board's."""

import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from figures import Figure

from cardpit import Bot
from cardpit.games import find_game
from cardpit.games.seeds import board_seed
from cardpit.practice import play

sys.path.insert(0, str(Path(__file__).parents[1]))
from built_in import load

TABLES = (
    ("landlord", ("landlord_rules", "first"), 500),
    ("landlord", ("landlord_rules", "random"), 500),
    ("twenty-two", ("random", "first"), 500),
    ("twenty-two", ("twenty_two_rules", "random", "first", "random"), 200),
    ("spit", ("spit_rules", "first"), 100),
    ("speed", ("speed_rules", "first"), 500),
    ("speed", ("first", "random"), 500),
)
"""The game, the bots, and the number of boards."""


def scores(game: str, bots: list[type[Bot]], board: int) -> list[float]:
    """Return how far the first bot was ahead of the mean of the others in each rotation of a board."""
    ahead = []
    for rotation in range(len(bots)):
        seated = bots[-rotation:] + bots[:-rotation]
        payoffs = play(game, seated, board_seed(bytes(32), game, board)).payoffs
        ahead.append(payoffs[rotation] - (sum(payoffs) - payoffs[rotation]) / (len(bots) - 1))
    return ahead


def gain(game: str, names: Sequence[str], boards: int) -> float:
    """Return the variance of the mean of as many independent matches, over that of the mean of a board's matches."""
    bots = [load(name) for name in names]
    played = [scores(game, bots, board) for board in range(boards)]
    single = statistics.pvariance([score for rotations in played for score in rotations])
    return single / len(bots) / statistics.variance([statistics.fmean(rotations) for rotations in played])


def measure() -> Iterator[Figure]:
    """Yield the gain of each game."""
    for game, names, boards in TABLES:
        beside = f"{boards} boards: {', '.join(names)}"
        yield Figure(f"{find_game(game).name}, {len(names)} seats", gain(game, names, boards), "x", beside=beside)
