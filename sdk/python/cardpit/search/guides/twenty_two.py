"""How Twenty-Two is played in the thoughts of a search."""

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from cardpit.cards import RANKS
from cardpit.games import State
from cardpit.games.twenty_two import TwentyTwoState
from cardpit.games.twenty_two_deal import totals
from cardpit.games.twenty_two_plays import Ranks, spread
from cardpit.search.guide import Guide
from cardpit.search.guides.twenty_two_playout import follow, lead, play_out, prospects

LOW, HIGH, LOW_CARDS = 2, 10, 3
"""An exchange keeps three cards up to a four, and all from the queen up."""
KEEPINGS = tuple(
    (low, high, number)
    for number in (LOW_CARDS, 2, 1, 4)
    for low in (LOW, LOW + 1, LOW - 1, LOW + 2)
    for high in (HIGH, HIGH + 1, HIGH - 1, HIGH + 2)
)
"""Ways to exchange that are looked at, in this order."""


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
        hand = spread(state.hands[seat])
        if state.best is None:
            return exchange(hand, min(state.size, state.talon), LOW, HIGH, LOW_CARDS)
        if not state.best:
            return "lead " + "".join([RANKS[rank] for rank in lead(list(hand), rng)])
        if state.deal.setting.must_beat:
            return super().choose(state, seat, rng)
        play, _ = follow(list(hand), state.best, rng)
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
        """Return the payoffs, or what the points are worth when the hand is over."""
        assert isinstance(state, TwentyTwoState)
        while state.best is None and not self.is_far(state):
            state = state.apply({state.seat: self.choose(state, state.seat, rng)})
        if state.outcome is not None:
            return state.outcome.payoffs
        if self.is_far(state):
            falls = state.deal.falls
            return prospects(totals(state.deal.piles, falls), [fall[1] if fall else 0 for fall in falls])
        return play_out(state, rng)


def exchange(hand: Ranks, most: int, low: int, high: int, number: int) -> str:
    """Return an exchange that keeps some of the low cards and all high ones; the most middling go first."""
    useless = [rank for rank in hand if low < rank < high] + [rank for rank in hand if rank <= low][number:]
    useless.sort(key=lambda rank: abs(2 * rank - low - high))
    return " ".join(["exchange", *(RANKS[rank] for rank in sorted(useless[:most]))])
