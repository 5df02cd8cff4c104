"""How Speed is played in the thoughts of a search: whoever can play plays."""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import ClassVar

from cardpit.cards import RANKS
from cardpit.games import State
from cardpit.games.speed import SpeedState
from cardpit.games.speed_hands import DRAW, PLAYED, cards_of
from cardpit.search.guide import Guide

IDLE = 0.05
"""How often a quick choice is made at random, so that a search sees waiting as well."""
TICKS = 10
"""How far it looks: later ticks depend on cards that nobody has seen yet."""
STEP = 2.5
"""So many cards fewer than the other make it likely, 73 in 100, to win."""


class SpeedGuide(Guide):
    """Plays a card if it can, else draws; looks some ticks ahead and counts the cards there."""

    decisions: ClassVar[int] = 200
    caution: ClassVar[float] = 1.5

    def __init__(self, root: State, seat: int) -> None:
        super().__init__(root, seat)
        assert isinstance(root, SpeedState)
        self._game, self._last = root.game, root.tick + TICKS

    def is_far(self, state: State) -> bool:
        """Tell whether some ticks are over, or the game is."""
        assert isinstance(state, SpeedState)
        return state.outcome is not None or state.tick >= self._last or state.game != self._game

    def choose(self, state: State, seat: int, rng: Random) -> str:
        """Return any play, else a draw, else a pass."""
        legal = state.legal_actions(seat)
        plays = len(legal) - 1 - (DRAW in legal)
        if rng.random() < IDLE:
            return legal[int(rng.random() * len(legal))]
        return legal[int(rng.random() * plays)] if plays else legal[0]

    def ranked(self, state: State, seat: int) -> Sequence[str]:
        """Return plays first, those that begin the longest chains of the hand before others, then a draw and a pass."""
        assert isinstance(state, SpeedState)
        hand = [0] * 13
        for card in cards_of(state.hand(seat)):
            hand[card >> 2] += 1
        legal = state.legal_actions(seat)
        plays = [action for action in legal if action in PLAYED]
        plays.sort(key=lambda action: -_chain(hand, RANKS.index(action[5])))
        return [*plays, *(action for action in legal if action not in PLAYED)]

    def play_out(self, state: State, rng: Random) -> Sequence[float]:
        """Return how likely each seat is to win, from the cards that both have left."""
        while not self.is_far(state):
            state = state.apply({seat: self.choose(state, seat, rng) for seat in state.turn})
        assert isinstance(state, SpeedState)
        if state.game != self._game:
            lead = state.score[0] - state.score[1]
            assert isinstance(self.root, SpeedState)
            lead -= self.root.score[0] - self.root.score[1]
        else:
            lead = state.cards_left(1) - state.cards_left(0)
        first = 1 / (1 + exp(-lead / STEP))
        return (first, 1 - first)


def _chain(hand: Sequence[int], rank: int) -> int:
    """Return how many cards of a hand can be played one on another, from a rank on."""
    left = [number - (place == rank) for place, number in enumerate(hand)]
    others = ((rank - 1) % 13, (rank + 1) % 13)
    return 1 + max((_chain(left, other) for other in others if left[other] > 0), default=0)
