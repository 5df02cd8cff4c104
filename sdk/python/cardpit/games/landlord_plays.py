"""The combinations of Landlord: what they are, and what beats what.

A hand is one whole number, four bits for each rank, lowest rank first: ``5`` counts 1, ``6`` counts 16, and so on. A
mask is such a number with 0 or 1 at each rank. Nothing here knows suits.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

RANKS = "56789TJQKA2xX"
"""The ranks of the pack, lowest first."""

RANK_BITS = {rank: 1 << 4 * place for place, rank in enumerate(RANKS)}
"""What one card of a rank adds to a hand."""

PASS = "pass"
ONES = sum(RANK_BITS.values())
GUARD = ONES << 3
"""A bit above each rank's count: a subtraction that borrows from it takes more cards than there are."""
SUITED = ONES & ~(RANK_BITS["x"] | RANK_BITS["X"])
CHAIN = SUITED & ~RANK_BITS["2"]
JOKERS = RANK_BITS["x"] | RANK_BITS["X"]
PACK = 4 * SUITED + JOKERS
MOST_CARDS = 20
"""What the landlord holds, the most that one play can be."""

WINGED = ("triple+single", "triple+pair", "four+singles", "four+pairs", "plane+singles", "plane+pairs")
"""The kinds with attached cards."""


@dataclass(frozen=True, slots=True)
class Play:
    """A combination of cards: given by its ranks alone, for every set of cards has one reading only."""

    text: str
    """The notation: ``play 555+6``."""
    kind: str
    """``single``, ``pair``, ``triple``, ``straight``, ``pair run``, ``plane``, ``bomb``, ``rocket`` or one of
    :data:`WINGED`."""
    cards: int
    """All its cards, as a hand."""
    size: int
    """How many cards."""
    body: int
    """The ranks that decide, as a mask."""
    high: int
    """The place of the highest rank of the body, from 0."""
    power: int
    """0 for most; higher for higher bombs; highest for the rocket."""
    depth: int
    """How many cards of each rank the body takes."""
    above: int
    """The ranks of which the body of a higher play of this kind and size may consist, as a mask."""
    trumps: int
    """The ranks of the bombs that beat it, and the jokers if the rocket does, as a mask."""

    def beats(self, other: "Play") -> bool:
        """Tell whether this may be played on the other."""
        if self.power or other.power:
            return self.power > other.power
        return self.high > other.high and self.size == other.size and self.kind == other.kind


class Wing(NamedTuple):
    """A way to choose the cards attached to a body."""

    depth: int
    """From what it chooses: 1 from the ranks held at least once, 2 from those held at least twice, each as a mask;
    0 from the hand itself. The ranks of the body are taken out before."""
    choose: Callable[[int], list[int]]
    """Return every choice, as hands."""


def read_hand(text: str) -> int:
    """Return the hand that rank characters name, in any order. Raises ``ValueError`` for another character."""
    hand = 0
    for rank in text:
        if rank not in RANK_BITS:
            raise ValueError(f"{rank!r} is no rank: the ranks are {RANKS}")
        hand += RANK_BITS[rank]
    return hand


@lru_cache(4096)
def write_hand(hand: int) -> str:
    """Return the rank characters of a hand, lowest first."""
    return "".join([rank * (hand >> 4 * place & 7) for place, rank in enumerate(RANKS)])


def count(hand: int) -> int:
    """Return the number of cards in a hand."""
    return sum(hand >> 4 * place & 7 for place in range(len(RANKS)))


def bits(mask: int) -> Iterator[int]:
    """Yield each rank of a mask as a mask of its own, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest


def at_least(hand: int, number: int) -> int:
    """Return the ranks of which a hand holds so many cards or more, 1 to 4, as a mask."""
    twos, fours = hand >> 1, hand >> 2
    return (hand | twos | fours, twos | fours, hand & twos | fours, fours)[number - 1] & ONES


def chains(mask: int, length: int) -> Iterator[int]:
    """Return every sequence of so many consecutive ranks from 5 to A in a mask, lowest first."""
    mask &= CHAIN
    starts = mask
    for step in range(1, length):
        starts &= mask >> 4 * step
    window = ONES & ((1 << 4 * length) - 1)
    return (start * window for start in bits(starts)) if starts else iter(())


def wings(kind: str, body: int, doubles: bool) -> tuple[Wing, ...]:
    """Return how cards are attached to a body: each choice is made by one of the ways, none twice.

    ``doubles`` tells whether the two singles of a four with two may be a pair.
    """
    number = 2 if kind.startswith("four") else body.bit_count()
    if kind.endswith(("pair", "pairs")):
        return (Wing(2, lambda mask: [2 * sum(pairs) for pairs in combinations(bits(mask), number)]),)
    if number == 1:
        return (Wing(1, lambda mask: list(bits(mask))),)
    if number == 2:
        apart = Wing(1, lambda mask: [a | b for a, b in combinations(bits(mask), 2) if a | b != JOKERS])
        alike = Wing(2, lambda mask: [2 * bit for bit in bits(mask)])
        return (apart, alike) if doubles or kind.startswith("plane") else (apart,)
    return (Wing(0, lambda hand: list(_choices(_wing_cards(body, hand), number))),)


def find_plays(doubles: bool) -> Iterator[Play]:
    """Yield every combination of the pack, kind by kind, lowest first; ``doubles`` as in :func:`wings`."""
    for depth, kind in enumerate(("single", "pair", "triple"), 1):
        yield from (_play(kind, depth, bit, 0) for bit in bits(ONES if depth == 1 else SUITED))
    for depth, kind, shortest in ((1, "straight", 5), (2, "pair run", 3), (3, "plane", 2)):
        for length in range(shortest, MOST_CARDS // depth + 1):
            yield from (_play(kind, depth, body, 0) for body in chains(CHAIN, length))
    for kind in WINGED:
        depth = 4 if kind.startswith("four") else 3
        for body in bodies(kind, CHAIN if kind.startswith("plane") else SUITED):
            held = (PACK & ~(15 * body), ONES & ~body, SUITED & ~body)
            for wing in wings(kind, body, doubles):
                yield from (_play(kind, depth, body, cards) for cards in wing.choose(held[wing.depth]))
    yield from (_play("bomb", 4, bit, 0) for bit in bits(SUITED))
    yield _play("rocket", 1, JOKERS, 0)


def bodies(kind: str, mask: int) -> Iterator[int]:
    """Yield every body that a kind with attached cards can have in a mask, shortest first, then lowest first."""
    if not kind.startswith("plane"):
        yield from bits(mask)
        return
    for length in range(2, MOST_CARDS // (4 if kind == "plane+singles" else 5) + 1):
        yield from chains(mask, length)


def _play(kind: str, depth: int, body: int, attached: int) -> Play:
    core = write_hand(depth * body)
    loose = write_hand(attached)
    width = 2 if kind.endswith(("+pair", "+pairs")) else 1
    high = (body.bit_length() - 1) // 4
    above = ONES & -((body & -body) << 1)
    trumps = ONES
    power = 0
    if kind in ("bomb", "rocket"):
        above, trumps, power = 0, ONES & -(16 << 4 * high), 1 + high
    return Play(
        text="play " + "+".join([core, *(loose[at : at + width] for at in range(0, len(loose), width))]),
        kind=kind,
        cards=depth * body + attached,
        size=len(core) + len(loose),
        body=body,
        high=high,
        power=power,
        depth=depth,
        above=above,
        trumps=trumps,
    )


def _wing_cards(body: int, hand: int) -> list[tuple[int, int]]:
    """Return the ranks of a hand that may be attached singly to a plane, with how many of each.

    At most three alike, and three alike never next to the plane's ends, lest they could join it.
    """
    ends = (body << 4 | body >> 4) & CHAIN & ~body
    return [(bit, min(hand // bit & 7, 2 if bit & ends else 3)) for bit in bits(at_least(hand, 1) & ~body)]


def _choices(free: Sequence[tuple[int, int]], size: int) -> Iterator[int]:
    """Yield every choice of so many cards from ranks with counts, never both jokers, in ascending order."""
    if not size:
        yield 0
    for place, (bit, held) in enumerate(free):
        for taken in range(min(held, size), 0, -1):
            for others in _choices(free[place + 1 :], size - taken):
                chosen = taken * bit + others
                if chosen & JOKERS != JOKERS:
                    yield chosen
