"""Everybody against everybody."""

from collections.abc import Callable, Sequence

from tournament.schedule.circle import Circle
from tournament.schedule.cyclic import CyclicTables
from tournament.schedule.gauntlet import Gauntlet
from tournament.schedule.schedule import BadSchedule, Schedule, check


class RoundRobin(Schedule):
    """Everybody meets everybody equally often, or as nearly so as the numbers allow.

    With two seats a round is every pair once. With three to six seats a round is as many tables as there are bots, in
    which each bot plays once for each seat; without ``rounds`` there are as many as it takes until every bot has met
    every other. Raises :class:`BadSchedule` where there are fewer bots than seats.
    """

    __slots__ = ("_find",)

    def __init__(
        self,
        bots: int,
        seats: int,
        seed: bytes,
        rounds: int | None = None,
        challengers: Sequence[int] = (),
        third_place: bool = False,
    ) -> None:
        check(bots, seats, seed, rounds, third_place)
        if challengers:
            raise BadSchedule(f"challengers {list(challengers)} in a round robin: only a gauntlet has challengers")
        self.bots = bots
        self.seats = seats
        self._find: Callable[[int], tuple[int, ...]]
        if seats == 2:
            circle = Circle(bots, seed)
            self.total = circle.total * (rounds or 1)
            self._find = circle.pair
        else:
            cyclic = CyclicTables(bots, seats, seed)
            self.total = cyclic.tables * (rounds or cyclic.rounds_to_meet())
            self._find = cyclic.table

    def _pairing(self, g: int) -> tuple[int, ...]:
        return self._find(g)

    def newcomer(self, bot: int, seed: bytes) -> Schedule:
        """Return the pairings of a bot that came later: it meets those of smaller numbers equally often."""
        return Gauntlet(bot + 1, self.seats, seed, challengers=(bot,))
