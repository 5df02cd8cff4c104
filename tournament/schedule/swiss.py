"""Swiss: in every round bots meet that have done about equally well so far, and nobody meets the same one twice."""

import math
from collections import Counter
from collections.abc import Sequence

from cardpit.games.seeds import Stream
from tournament.schedule.matching import cheapest_pairs
from tournament.schedule.rounds import Pair, Rounds
from tournament.schedule.schedule import Tally, check_adaptive

NOISE = 1 << 16
"""Random costs below this choose among ways to pair that are equally good; so only one way is the cheapest."""

MOST_SHOWN = 8
"""The points of so many bots are told beside the table."""


class Swiss(Rounds):
    """Rounds in which the points of those who meet differ as little as can be, without rematches while they can be.

    A pairing gives a point to the bot with the higher total score over all of its boards, half a point each where they
    are equal. With an odd number of bots one sits out in each round and gets a point: one with few points, and nobody
    twice while that can be. Without ``rounds`` there are one more than a knockout of so many bots has, or half as many
    as there are bots, if that is less: so many rounds never need a rematch. Raises :class:`BadSchedule` for tables of
    more than two.
    """

    __slots__ = ()

    def __init__(
        self,
        bots: int,
        seats: int,
        seed: bytes,
        rounds: int | None = None,
        challengers: Sequence[int] = (),
        third_place: bool = False,
    ) -> None:
        check_adaptive("swiss", bots, seats, seed, rounds, challengers, third_place)
        # By Dirac's theorem: those that a bot has not met are at least half of all others until then.
        without_rematch = (bots + 1) // 2
        super().__init__(bots, seed, bots // 2, rounds or min(math.ceil(math.log2(bots)) + 1, without_rematch))

    def account(self, labels: Sequence[str]) -> list[str]:
        """Return the points of the leaders after the rounds that are complete."""
        complete = next((g for g in range(self.total) if g not in self._results), self.total) // self._size
        before = [(self._pairing(g), self._results[g]) for g in range(complete * self._size)]
        half_points, _ = self._points(before)
        order = sorted(range(self.bots), key=lambda bot: -half_points[bot])[:MOST_SHOWN]
        leaders = ", ".join(f"{labels[bot]} {half_points[bot] / 2:g}" for bot in order)
        return [f"swiss, points after round {complete} of {self.rounds}: {leaders}"]

    def _points(self, before: Sequence[tuple[Pair, Tally]]) -> tuple[list[int], list[int]]:
        """Return for each bot twice its points, and how often it sat out."""
        half_points, played = [0] * self.bots, [0] * self.bots
        for pair, tally in before:
            for bot, points in zip(pair, tally.points, strict=True):
                half_points[bot] += round(2 * points)
                played[bot] += 1
        byes = [len(before) // self._size - count for count in played]
        return [points + 2 * sat_out for points, sat_out in zip(half_points, byes, strict=True)], byes

    def _next_round(self, before: Sequence[tuple[Pair, Tally]]) -> Sequence[Pair]:
        number, nobody = len(before) // self._size, self.bots
        met = Counter(pair for pair, _ in before)
        half_points, byes = self._points(before)
        if self.bots % 2:
            met.update({(bot, nobody): count for bot, count in enumerate(byes)})
            # Sitting out is meeting one who has as few points as anybody.
            half_points.append(min(half_points))
        pairs = cheapest_pairs(_costs(half_points, met, number, Stream(self._seed, f"schedule/swiss/{number}")))
        return [pair for pair in pairs if nobody not in pair]


def _costs(half_points: Sequence[int], met: Counter[Pair], number: int, stream: Stream) -> dict[Pair, int]:
    """Return what it costs to let each two meet: a rematch more than anything, then points that differ, then chance.

    Among very many bots only those near one another in points may meet, which is what the cheapest way does anyhow.
    """
    size = len(half_points)
    gap = size * NOISE
    rematch = gap * (size * (2 * number + 1) ** 2 + 1)
    near = 3 * number + 20
    order = sorted(stream.shuffled(range(size)), key=lambda bot: half_points[bot])
    costs = {}
    for place, one in enumerate(order):
        for other in order[place + 1 : place + 1 + near]:
            pair = (min(one, other), max(one, other))
            difference = half_points[one] - half_points[other]
            costs[pair] = met[pair] * rematch + difference**2 * gap + stream.below(NOISE)
    return costs
