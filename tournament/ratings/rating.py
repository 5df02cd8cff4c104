"""What a rating is, and the ratings of a pool."""

from collections.abc import Iterator
from dataclasses import dataclass

from tournament.ratings.boards import BotId

MU = 25.0
"""The mean of the ratings of a pool, and what is expected of a bot without a board."""
SIGMA = MU / 3
"""The standard deviation of a rating before any board."""
BETA = SIGMA / 2
"""The standard deviation of a performance: a bot that is better by BETA wins 76 % of its boards against the other."""
NORMAL_95 = 1.96
"""Half the width of a 95 % interval, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What the boards of a pool say of a bot's skill."""

    bot: BotId
    mu: float
    """The most likely skill."""
    sigma: float
    """The standard deviation of the skill around mu."""
    boards: int
    """The boards of the bot."""

    @property
    def conservative(self) -> float:
        """A skill that the bot almost surely has: ``mu - 3 sigma``."""
        return self.mu - 3 * self.sigma

    @property
    def half_width(self) -> float:
        """What is written behind the sign ±: the skill is within so much of mu with 95 %."""
        return NORMAL_95 * self.sigma


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of all bots of a pool, and how they were found."""

    rows: tuple[Rating, ...]
    """By bot in ascending order, as in :attr:`tournament.ratings.Boards.bots`."""
    draw_probability: float
    """The share of neighbouring places that were tied, within the bounds of the method."""
    sweeps: int
    """How often all boards were gone through; 0 without boards."""
    converged: bool
    """Whether the last sweep changed nothing that matters."""

    def __iter__(self) -> Iterator[Rating]:
        """Go through the ratings by bot in ascending order."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return the number of bots."""
        return len(self.rows)

    def ranked(self, *, conservative: bool = False) -> list[Rating]:
        """Return the ratings best first, by mu or by the conservative rating; equal ones by bot in ascending order."""
        return sorted(self.rows, key=lambda row: -(row.conservative if conservative else row.mu))
