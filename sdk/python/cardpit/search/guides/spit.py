"""How Spit is played in the thoughts of a search: whoever can play plays."""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import ClassVar

from cardpit.games import State
from cardpit.games.spit import SpitState
from cardpit.search.guide import Guide

IDLE = 0.05
"""How often a quick choice is made at random, so that a search sees waiting as well."""
STEP = 6.0
"""So many cards fewer than the other make it likely, 73 in 100, to win a match."""


class SpitGuide(Guide):
    """Plays a card if it can, else turns up, else moves; looks as far as the next layout and counts the cards there."""

    decisions: ClassVar[int] = 400

    def __init__(self, root: State, seat: int) -> None:
        super().__init__(root, seat)
        assert isinstance(root, SpitState)
        self._number = root.layout.number

    def is_far(self, state: State) -> bool:
        """Tell whether a new layout was dealt."""
        assert isinstance(state, SpitState)
        return state.outcome is not None or state.layout.number != self._number

    def choose(self, state: State, seat: int, rng: Random) -> str:
        """Return any play, else the first of the others; slap the smaller pile, and spit on the larger."""
        assert isinstance(state, SpitState)
        legal = state.legal_actions(seat)
        if state.phase != "play":
            larger = len(state.pile1) > len(state.pile0)
            return legal[larger if state.phase == "spit" else not larger]
        if rng.random() < IDLE:
            return legal[int(rng.random() * len(legal))]
        plays = 0
        while legal[plays][:4] == "play" and plays < len(legal) - 1:
            plays += 1
        return legal[int(rng.random() * plays)] if plays else legal[0]

    def play_out(self, state: State, rng: Random) -> Sequence[float]:
        """Return the payoffs, or how likely each seat is to win when the layout is over."""
        while not self.is_far(state):
            state = state.apply({seat: self.choose(state, seat, rng) for seat in state.turn})
        assert isinstance(state, SpitState)
        if state.outcome is not None:
            return state.outcome.payoffs
        own, other = state.layout.held
        first = 1 / (1 + exp((own - other) / STEP))
        return (first, 1 - first)
