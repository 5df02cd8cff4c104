"""Plays Spit by rules of thumb."""

from collections.abc import Sequence

from cardpit import Bot, Turn
from cardpit.cards import RANKS


class SpitRules(Bot):
    """Plays a card if it can, else turns one up, else moves one; slaps the smaller pile.

    A play goes where the next one follows, from the slot with most cards below. It passes only with nothing to do.
    """

    games = ("spit",)

    def act(self, turn: Turn) -> str:
        """Choose by the first rule that has an action."""
        legal = turn.legal_actions
        if turn.phase in ("slap", "choose"):
            word = legal[0].split()[0]
            sizes = [len(turn.zone(f"pile {pile}").cards) for pile in range(2)]
            return f"{word} {turn.seat if sizes[0] == sizes[1] else sizes.index(min(sizes))}"
        if turn.phase == "spit":
            return max(legal, key=lambda action: len(turn.zone(f"pile {action[-1]}").cards))
        for word in ("play", "flip", "move"):
            actions = [action for action in legal if action.startswith(word)]
            if actions:
                return max(actions, key=lambda action: self.worth(turn, action, actions))
        return "pass"

    def worth(self, turn: Turn, action: str, actions: Sequence[str]) -> tuple[int, int]:
        """Return how good an action is among those of its kind: higher is better."""
        word, slot, *to = action.split()
        below = turn.zone(f"slot {slot}", turn.seat).unseen
        if word != "play":
            return 0, below
        card = turn.zone(f"slot {slot}", turn.seat).cards[-1]
        others = [
            turn.zone(f"slot {other}", turn.seat).cards[-1:]
            for other in range(5)
            if str(other) != slot and other < self.slots
        ]
        follows = sum(next_to(card, other[0]) for other in others if other)
        return follows, below

    @property
    def slots(self) -> int:
        """How many slots each player has."""
        return 4 if self.table.parameters["four_piles"] else 5


def next_to(card: str, other: str) -> bool:
    """Tell whether one card may follow the other on a pile."""
    return (RANKS.index(card[0]) - RANKS.index(other[0])) % 13 in (1, 12)


if __name__ == "__main__":
    SpitRules.run()
