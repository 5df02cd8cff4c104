"""Knock-out: who loses a pairing is out."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Self

from tournament.schedule.schedule import BadSchedule, Schedule, Tally, check_adaptive

Node = tuple[int, int]
"""A pairing of the bracket: its round from 1, and its place in the round. Round 0 are the bots."""


MOST_SHOWN = 8
"""So many pairings are told beside the table."""


class Knockout(Schedule):
    """A bracket: the bots are its seeds, best first, and the two best can only meet in the final.

    A pairing is won by the higher total score over its boards, then by more boards won, then by the better seed. Where
    the bots are no power of two the best ones have no opponent in the first round. With ``third_place`` the losers of
    the semi-finals meet before the final. A pairing is known as soon as the two that lead to it are finished. Raises
    :class:`BadSchedule` for tables of more than two, for ``rounds``, and for a third place among less than four bots.
    """

    __slots__ = ("_bracket", "_last", "_nodes", "_numbers", "_results")

    adaptive = True
    intervals_hold = False

    def __init__(
        self,
        bots: int,
        seats: int,
        seed: bytes,
        rounds: int | None = None,
        challengers: Sequence[int] = (),
        third_place: bool = False,
    ) -> None:
        check_adaptive("knockout", bots, seats, seed, rounds, challengers)
        if rounds is not None:
            raise BadSchedule(f"{rounds} rounds in knockout: it has as many as the bots need")
        if third_place and bots < 4:
            raise BadSchedule(f"a third place among {bots} bots in knockout: at least 4 are needed")
        self.bots = bots
        self.seats = 2
        self._bracket = bracket(bots)
        self._last = (len(self._bracket) - 1).bit_length()
        nodes = [(r, place) for r in range(1, self._last + 1) for place in range(len(self._bracket) >> r)]
        met = [node for node in nodes if node[0] > 1 or max(self._first_round(node)) < bots]
        if third_place:
            met.insert(-1, (self._last, 1))
        self._nodes = tuple(met)
        self._numbers = {node: number for number, node in enumerate(met)}
        self._results: Mapping[int, Tally] = {}
        self.total = len(met)

    def after(self, results: Mapping[int, Tally]) -> Self:
        """Return the bracket with these results."""
        found = copy(self)
        found._results = dict(results)
        return found

    def known(self, g: int) -> bool:
        """Tell whether both bots of a pairing have got there."""
        return None not in self._arrivals(self._nodes[g])

    def first_resting_on(self, g: int) -> int:
        """Return the pairing that the winner goes to, or the loser, if that comes before."""
        r, place = self._nodes[g]
        ahead = [(r + 1, place // 2)] + [(self._last, 1)] * (r == self._last - 1)
        return min((self._numbers[node] for node in ahead if node in self._numbers), default=self.total)

    def account(self, labels: Sequence[str]) -> list[str]:
        """Return the pairings of the last rounds that are known, the final first, with their scores."""
        lines: list[str] = []
        for g in reversed(range(self.total)):
            if self.known(g) and len(lines) < MOST_SHOWN:
                first, second = (labels[bot] for bot in self.pairing(g))
                tally = self._results.get(g)
                score = f"{tally.score[0]:g} : {tally.score[1]:g}" if tally is not None else "not finished"
                winner = self._ends(self._nodes[g])[0]
                ahead = f", {labels[winner]} wins" if winner is not None else ""
                lines.append(f"{self._name(self._nodes[g])}: {first} against {second} {score}{ahead}")
        return lines

    def _name(self, node: Node) -> str:
        if node == (self._last, 1):
            return "third place"
        names = {0: "final", 1: "semi-final", 2: "quarter-final"}
        return names.get(self._last - node[0], f"round of {2 << (self._last - node[0])}")

    def _pairing(self, g: int) -> tuple[int, ...]:
        return tuple(bot for bot in self._arrivals(self._nodes[g]) if bot is not None)

    def _first_round(self, node: Node) -> tuple[int, int]:
        return self._bracket[2 * node[1]], self._bracket[2 * node[1] + 1]

    def _arrivals(self, node: Node) -> tuple[int | None, int | None]:
        """Return the two bots of a pairing, each None as long as it is open."""
        r, place = node
        if r == 1:
            return self._first_round(node)
        if node == (self._last, 1):
            return self._ends((r - 1, 0))[1], self._ends((r - 1, 1))[1]
        return self._ends((r - 1, 2 * place))[0], self._ends((r - 1, 2 * place + 1))[0]

    def _ends(self, node: Node) -> tuple[int | None, int | None]:
        """Return the winner and the loser of a pairing, each None as long as it is open."""
        if node not in self._numbers:
            # The better seed has no opponent.
            return min(self._first_round(node)), None
        tally, (first, second) = self._results.get(self._numbers[node]), self._arrivals(node)
        if tally is None or first is None or second is None:
            return None, None
        ahead = (tally.score[0], tally.won[0], -first) > (tally.score[1], tally.won[1], -second)
        return (first, second) if ahead else (second, first)


def bracket(bots: int) -> tuple[int, ...]:
    """Return the seeds from 0 as they stand in the first round, up to the next power of two: those beyond are missing.

    In every round the sum of two seeds that meet is the same, if no better seed has lost.
    """
    seeds = [0]
    while len(seeds) < bots:
        size = 2 * len(seeds)
        seeds = [seed for better in seeds for seed in (better, size - 1 - better)]
    return tuple(seeds)
