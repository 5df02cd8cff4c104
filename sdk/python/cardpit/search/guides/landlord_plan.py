"""Hands of Landlord taken apart into the plays with which they are played out in few turns."""

from functools import lru_cache

from cardpit.games.landlord_lists import find_book
from cardpit.games.landlord_plays import CHAIN, JOKERS, ONES, Play, at_least, bits, chains

BOOK = find_book(False)
"""The combinations of the default rules, which are combinations of all others too."""
BY_CARDS: dict[int, Play] = {play.cards: play for play in BOOK.by_text.values()}
"""Every combination by its cards."""

TWO = 1 << 4 * 10
"""One two, as a hand."""


@lru_cache(1 << 16)
def turns(hand: int) -> int:
    """Return in how many turns a hand can be played out if nobody beats anything, about."""
    return _split(hand)[0]


@lru_cache(1 << 15)
def plan(hand: int) -> tuple[Play, ...]:
    """Return plays that make up a hand: runs first, then planes and triples, pairs, singles, bombs last."""
    plays: list[Play] = []
    while (run := _split(hand)[1]) != 0:
        plays.append(BY_CARDS[run])
        hand -= run
    power: list[Play] = []
    if hand & JOKERS == JOKERS:
        power.append(BY_CARDS[JOKERS])
        hand -= JOKERS
    for bit in bits(at_least(hand, 4)):
        power.append(BY_CARDS[4 * bit])
        hand -= 4 * bit
    triples = list(bits(at_least(hand, 3)))
    rest = hand - 3 * sum(triples)
    pairs = list(bits(at_least(rest, 2)))
    singles = list(bits(at_least(rest, 1) & ~sum(pairs)))
    for body in _bodies(triples):
        plays.append(_with_wings(body, singles, pairs))
    plays += [BY_CARDS[2 * bit] for bit in pairs]
    plays += [BY_CARDS[bit] for bit in singles]
    return (*plays, *power)


def _bodies(triples: list[int]) -> list[int]:
    """Return the planes and single triples that these ranks make."""
    found: list[int] = []
    for bit in triples:
        if found and bit & CHAIN and found[-1] & bit >> 4:
            found[-1] |= bit
        else:
            found.append(bit)
    return found


def _with_wings(body: int, singles: list[int], pairs: list[int]) -> Play:
    """Return a play of triples that takes along the lowest singles, or else pairs, below the twos."""
    number = body.bit_count()
    for loose, depth in ((singles, 1), (pairs, 2)):
        low = [bit for bit in loose if bit < TWO][:number]
        play = BY_CARDS.get(3 * body + depth * sum(low)) if len(low) == number else None
        if play is not None:
            for bit in low:
                loose.remove(bit)
            return play
    return BY_CARDS[3 * body]


@lru_cache(1 << 16)
def _split(hand: int) -> tuple[int, int]:
    """Return the turns of a hand, and the straight or pair run to take out first to need so few; 0 for none."""
    best, first = _loose_turns(hand), 0
    ones = (hand | hand >> 1 | hand >> 2) & ONES & CHAIN
    if ones & ones >> 4 & ones >> 8:
        twos = (hand >> 1 | hand >> 2) & ONES
        runs = [run for length in (5, 6, 7, 8) for run in chains(ones, length)]
        runs += [2 * run for length in (3, 4) for run in chains(twos, length)]
        for run in runs:
            needed = 1 + _split(hand - run)[0]
            if needed < best:
                best, first = needed, run
    return best, first


def _loose_turns(hand: int) -> int:
    """Return the turns without runs: triples take singles or pairs along, planes are one turn."""
    half, fours = hand >> 1, hand >> 2
    quads = fours & ONES & ~JOKERS
    threes = (hand & half | fours) & ONES
    triples = threes & ~quads
    ones = (hand | half | fours) & ONES
    carried = triples.bit_count()
    joined = (triples & triples << 4 & CHAIN).bit_count()
    loose = (ones & ~threes).bit_count() - (hand & JOKERS == JOKERS)
    return carried - joined + quads.bit_count() + max(0, loose - carried)
