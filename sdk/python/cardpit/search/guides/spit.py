"""How Spit is played in the thoughts of a search: whoever can play plays."""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import ClassVar

from cardpit.games import State
from cardpit.games.real_time import NEAR
from cardpit.games.spit import SpitState
from cardpit.games.spit_actions import (
    ABSENT,
    FLIP,
    IDLE,
    MOVE,
    OPERATIONS,
    PLAY,
    STACK,
    WIDTH,
    Slots,
    face_down,
    top_card,
)
from cardpit.search.guide import Guide

KINDS = (PLAY, STACK, FLIP, MOVE)
"""The kinds of actions, the best first."""
CARELESS = 0.05
"""How often a quick choice is made at random, so that a search sees waiting as well."""
TICKS = 12
"""How far it looks: later ticks depend on cards that nobody has seen yet."""
STEP = 6.0
"""So many cards fewer than the other make it likely, 73 in 100, to win a match."""
PACE = 2.5
"""So many actions fewer than the other's make it likely, 73 in 100, to be out first."""


class SpitGuide(Guide):
    """Plays a card if it can, else turns up, else moves; looks some ticks ahead and counts the cards there."""

    decisions: ClassVar[int] = 400
    caution: ClassVar[float] = 1.5

    def __init__(self, root: State, seat: int) -> None:
        super().__init__(root, seat)
        assert isinstance(root, SpitState)
        self._number, self._last = root.layout.number, root.tick + TICKS

    def is_far(self, state: State) -> bool:
        """Tell whether some ticks are over, or a new layout was dealt."""
        assert isinstance(state, SpitState)
        return state.outcome is not None or state.layout.number != self._number or state.tick >= self._last

    def choose(self, state: State, seat: int, rng: Random) -> str:
        """Return any play, else the first of the others; slap the smaller pile, and spit on the larger."""
        assert isinstance(state, SpitState)
        legal = state.legal_actions(seat)
        if state.phase != "play":
            larger = len(state.pile1) > len(state.pile0)
            return legal[larger if state.phase == "spit" else not larger]
        if rng.random() < CARELESS:
            return legal[int(rng.random() * len(legal))]
        plays = 0
        while legal[plays][:4] == "play" and plays < len(legal) - 1:
            plays += 1
        return legal[int(rng.random() * plays)] if plays else legal[0]

    def ranked(self, state: State, seat: int) -> Sequence[str]:
        """Return plays first, then what turns up, moves or passes; among them, what digs in a deep slot.

        Before that comes a play that another own card can follow. Outside of play the quick choice is the first.
        """
        assert isinstance(state, SpitState)
        legal = state.legal_actions(seat)
        if state.phase != "play":
            first = self.choose(state, seat, Random(0))
            return sorted(legal, key=lambda action: action != first)
        slots = state.slots(seat)
        tops = [top_card(slot) for slot in slots]

        def worth(action: str) -> tuple[int, int, int]:
            kind, place, _ = OPERATIONS[action]
            if kind == IDLE:
                return len(KINDS), 0, 0
            follows = 0
            if kind == PLAY:
                near = NEAR[tops[place] >> 2]
                follows = sum(top >= 0 and near >> (top >> 2) & 1 for other, top in enumerate(tops) if other != place)
            return KINDS.index(kind), -follows, -face_down(slots[place])

        return sorted(legal, key=worth)

    def play_out(self, state: State, rng: Random) -> Sequence[float]:
        """Return the payoffs, or how likely each seat is to win, from the cards that both have then or will take."""
        while not self.is_far(state):
            state = state.apply({seat: self.choose(state, seat, rng) for seat in state.turn})
        assert isinstance(state, SpitState)
        if state.outcome is not None:
            return state.outcome.payoffs
        lead = (
            cards_ahead(state) if state.layout.number == self._number else state.layout.held[1] - state.layout.held[0]
        )
        first = 1 / (1 + exp(-lead / STEP))
        return (first, 1 - first)


def cards_ahead(state: SpitState) -> float:
    """Return how many cards fewer than seat 1 seat 0 can expect in the next layout.

    Each keeps what it has in slots and spit cards, and who is out first takes the smaller pile.
    """
    cards, actions = _left(state.slots0)
    other_cards, other_actions = _left(state.slots1)
    kept = other_cards + len(state.spits1) - cards - len(state.spits0)
    out_first = 1 / (1 + exp((actions - other_actions) / PACE))
    return kept + (2 * out_first - 1) * abs(len(state.pile0) - len(state.pile1))


def _left(slots: Slots) -> tuple[int, int]:
    """Return how many cards lie in slots, and how many actions it takes to play them, with turning up."""
    there = [slot for slot in slots if slot != ABSENT]
    down = sum([slot // WIDTH for slot in there])
    up = sum([slot % WIDTH > 0 for slot in there])
    return down + up, 2 * down + up
