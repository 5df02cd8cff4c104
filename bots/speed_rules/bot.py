"""Plays Speed by rules of thumb."""

from collections import Counter

from cardpit import Bot, Turn
from cardpit.cards import RANKS


class SpeedRules(Bot):
    """Plays a card if it can, and draws only when it cannot: a draw costs a tick, whether it brings one card or five.

    Among its plays it takes the one after which most cards of its hand can go on the same pile.
    """

    games = ("speed",)

    def act(self, turn: Turn) -> str:
        """Choose the play with the longest way to go, else draw, else pass."""
        plays = [action for action in turn.legal_actions if action.startswith("play")]
        if plays:
            hand = Counter(card[0] for card in turn.hand)
            return max(plays, key=lambda action: chain(hand, action.split()[1]))
        return "draw" if "draw" in turn.legal_actions else "pass"


def chain(hand: Counter[str], rank: str) -> int:
    """Return how many cards of a hand can be played one on another, from a rank on."""
    left = hand - Counter(rank)
    place = RANKS.index(rank)
    neighbours = {RANKS[(place - 1) % 13], RANKS[(place + 1) % 13]}
    return 1 + max((chain(left, other) for other in neighbours if left[other]), default=0)


if __name__ == "__main__":
    SpeedRules.run()
