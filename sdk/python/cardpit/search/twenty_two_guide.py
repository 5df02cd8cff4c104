"""How Twenty-Two is played in the thoughts of a search, and what the points are worth that seats have."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import ClassVar

from cardpit.cards import RANKS
from cardpit.games import State
from cardpit.games.twenty_two import TwentyTwoState
from cardpit.games.twenty_two_deal import OUT_AT, Deal, totals
from cardpit.games.twenty_two_plays import Ranks, beats, spread
from cardpit.search.guide import Guide

LOW, HIGH, LOW_CARDS = 2, 10, 3
"""An exchange keeps three cards up to a four, and all from the queen up."""
KEEPINGS = tuple(
    (low, high, number)
    for number in (LOW_CARDS, 2, 1, 4)
    for low in (LOW, LOW + 1, LOW - 1, LOW + 2)
    for high in (HIGH, HIGH + 1, HIGH - 1, HIGH + 2)
)
"""Other ways to exchange that are looked at, in this order."""
CARELESS = 0.12
"""How often a quick choice is made at random, so that a search sees more than one line of play."""

SCORES = {2: 0.02, 3: 0.11, 4: 0.2, 5: 0.14, 6: 0.1, 7: 0.11, 8: 0.09, 9: 0.07, 10: 0.15, 11: 0.01}
"""How likely it is that a final trick costs so many points, as counted in matches of careful bots."""
SHARED = 0.13
"""How likely it is that two seats take it together."""


class TwentyTwoGuide(Guide):
    """Looks as far as the end of the hand, and values the points of all seats there."""

    decisions: ClassVar[int] = 25

    def __init__(self, root: State, seat: int) -> None:
        super().__init__(root, seat)
        assert isinstance(root, TwentyTwoState)
        self._number = root.deal.number

    def is_far(self, state: State) -> bool:
        """Tell whether a new hand was dealt."""
        assert isinstance(state, TwentyTwoState)
        return state.outcome is not None or state.deal.number != self._number

    def is_trusted(self, state: State, seat: int) -> bool:
        """Tell whether it is the exchange of another seat: nobody sees it, so nobody can answer it."""
        assert isinstance(state, TwentyTwoState)
        return state.best is None and seat != self.seat

    def choose(self, state: State, seat: int, rng: Random) -> str:
        """Return a quick choice: lead high, beat as cheaply as can be, and save the lowest card."""
        assert isinstance(state, TwentyTwoState)
        if rng.random() < CARELESS and state.best is not None:
            return super().choose(state, seat, rng)
        hand = spread(state.hands[seat])
        if state.best is None:
            return exchange(hand, min(state.size, state.talon), LOW, HIGH, LOW_CARDS)
        if not state.best:
            return "lead " + RANKS[hand[-1]] * min(hand.count(hand[-1]), len(hand) - 1)
        play = cheapest(hand[1:], state.best) or cheapest(hand, state.best) or hand[: len(state.best)]
        return "follow " + " ".join([RANKS[rank] for rank in play])

    def ranked(self, state: State, seat: int) -> Sequence[str]:
        """Return the actions worth a thought: exchanges of middling cards, high leads, cheap answers."""
        assert isinstance(state, TwentyTwoState)
        legal = state.legal_actions(seat)
        if state.best is None:
            hand, most = spread(state.hands[seat]), min(state.size, state.talon)
            return list(dict.fromkeys(exchange(hand, most, *keeping) for keeping in KEEPINGS))
        return legal if state.best else legal[::-1]

    def play_out(self, state: State, rng: Random) -> Sequence[float]:
        """Return the payoffs, or what they are worth when the hand is over."""
        while not self.is_far(state):
            state = state.apply({seat: self.choose(state, seat, rng) for seat in state.turn})
        assert isinstance(state, TwentyTwoState)
        return state.outcome.payoffs if state.outcome else prospects(state.deal)


def exchange(hand: Ranks, most: int, low: int, high: int, number: int) -> str:
    """Return an exchange that keeps some of the low cards and all high ones; the most middling go first."""
    useless = [rank for rank in hand if low < rank < high] + [rank for rank in hand if rank <= low][number:]
    useless.sort(key=lambda rank: abs(2 * rank - low - high))
    return " ".join(["exchange", *(RANKS[rank] for rank in sorted(useless[:most]))])


def cheapest(hand: Ranks, best: Ranks) -> Ranks:
    """Return the lowest cards of a hand that beat a play; none if no cards do."""
    play: Ranks = ()
    place = 0
    for bar in best:
        while place < len(hand) and hand[place] < bar:
            place += 1
        play += hand[place : place + 1]
        place += 1
    return play if len(play) == len(best) and beats(play, best) else ()


def prospects(deal: Deal) -> Sequence[float]:
    """Return the payoff that each seat can expect at the beginning of a hand: how many others it will outlast."""
    points = totals(deal.piles, deal.falls)
    seats = range(len(points))
    return [sum(_outlasts(deal, points, seat, other) for other in seats if other != seat) for seat in seats]


def _outlasts(deal: Deal, points: Sequence[int], seat: int, other: int) -> float:
    """Return how likely a seat is to be in for longer than another, a tie as one half."""
    own, theirs = deal.falls[seat], deal.falls[other]
    if own is None and theirs is None:
        return _race(points[seat], points[other])
    first = (own is None, own[1] if own else 0, -points[seat])
    second = (theirs is None, theirs[1] if theirs else 0, -points[other])
    return 0.5 if first == second else float(first > second)


@cache
def _race(own: int, other: int) -> float:
    """Return how likely a seat with so many points is to outlast another, if all final tricks fall by chance."""
    if own >= OUT_AT and other >= OUT_AT:
        return 0.5 if own == other else float(own < other)
    if own >= OUT_AT or other >= OUT_AT:
        return float(own < OUT_AT)
    alone = (1 - SHARED) / 2
    return sum(
        chance
        * (alone * (_race(own + cost, other) + _race(own, other + cost)) + SHARED * _race(own + cost, other + cost))
        for cost, chance in SCORES.items()
    )
