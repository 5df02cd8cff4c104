"""How a game is played where a search does not look any more, and what it looks at first."""

from collections.abc import Container, Sequence
from random import Random
from typing import ClassVar

from cardpit.games import State


class Guide:
    """Knows nothing of the game: plays at random, to the end.

    A guide of a game overrides what it knows better. One is made for each decision, so it may remember what it has
    worked out for it.
    """

    decisions: ClassVar[int] = 50
    """About how many decisions a seat has before it in a match: the bank of time is spread over so many."""

    caution: ClassVar[float] = 0.0
    """By how many standard errors another action must be better than the one that is ranked first, to be taken."""

    def __init__(self, root: State, seat: int) -> None:
        self.root = root
        """The position of the decision, as the seat imagines it."""
        self.seat = seat
        """The seat that thinks."""

    def choose(self, state: State, seat: int, rng: Random) -> str:
        """Return a quick choice of a seat that is to act."""
        legal = state.legal_actions(seat)
        return legal[int(rng.random() * len(legal))]

    def ranked(self, state: State, seat: int) -> Sequence[str]:
        """Return the actions worth a thought at the position of the decision, the most promising first."""
        return state.legal_actions(seat)

    def untried(self, state: State, seat: int, legal: Sequence[str], tried: Container[str], rng: Random) -> str:
        """Return what a seat should try next of its legal actions; there is one that was not tried."""
        action = self.choose(state, seat, rng)
        if action not in tried:
            return action
        rest = [action for action in legal if action not in tried]
        return rest[int(rng.random() * len(rest))]

    def is_trusted(self, state: State, seat: int) -> bool:
        """Tell whether a seat's decision is left to :meth:`choose`: no use to search what others cannot see."""
        return False

    def is_far(self, state: State) -> bool:
        """Tell whether the search looks no further: always so at the end of the match."""
        return state.outcome is not None

    def play_out(self, state: State, rng: Random) -> Sequence[float]:
        """Return what each seat can expect of a state: the payoffs of a match that is played on by :meth:`choose`.

        A guide that does not look as far as the end says here what a state is worth.
        """
        while state.outcome is None:
            state = state.apply({seat: self.choose(state, seat, rng) for seat in state.turn})
        return state.outcome.payoffs
