"""A few against all others."""

from collections.abc import Sequence

from tournament.schedule.cyclic import CyclicTables
from tournament.schedule.schedule import BadSchedule, Schedule, check


class Gauntlet(Schedule):
    """Each challenger meets every other bot equally often; challengers do not meet one another.

    With two seats a round is every challenger against every other bot once. With more seats a challenger sits with as
    many of the others as there are seats left: in a round, ``seats - 1`` times with each of them, at as many tables as
    there are others. All challengers meet the same tables, one after another. One round is played if not more are
    asked for. Raises :class:`BadSchedule` where the others are too few.
    """

    __slots__ = ("_challengers", "_others", "_tables")

    def __init__(
        self,
        bots: int,
        seats: int,
        seed: bytes,
        rounds: int | None = None,
        challengers: Sequence[int] = (0,),
        third_place: bool = False,
    ) -> None:
        check(bots, seats, seed, rounds, third_place)
        chosen = tuple(sorted(set(challengers)))
        if not chosen or len(chosen) != len(challengers) or not 0 <= chosen[0] <= chosen[-1] < bots:
            raise BadSchedule(f"challengers {list(challengers)}: allowed are 0 to {bots - 1}, one or more, each once")
        others = tuple(bot for bot in range(bots) if bot not in chosen)
        if len(others) < seats - 1:
            raise BadSchedule(
                f"{len(others)} bots beside {len(chosen)} challengers for {seats} seats: "
                f"at least {seats - 1} others are needed"
            )
        self.bots = bots
        self.seats = seats
        self._challengers = chosen
        self._others = others
        self._tables = CyclicTables(len(others), seats - 1, seed)
        self.total = len(chosen) * self._tables.tables * (rounds or 1)

    def newcomer(self, bot: int, seed: bytes) -> Schedule:
        """Return the pairings of a bot that came later: with two seats, every challenger against it."""
        return _Challenges(bot + 1, self._challengers) if self.seats == 2 else super().newcomer(bot, seed)

    def _pairing(self, g: int) -> tuple[int, ...]:
        table, challenger = divmod(g, len(self._challengers))
        others = [self._others[place] for place in self._tables.table(table)]
        seat = table % self.seats
        return (*others[:seat], self._challengers[challenger], *others[seat:])


class _Challenges(Schedule):
    """Every challenger against the last bot."""

    __slots__ = ("_challengers",)

    def __init__(self, bots: int, challengers: Sequence[int]) -> None:
        self.bots = bots
        self.seats = 2
        self.total = len(challengers)
        self._challengers = challengers

    def _pairing(self, g: int) -> tuple[int, ...]:
        return (self._challengers[g], self.bots - 1)
