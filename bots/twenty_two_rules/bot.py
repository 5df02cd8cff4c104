"""Plays Twenty-Two by rules: high cards win the tricks, and the lowest card is saved for the last one."""

from collections.abc import Sequence
from typing import ClassVar

from cardpit import Bot, Turn
from cardpit.cards import RANKS

HIGH = RANKS.index("Q")
"""Cards from here up win tricks."""
LOW = RANKS.index("4")
"""Cards up to here are good to end with."""
LOW_CARDS = 3
"""How many of those to keep: a lead of several cards takes the lowest away."""


class TwentyTwoRules(Bot):
    """Keeps high and low cards, leads high, and beats as cheaply as it can without its lowest card."""

    games: ClassVar[tuple[str, ...]] = ("twenty-two",)

    def act(self, turn: Turn) -> str | int:
        """Exchange, lead or follow."""
        if turn.phase == "exchange":
            return exchange(turn)
        if turn.phase == "lead":
            return lead(turn.legal_actions)
        return follow(turn)


def exchange(turn: Turn) -> str:
    """Put aside what is neither high nor low, the most middling first if the talon is short."""
    hand = ranks(turn.hand)
    useless = [rank for rank in hand if LOW < rank < HIGH] + [rank for rank in hand if rank <= LOW][LOW_CARDS:]
    useless.sort(key=lambda rank: abs(2 * rank - LOW - HIGH))
    aside = sorted(useless[: turn.zone("talon").unseen])
    return " ".join(("exchange", *(RANKS[rank] for rank in aside)))


def lead(legal: Sequence[str]) -> str:
    """Lead as many as may be of the highest rank: others can only answer with their lowest cards."""
    return max(legal, key=lambda action: (RANKS.index(action[-1]), len(action)))


def follow(turn: Turn) -> int:
    """Beat with the lowest sum, without the lowest card if it can be spared; else play low."""
    best = ranks(turn.zone("trick", turn.counter("best")).cards)
    lowest = min(ranks(turn.hand))
    choices: list[tuple[bool, int, int]] = []
    for index, action in enumerate(turn.legal_actions):
        play = ranks(action.split()[1:])
        if all(card >= bar for card, bar in zip(play, best, strict=True)):
            choices.append((play[0] == lowest, sum(play), index))
    return min(choices)[2] if choices else 0


def ranks(cards: Sequence[str]) -> list[int]:
    """Return the ranks of cards, ascending: 0 for a two to 12 for an ace."""
    return sorted(RANKS.index(card[0]) for card in cards)


if __name__ == "__main__":
    TwentyTwoRules.run()
