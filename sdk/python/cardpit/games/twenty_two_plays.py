"""The plays of Twenty-Two: their notation, and which of them a hand allows.

A hand is one number here: the count of each rank in four bits, twos lowest, so that ``hand - play`` is the hand after a
play. The lists are put together from ready parts, which are kept by rank counts in tables of bounded size.
"""

from functools import lru_cache
from itertools import combinations_with_replacement
from operator import ge

from cardpit.cards import PACK, RANKS

Ranks = tuple[int, ...]
"""The ranks of some cards, ascending: 0 for a two to 12 for an ace."""

UNITS = {rank: 1 << 4 * place for place, rank in enumerate(RANKS)}
"""The hand of a single card, by its rank."""
CARD_UNITS = {card: UNITS[card[0]] for card in PACK}
"""The hand of a single card, by its name."""
GUARDS = sum(8 << 4 * place for place in range(len(RANKS)))
"""The bit above each count: it stays set when no more is taken away than there is."""
_ONES = sum(UNITS.values())
_LOW_HALF = (1 << 28) - 1
_HIGH_HALF = (1 << 52) - 1 ^ _LOW_HALF
_THIRDS = ((1 << 20) - 1, (1 << 36) - (1 << 20), (1 << 52) - (1 << 36))
_EXCHANGE = "exchange"


def spread(hand: int) -> Ranks:
    """Return the ranks of a hand, ascending."""
    return tuple(rank for rank in range(len(RANKS)) for _ in range(hand >> 4 * rank & 15))


def holds(hand: int, part: int) -> bool:
    """Tell whether a hand has all cards of another."""
    return (hand | GUARDS) - part & GUARDS == GUARDS


LEADS: dict[str, tuple[Ranks, int]] = {
    "lead " + rank * size: ((place,) * size, unit * size)
    for place, (rank, unit) in enumerate(UNITS.items())
    for size in range(1, 5)
}
"""The ranks of every lead and the hand of its cards, by its notation."""
_FOLLOW_TEXTS: dict[Ranks, str] = {
    ranks: "follow " + " ".join(RANKS[rank] for rank in ranks)
    for size in range(1, 5)
    for ranks in combinations_with_replacement(range(len(RANKS)), size)
}
FOLLOWS: dict[str, tuple[Ranks, int]] = {
    text: (ranks, sum(1 << 4 * rank for rank in ranks)) for ranks, text in _FOLLOW_TEXTS.items()
}
"""The ranks of every follow and the hand of its cards, by its notation."""
_SINGLES = tuple(_FOLLOW_TEXTS[(rank,)] for rank in range(len(RANKS)))


def beats(ranks: Ranks, best: Ranks) -> bool:
    """Tell whether each rank is at least the one at the same place of the best play, of the same size. (TT-22 a)."""
    return all(map(ge, ranks, best))


def lowest(hand: int, size: int) -> Ranks:
    """Return the lowest ranks of a hand, so many. (TT-22 b)."""
    ranks: Ranks = ()
    while len(ranks) < size:
        place = (hand & -hand).bit_length() - 1 >> 2
        ranks += (place,) * (hand >> 4 * place & 15)
        hand &= -16 << 4 * place
    return ranks[:size]


def can_beat(hand: int, best: Ranks) -> bool:
    """Tell whether the highest cards of a hand beat the best play, and so whether any do."""
    return beats(spread(hand)[-len(best) :], best)


def leads(hand: int, size: int) -> tuple[str, ...]:
    """Return the leads from a hand of ``size`` cards: by rank, then by number, the lowest first. (TT-21)."""
    low, middle, high = _THIRDS
    texts = _leads(hand & low) + _leads(hand & middle) + _leads(hand & high)
    return texts if len(texts[-1]) - len("lead ") < size else texts[:-1]


@lru_cache(5**5 + 2 * 5**4)
def _leads(part: int) -> tuple[str, ...]:
    return tuple("lead " + rank * size for rank, unit in UNITS.items() for size in range(1, (part // unit & 15) + 1))


def follows(hand: int, best: Ranks, must_beat: bool) -> tuple[str, ...]:
    """Return the answers to the best play: the lowest cards first, then what beats it, the lowest first. (TT-22).

    The lowest cards are no answer where ``must_beat`` and something else beats.
    """
    bar = 4 * best[0]
    able = hand >> bar << bar
    if len(best) == 1:
        ones = (able | able >> 1 | able >> 2) & _ONES
        beating = _single_follows(ones & _LOW_HALF) + _single_follows(ones & _HIGH_HALF)
        if able == hand or (must_beat and beating):
            return beating
        return (_SINGLES[(hand & -hand).bit_length() - 1 >> 2], *beating)
    beating = _set_follows(able, best)
    low = _FOLLOW_TEXTS[lowest(hand, len(best))]
    if beating and (must_beat or beating[0] is low):
        return beating
    return (low, *beating)


@lru_cache(2**7 + 2**6)
def _single_follows(ones: int) -> tuple[str, ...]:
    return tuple(_SINGLES[rank] for rank in spread(ones))


@lru_cache(1 << 13)
def _set_follows(hand: int, best: Ranks) -> tuple[str, ...]:
    """Return what beats a best play of two to four cards, in ascending order of the ranks."""
    held = [(rank, hand >> 4 * rank & 15) for rank in range(best[0], len(RANKS)) if hand >> 4 * rank & 15]
    plays: list[Ranks] = [()]
    for bar in best:
        plays = [
            (*play, rank)
            for play in plays
            for rank, number in held
            if rank >= bar and (not play or rank > play[-1] or (rank == play[-1] and play.count(rank) < number))
        ]
    return tuple([_FOLLOW_TEXTS[play] for play in plays])


def exchanges(hand: int, size: int, most: int) -> tuple[str, ...]:
    """Return the exchanges of up to ``most`` cards of a hand of ``size``. (TT-10).

    Those with fewer twos come first, among them those with fewer threes, and so on up to the aces.
    """
    low, middle, high = (_choices(hand & third) for third in _THIRDS)
    if most >= size:
        ends = high[-1]
        starts = [_EXCHANGE + start + text for start in low[-1] for text in middle[-1]]
        return tuple([start + end for start in starts for end in ends])
    texts = [_EXCHANGE]
    for choices in (low, middle, high):
        rooms = [choices[min(room, len(choices) - 1)] for room in range(most + 1)]
        full = len(_EXCHANGE) + 2 * most
        texts = [text + end for text in texts for end in rooms[full - len(text) >> 1]]
    return tuple(texts)


@lru_cache(5**5 + 2 * 5**4)
def _choices(part: int) -> tuple[tuple[str, ...], ...]:
    """Return the choices of up to 0, 1, 2, ... cards, all of them last; each rank is written after a space."""
    texts = [""]
    for rank, unit in UNITS.items():
        texts = [text + f" {rank}" * taken for text in texts for taken in range((part // unit & 15) + 1)]
    most = len(texts[-1]) // 2
    return tuple([tuple([text for text in texts if len(text) <= 2 * room]) for room in range(most + 1)])


def read_exchange(text: str) -> str | None:
    """Return the ranks, as one word, that an exchange puts aside; None if the text is none."""
    ranks = text[len(_EXCHANGE) + 1 :: 2]
    places = [RANKS.find(rank) for rank in ranks]
    if text != " ".join((_EXCHANGE, *ranks)) or -1 in places or places != sorted(places):
        return None
    return ranks


def write_exchange(ranks: str) -> str:
    """Return the notation of an exchange of these ranks, ascending."""
    return " ".join((_EXCHANGE, *ranks))
