"""Playing cards as two characters: ``"QS"`` is the queen of spades; the jokers are ``"x"`` and ``"X"``.

Ranks are ``2 3 4 5 6 7 8 9 T J Q K A``, suits ``S H D C``; ``x`` is the small and ``X`` the big joker.
A card that nobody at this seat may see is counted, not named, or written ``"??"``.
"""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
"""Every rank with suits, lowest first where aces are high."""

SUITS = "SHDC"
"""Every suit, in the order in which a pack is laid out before it is shuffled."""

SMALL_JOKER = "x"
BIG_JOKER = "X"
UNSEEN = "??"

PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards, suit by suit, two to ace: the order in which every shuffle of a 52-card pack starts."""

RED_SUITS = frozenset("HD")

_NAMES = frozenset(PACK) | {SMALL_JOKER, BIG_JOKER}


def rank(card: str) -> str:
    """Return the rank character of a card: ``rank("QS") == "Q"``, and a joker is its own rank."""
    return card[0]


def is_red(card: str) -> bool:
    """Tell whether a card with a suit is a heart or a diamond."""
    return card[-1] in RED_SUITS


def parse_cards(text: str) -> tuple[str, ...]:
    """Return the cards named in a text, in its order, separated by white space.

    Raises ``ValueError`` that names the first word that is no card.
    """
    cards = tuple(text.split())
    for card in cards:
        if card not in _NAMES:
            raise ValueError(f"{card!r} is no card: a card is a rank of {RANKS} and a suit of {SUITS}, or x, or X")
    return cards


def format_cards(cards: Iterable[str]) -> str:
    """Return cards as one text, in their order, separated by single spaces."""
    return " ".join(cards)
