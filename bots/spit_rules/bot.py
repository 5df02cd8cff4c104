"""Plays Spit by rules of thumb."""

from cardpit import Bot, Turn
from cardpit.cards import RANKS


class SpitRules(Bot):
    """Plays a card if it can, else turns one up, else moves one; slaps the smaller pile.

    It prefers the play that another of its cards can follow, then the slot with most cards below. A lone spit goes on
    the larger pile, so that the smaller one stays small.
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
                return max(actions, key=lambda action: self.worth(turn, action))
        return "pass"

    def worth(self, turn: Turn, action: str) -> tuple[int, int]:
        """Return how good an action is among those of its kind; higher is better."""
        word, slot = action.split()[:2]
        tops = {
            zone.name: zone.cards[-1]
            for zone in turn.observation.zones
            if zone.owner == turn.seat and zone.name.startswith("slot") and zone.cards
        }
        own = f"slot {slot}"
        below = turn.zone(own, turn.seat).unseen
        if word != "play":
            return 0, below
        return sum(next_to(tops[own], top) for name, top in tops.items() if name != own), below


def next_to(card: str, other: str) -> bool:
    """Tell whether one card may follow the other on a pile."""
    return (RANKS.index(card[0]) - RANKS.index(other[0])) % 13 in (1, 12)


if __name__ == "__main__":
    SpitRules.run()
