"""Every pair of bots, by the circle method: one bot stays, the others turn around it."""

from cardpit.games.seeds import Stream


class Circle:
    """Every pair of m bots once in each cycle, found by its number alone.

    A cycle goes in turns, in each of which every bot plays once (or sits out once, where m is odd). Whoever is named
    first changes from turn to turn; over whole cycles nobody is first more than once oftener than second. Source: the
    circle method behind the tables of J. Berger, by which chess tournaments are paired.
    """

    __slots__ = ("_order", "_tables", "_turns", "total")

    total: int
    """The number of pairs in a cycle."""

    def __init__(self, bots: int, seed: bytes) -> None:
        self._order = Stream(seed, "schedule/order").shuffled(range(bots))
        self._turns = bots - 1 if bots % 2 == 0 else bots
        self._tables = bots // 2
        self.total = self._turns * self._tables

    def pair(self, g: int) -> tuple[int, int]:
        """Return the two bots of pair ``g``, which counts over all cycles."""
        cycle, within = divmod(g, self.total)
        turn, table = divmod(within, self._tables)
        even = len(self._order) % 2 == 0
        if even and table == 0:
            # The bot that stays, last in the order, against the one that has come by.
            first, second = turn, self._turns
            swap = turn % 2 == 1
        else:
            distance = table if even else table + 1
            first, second = (turn + distance) % self._turns, (turn - distance) % self._turns
            swap = distance % 2 == 0
        pair = self._order[first], self._order[second]
        return pair[::-1] if swap ^ (cycle % 2 == 1) else pair
