"""The lists of what a hand can play at Landlord, from tables that fill themselves as they are used."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

from cardpit.games.landlord_plays import (
    JOKERS,
    ONES,
    PASS,
    SUITED,
    WINGED,
    Play,
    bits,
    bodies,
    chains,
    find_plays,
    wings,
)

SOURCE_BOUND = 2048
"""Answers that are kept for each body with attached cards: there are over a hundred such tables in a process."""

V = TypeVar("V")
Texts = tuple[str, ...]


class Table(dict[int, V]):
    """Answers by mask or hand, made when first asked for; when there are too many, all are forgotten."""

    __slots__ = ("_bound", "_fill")

    def __init__(self, fill: Callable[[int], V], bound: int = 8192) -> None:
        super().__init__()
        self._fill = fill
        self._bound = bound

    def __missing__(self, key: int) -> V:
        if len(self) >= self._bound:
            self.clear()
        found = self[key] = self._fill(key)
        return found


Source = tuple[int, int, Table[Texts]]
"""Plays of one body: from what its attached cards are chosen (:attr:`Wing.depth`), a mask that takes the body out of
that, and the table of the plays by what remains."""


class Book:
    """Every combination of the pack, and those that a hand can play, under one reading of the four with two.

    ``doubles`` tells whether the two singles of a four with two may be a pair.
    """

    def __init__(self, doubles: bool) -> None:
        self.by_text: dict[str, Play] = {play.text: play for play in find_plays(doubles)}
        """The combinations by their notation."""
        self._texts: dict[int, str] = {play.cards: play.text for play in self.by_text.values()}
        self._doubles = doubles
        self._sources: dict[tuple[str, int], tuple[Source, ...]] = {}
        self._single_leads = Table(lambda mask: self._plain(1, mask, range(5, 11)))
        self._pair_leads = Table(lambda mask: self._plain(2, mask, range(3, 11)))
        self._triple_leads = Table(lambda mask: self._plain(3, mask, range(2, 7)))
        self._winged_leads = Table(self._find_winged_leads)
        self._tails = Table(self._tail)
        self._plain_answers: dict[tuple[str, int], Table[Texts]] = {}
        self._winged_answers: dict[tuple[str, int], Table[tuple[Source, ...]]] = {}
        for play in self.by_text.values():
            if play.kind in WINGED:
                self._winged_answers.setdefault((play.kind, play.size), Table(self._winged_filler(play)))
            elif not play.power:
                self._plain_answers.setdefault((play.kind, play.size), Table(self._plain_filler(play)))

    def leads(self, hand: int) -> Texts:
        """Return every play that a hand can lead, in a fixed order: singles first, bombs and rocket last."""
        half, fours = hand >> 1, hand >> 2
        ones = (hand | half | fours) & ONES
        found = self._single_leads[ones]
        twos = (half | fours) & ONES
        if twos:
            found += self._pair_leads[twos]
            triples = (hand & half | fours) & ONES
            if triples:
                found += self._triple_leads[triples]
                fours &= ONES
                held = (hand, ones, twos)
                for depth, rest, table in self._winged_leads[triples | fours << 1]:
                    found += table[held[depth] & rest]
        tail = self._tails[fours & ONES | hand & JOKERS]
        return found + tail[:-1] if len(tail) > 1 else found

    def answers(self, hand: int, beat: Play) -> Texts:
        """Return every play of a hand that beats another, lowest first, bombs and rocket behind, and last a pass."""
        half, fours = hand >> 1, hand >> 2
        tail = self._tails[(fours & SUITED | hand & JOKERS) & beat.trumps]
        depth = beat.depth
        if depth == 1:
            high = (hand | half | fours) & beat.above
        elif depth == 2:
            high = (half | fours) & beat.above
        elif depth == 3:
            high = (hand & half | fours) & beat.above
        else:
            high = fours & beat.above
        if not high:
            return tail
        if beat.kind not in WINGED:
            return self._plain_answers[beat.kind, beat.size][high] + tail
        found: Texts = ()
        twos = (half | fours) & ONES
        held = (hand, (hand | twos) & ONES, twos)
        for depth, rest, table in self._winged_answers[beat.kind, beat.size][high]:
            found += table[held[depth] & rest]
        return found + tail

    def _plain(self, depth: int, mask: int, lengths: Iterable[int]) -> Texts:
        """Return the plays of so many cards of each rank that are made of the ranks of a mask: sets, then sequences."""
        sets = [*bits(mask), *(body for length in lengths for body in chains(mask, length))]
        return tuple([self._texts[depth * body] for body in sets])

    def _plain_filler(self, play: Play) -> Callable[[int], Texts]:
        """Return what lists the plays of the kind and size of another whose bodies are made of a mask."""
        length = play.size // play.depth
        if length == 1:
            return lambda mask: self._plain(play.depth, mask, ())
        return lambda mask: tuple([self._texts[play.depth * body] for body in chains(mask, length)])

    def _winged_filler(self, play: Play) -> Callable[[int], tuple[Source, ...]]:
        """Return what lists the sources of the kind and size of a play whose bodies are made of a mask."""
        length = play.body.bit_count()
        return lambda mask: tuple(
            source
            for body in bodies(play.kind, mask)
            if body.bit_count() == length
            for source in self._find_sources(play.kind, body)
        )

    def _find_winged_leads(self, key: int) -> tuple[Source, ...]:
        """Return the sources of all plays with attached cards. The key is the triples, and the fours one bit higher."""
        triples, fours = key & ONES, key >> 1 & ONES
        return tuple(
            source
            for kind in WINGED
            for body in bodies(kind, fours if kind.startswith("four") else triples)
            for source in self._find_sources(kind, body)
        )

    def _find_sources(self, kind: str, body: int) -> tuple[Source, ...]:
        if (kind, body) not in self._sources:
            self._sources[kind, body] = tuple(
                (wing.depth, ~(15 * body), Table(self._source_filler(kind, body, wing.choose), SOURCE_BOUND))
                for wing in wings(kind, body, self._doubles)
            )
        return self._sources[kind, body]

    def _source_filler(self, kind: str, body: int, choose: Callable[[int], list[int]]) -> Callable[[int], Texts]:
        core = (4 if kind.startswith("four") else 3) * body
        return lambda held: tuple([self._texts[core + cards] for cards in choose(held)])

    def _tail(self, key: int) -> Texts:
        """Return the bombs of a mask, the rocket if both jokers are in it, and a pass."""
        bombs = [self._texts[4 * bit] for bit in bits(key & SUITED)]
        rocket = [self._texts[JOKERS]] if key & JOKERS == JOKERS else []
        return (*bombs, *rocket, PASS)


@cache
def find_book(doubles: bool) -> Book:
    """Return the combinations under one reading of the four with two, made once in a process."""
    return Book(doubles)
