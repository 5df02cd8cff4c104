"""How Speed is played in the thoughts of a search: whoever can play plays."""

from random import Random
from typing import ClassVar

from cardpit.games import State
from cardpit.games.speed_hands import DRAW
from cardpit.search.guide import Guide

IDLE = 0.05
"""How often a quick choice is made at random, so that a search sees waiting as well."""


class SpeedGuide(Guide):
    """Plays a card if it can, else draws."""

    decisions: ClassVar[int] = 200

    def choose(self, state: State, seat: int, rng: Random) -> str:
        """Return any play, else a draw, else a pass."""
        legal = state.legal_actions(seat)
        plays = len(legal) - 1 - (DRAW in legal)
        if rng.random() < IDLE:
            return legal[int(rng.random() * len(legal))]
        return legal[int(rng.random() * plays)] if plays else legal[0]
