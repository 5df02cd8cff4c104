"""The combinations of Landlord: what may be played, what a hand holds, what beats what.

A hand is one whole number, four bits for each rank, lowest rank first: ``5`` counts 1, ``6`` counts 16, and so on. A
mask is such a number with 0 or 1 at each rank. Nothing here knows suits. The tables fill themselves as they are used.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

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

Filler = Callable[[int], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Play:
    """A combination of cards: given by its ranks alone, for every set of cards has one reading only."""

    text: str
    """The notation: ``play 555+6``."""
    kind: str
    """``single``, ``pair``, ``triple``, ``straight``, ``pair run``, ``plane``, ``bomb`` or ``rocket``; with cards
    attached: ``triple+single``, ``triple+pair``, ``plane+singles``, ``plane+pairs``, ``four+singles``, ``four+pairs``."""
    cards: int
    """All its cards, as a hand."""
    size: int
    """How many cards."""
    body: int
    """The ranks that decide, as a mask."""
    high: int
    """The place of the highest rank of the body, from 0."""
    group: int
    """The same for plays of the same kind and size."""
    power: int
    """0 for most; higher for higher bombs; highest for the rocket."""
    depth: int
    """How many cards of each rank the body takes."""
    above: int
    """The ranks of which the body of a higher play of this group consists, as a mask."""
    bombs: int
    """The ranks of the bombs that beat it, as a mask."""

    def beats(self, other: "Play") -> bool:
        """Tell whether this may be played on the other."""
        return (self.group == other.group and self.high > other.high) or self.power > other.power


class Table(dict[int, tuple[str, ...]]):
    """Tuples of actions by mask or hand, made when first asked for, and forgotten together when there are too many."""

    __slots__ = ("_fill",)
    BOUND = 4096

    def __init__(self, fill: Filler) -> None:
        super().__init__()
        self._fill = fill

    def __missing__(self, key: int) -> tuple[str, ...]:
        if len(self) >= self.BOUND:
            self.clear()
        found = self[key] = self._fill(key)
        return found


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


def holds(hand: int, cards: int) -> bool:
    """Tell whether all the cards are in the hand."""
    return ((hand | GUARD) - cards) & GUARD == GUARD


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
    """Yield every sequence of so many consecutive ranks from 5 to A in a mask, lowest first."""
    window = ONES & ((1 << 4 * length) - 1)
    while window <= CHAIN:
        if mask & window == window:
            yield window
        window <<= 4


def choices(free: Sequence[tuple[int, int]], size: int) -> Iterator[int]:
    """Yield every choice of so many cards from ranks with counts, never both jokers, in ascending order."""
    if not size:
        yield 0
    for place, (bit, held) in enumerate(free):
        for taken in range(min(held, size), 0, -1):
            for others in choices(free[place + 1 :], size - taken):
                chosen = taken * bit + others
                if chosen & JOKERS != JOKERS:
                    yield chosen


def wing_cards(body: int, hand: int) -> list[tuple[int, int]]:
    """Return the ranks of a hand that may be attached singly to a plane, with how many of each.

    At most three alike, and three alike never next to the plane's ends, lest they could join it.
    """
    ends = (body << 4 | body >> 4) & CHAIN & ~body
    return [(bit, min(hand // bit & 7, 2 if bit & ends else 3)) for bit in bits(at_least(hand, 1) & ~body)]


class Book:
    """Every combination of the pack, and those that a hand can play, under one reading of the four with two.

    ``four_plus_pair_as_singles`` also takes one pair as the two singles of a four with two.
    """

    def __init__(self, four_plus_pair_as_singles: bool) -> None:
        self._doubles = four_plus_pair_as_singles
        self._groups: dict[tuple[str, int], int] = {}
        self._texts: dict[int, str] = {}
        self.by_text: dict[str, Play] = {}
        """The combinations by their notation."""
        for kind, depth, body, attached in self._all():
            self._add(kind, depth, body, attached)
        self._solo_leads = Table(self._lead_solos)
        self._pair_leads = Table(self._lead_pairs)
        self._tails = Table(self._tail)
        self._simple = {group: Table(self._simple_filler(*key)) for key, group in self._groups.items()}
        self._attached: dict[tuple[str, int], Table] = {
            (play.kind, play.body): Table(self._attached_filler(play.kind, play.body))
            for play in self.by_text.values()
            if "+" in play.kind
        }

    def leads(self, hand: int) -> tuple[str, ...]:
        """Return every play that a hand can lead: lowest kinds first, bombs and rocket last."""
        twos, fours = hand >> 1, hand >> 2
        found = self._solo_leads[(hand | twos | fours) & ONES]
        pairs = (twos | fours) & ONES
        if pairs:
            found += self._pair_leads[pairs]
            triples = (hand & twos | fours) & ONES
            if triples:
                found += self._lead_triples(hand, triples)
        tail = self._tails[fours & ONES | hand & JOKERS]
        return found + tail[:-1] if len(tail) > 1 else found

    def answers(self, hand: int, beat: Play) -> tuple[str, ...]:
        """Return every play of a hand that beats another, lowest first, bombs and rocket behind, and last a pass."""
        tail = self._tails[hand >> 2 & beat.bombs | hand & JOKERS]
        depth = beat.depth
        if depth == 1:
            held = (hand | hand >> 1 | hand >> 2) & beat.above
        elif depth == 2:
            held = (hand >> 1 | hand >> 2) & beat.above
        elif depth == 3:
            held = (hand & hand >> 1 | hand >> 2) & beat.above
        else:
            held = hand >> 2 & beat.above
        if not held:
            return tail
        if "+" in beat.kind:
            return self._with_attached(beat.kind, hand, held, beat.body.bit_count()) + tail
        return self._simple[beat.group][held] + tail

    def _all(self) -> Iterator[tuple[str, int, int, int]]:
        """Yield kind, depth, body and attached cards of every combination, in the order of the lists."""
        for depth, kind in enumerate(("single", "pair", "triple"), 1):
            yield from ((kind, depth, bit, 0) for bit in bits(ONES if depth == 1 else SUITED))
        for depth, kind, shortest in ((1, "straight", 5), (2, "pair run", 3), (3, "plane", 2)):
            for length in range(shortest, MOST_CARDS // depth + 1):
                yield from ((kind, depth, body, 0) for body in chains(CHAIN, length))
        for kind in ("triple+single", "triple+pair", "four+singles", "four+pairs"):
            for body in bits(SUITED):
                depth = 3 if kind[0] == "t" else 4
                yield from ((kind, depth, body, cards) for cards in self._attachments(kind, body, PACK))
        for kind, cards_each in (("plane+singles", 4), ("plane+pairs", 5)):
            for length in range(2, MOST_CARDS // cards_each + 1):
                for body in chains(CHAIN, length):
                    yield from ((kind, 3, body, cards) for cards in self._attachments(kind, body, PACK))
        yield from (("bomb", 4, bit, 0) for bit in bits(SUITED))
        yield ("rocket", 1, JOKERS, 0)

    def _attachments(self, kind: str, body: int, hand: int) -> Iterator[int]:
        """Yield every set of cards of a hand that may be attached to a body."""
        number = 2 if kind[0] == "f" else body.bit_count()
        if "pair" in kind:
            yield from (2 * chosen for chosen in choices([(bit, 1) for bit in bits(at_least(hand, 2) & ~body)], number))
        elif kind == "plane+singles":
            yield from choices(wing_cards(body, hand), number)
        else:
            doubles = at_least(hand, 2) if kind == "four+singles" and self._doubles else 0
            free = [(bit, 2 if bit & doubles else 1) for bit in bits(at_least(hand, 1) & ~body)]
            yield from choices(free, number)

    def _add(self, kind: str, depth: int, body: int, attached: int) -> None:
        core = write_hand(depth * body)
        loose = write_hand(attached)
        width = 2 if kind.endswith(("+pair", "+pairs")) else 1
        text = "play " + "+".join([core, *(loose[at : at + width] for at in range(0, len(loose), width))])
        size = len(core) + len(loose)
        high = (body.bit_length() - 1) // 4
        higher = ONES & -((body & -body) << 1)
        is_bomb = kind == "bomb"
        is_rocket = kind == "rocket"
        self._texts[depth * body + attached] = text
        self.by_text[text] = Play(
            text=text,
            kind=kind,
            cards=depth * body + attached,
            size=size,
            body=body,
            high=high,
            group=self._groups.setdefault((kind, size), len(self._groups)),
            power=1 + high if is_bomb or is_rocket else 0,
            depth=depth,
            above=0 if is_bomb or is_rocket else higher & (CHAIN if body & (body - 1) else ONES),
            bombs=0 if is_rocket else SUITED & higher if is_bomb else SUITED,
        )

    def _simple_filler(self, kind: str, size: int) -> Filler:
        depth = {"pair": 2, "pair run": 2, "triple": 3, "plane": 3}.get(kind, 1)
        if kind in ("single", "pair", "triple"):
            return lambda mask: tuple(self._texts[depth * bit] for bit in bits(mask))
        return lambda mask: tuple(self._texts[depth * body] for body in chains(mask, size // depth))

    def _attached_filler(self, kind: str, body: int) -> Filler:
        whole = (4 if kind[0] == "f" else 3) * body
        return lambda hand: tuple(self._texts[whole + cards] for cards in self._attachments(kind, body, hand))

    def _lead_solos(self, mask: int) -> tuple[str, ...]:
        bodies = [*bits(mask), *(body for length in range(5, 11) for body in chains(mask, length))]
        return tuple(self._texts[body] for body in bodies)

    def _lead_pairs(self, mask: int) -> tuple[str, ...]:
        bodies = [*bits(mask), *(body for length in range(3, 11) for body in chains(mask, length))]
        return tuple(self._texts[2 * body] for body in bodies)

    def _lead_triples(self, hand: int, triples: int) -> tuple[str, ...]:
        planes = [body for length in range(2, 7) for body in chains(triples, length)]
        found = tuple(self._texts[3 * body] for body in (*bits(triples), *planes))
        for kind in ("triple+single", "triple+pair"):
            found += self._with_attached(kind, hand, triples, 1)
        fours = hand >> 2 & ONES
        if fours:
            for kind in ("four+singles", "four+pairs"):
                found += self._with_attached(kind, hand, fours, 1)
        if planes:
            for kind, most in (("plane+singles", 5), ("plane+pairs", 4)):
                for length in range(2, most + 1):
                    found += self._with_attached(kind, hand, triples, length)
        return found

    def _with_attached(self, kind: str, hand: int, mask: int, length: int) -> tuple[str, ...]:
        """Return what a hand can play of one kind whose body is made of the ranks of a mask."""
        found: tuple[str, ...] = ()
        if kind == "plane+singles":
            held = hand
        elif "pair" in kind:
            held = 2 * at_least(hand, 2)
        elif kind == "four+singles" and self._doubles:
            held = at_least(hand, 1) + at_least(hand, 2)
        else:
            held = at_least(hand, 1)
        for body in bits(mask) if length == 1 else chains(mask, length):
            found += self._attached[kind, body][held & ~(15 * body)]
        return found

    def _tail(self, key: int) -> tuple[str, ...]:
        """Return the bombs of a mask, the rocket if both jokers are in it, and a pass."""
        bombs = tuple(self._texts[4 * bit] for bit in bits(key & SUITED))
        return (*bombs, *([self._texts[JOKERS]] if key & JOKERS == JOKERS else ()), PASS)


@cache
def find_book(four_plus_pair_as_singles: bool) -> Book:
    """Return the combinations under one reading of the four with two, made once in a process."""
    return Book(four_plus_pair_as_singles)
