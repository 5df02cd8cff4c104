"""A schedule that bots came to after its start."""

from cardpit.games.seeds import derive
from tournament.schedule.schedule import Schedule


class Grown(Schedule):
    """The pairings of the founders, and behind them, bot by bot, those of each that came later with all before it.

    So the numbers of pairings stay what they were, however many bots come: what was played stays valid. Raises
    :class:`BadSchedule` where the founders' schedule takes no newcomers.
    """

    __slots__ = ("_parts",)

    def __init__(self, founders: Schedule, newcomers: int, seed: bytes) -> None:
        later = range(founders.bots, founders.bots + newcomers)
        self._parts = (
            founders,
            *(founders.newcomer(bot, derive(seed, f"schedule/newcomer/{bot}")) for bot in later),
        )
        self.bots = founders.bots + newcomers
        self.seats = founders.seats
        self.total = sum(part.total for part in self._parts)

    def newcomer(self, bot: int, seed: bytes) -> Schedule:
        """Return the pairings of one more bot, as the founders' schedule has them."""
        return self._parts[0].newcomer(bot, seed)

    def _pairing(self, g: int) -> tuple[int, ...]:
        for part in self._parts:
            if g < part.total:
                return part.pairing(g)
            g -= part.total
        raise AssertionError("a pairing that there is lies in one of the parts")
