"""Landlord's lists of plays against RLCard's, an independent program, under its reading of the four with two.

RLCard's pack also has threes and fours, so its table is cut to the plays without them. RLCard's table gives the kind
and the weight of each play; what a hand holds of it follows by counting cards, for all hands at once. RLCard's own
generator and its own list of answers take a millisecond and more for each hand, so they judge fewer hands.
"""

from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from rlcard.games.doudizhu.judger import DoudizhuJudger
from rlcard.games.doudizhu.utils import CARD_TYPE, get_gt_cards

from cardpit.games.landlord_deal import PACK
from cardpit.games.landlord_lists import find_book
from cardpit.games.landlord_plays import RANKS, Play, read_hand, write_hand

BOOK = find_book(True)
SIZES = tuple(range(1, 21))
SPARE = np.int64(read_hand(RANKS) << 3)
"""A bit above each rank: a subtraction borrows it where a hand has too few cards."""

KINDS = {
    "solo": "single",
    "pair": "pair",
    "trio": "triple",
    "solo_chain": "straight",
    "pair_chain": "pair run",
    "trio_chain": "plane",
    "trio_solo": "triple+single",
    "trio_pair": "triple+pair",
    "trio_solo_chain": "plane+singles",
    "trio_pair_chain": "plane+pairs",
    "four_two_solo": "four+singles",
    "four_two_pair": "four+pairs",
    "bomb": "bomb",
    "rocket": "rocket",
}
"""RLCard's names of the kinds, without the length of a chain, and ours."""


class Row(NamedTuple):
    """A play of RLCard's table."""

    cards: int
    kind: str
    weight: int


def to_ranks(text: str) -> str:
    """Return RLCard's text of cards in our ranks: its jokers are B and R."""
    return text.replace("B", "x").replace("R", "X")


def to_rlcard(hand: int) -> str:
    return write_hand(hand).replace("x", "B").replace("X", "R")


@cache
def table() -> list[Row]:
    """Return RLCard's plays without threes and fours."""
    return [
        Row(read_hand(to_ranks(text)), kind, int(weight))
        for text, ((kind, weight),) in CARD_TYPE[0].items()
        if not {"3", "4"} & set(text)
    ]


@cache
def texts_by_row() -> list[str]:
    """Return our notation of each row."""
    ours = {play.cards: play.text for play in BOOK.by_text.values()}
    return [ours[row.cards] for row in table()]


@cache
def rows_by_text() -> dict[str, int]:
    return {text: place for place, text in enumerate(texts_by_row())}


@cache
def columns() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the cards, the kind as a number and the weight of each row."""
    kinds = {kind: place for place, kind in enumerate(sorted({row.kind for row in table()}))}
    return (
        np.array([row.cards for row in table()], dtype=np.int64),
        np.array([kinds[row.kind] for row in table()], dtype=np.int64),
        np.array([row.weight for row in table()], dtype=np.int64),
    )


def random_hands(number: int, seed: int) -> list[int]:
    """Return hands of 1 to 20 cards; every third is of few ranks, so that it is rich in sets, planes and bombs."""
    rng = Random(seed)
    hands: list[int] = []
    for place in range(number):
        pack = PACK
        if place % 3 == 0:
            first = rng.randrange(len(RANKS) - 6)
            pack = tuple(card for card in PACK if card[0] in RANKS[first : first + 7])
        size = min(rng.choice(SIZES), len(pack))
        hands.append(read_hand("".join(card[0] for card in rng.sample(pack, size))))
    return hands


def rows_held(hand: int) -> npt.NDArray[np.bool_]:
    """Tell of each row of RLCard's table whether a hand holds its cards."""
    held: npt.NDArray[np.bool_] = ((np.int64(hand) | SPARE) - columns()[0]) & SPARE == SPARE
    return held


def rows_of(texts: tuple[str, ...]) -> list[int]:
    """Return the rows of a list of ours, a pass left out, in ascending order."""
    rows = rows_by_text()
    found = sorted(rows[text] for text in texts if text != "pass")
    assert len(set(found)) == len(found)
    return found


def test_the_combinations_kinds_and_order_are_those_of_rlcards_table() -> None:
    ours = {play.cards: play for play in BOOK.by_text.values()}
    assert {row.cards for row in table()} == set(ours)
    assert len(table()) == 9794
    by_kind: dict[str, list[tuple[int, Play]]] = {}
    for row in table():
        play = ours[row.cards]
        stem = row.kind.rstrip("0123456789").rstrip("_")
        assert KINDS[stem] == play.kind
        by_kind.setdefault(row.kind, []).append((row.weight, play))
    for rows in by_kind.values():
        assert len({play.size for _, play in rows}) == 1
        weights = sorted({(weight, play.high) for weight, play in rows})
        assert [high for _, high in weights] == sorted({high for _, high in weights})


def test_without_the_parameter_only_a_pair_as_two_singles_is_missing() -> None:
    ours = {play.cards for play in find_book(False).by_text.values()}
    missing = [row for row in table() if row.cards not in ours]
    assert {row.kind for row in missing} == {"four_two_solo"}
    assert len(missing) == 110
    assert all(len(set(write_hand(row.cards))) == 2 for row in missing)


@pytest.mark.parametrize("part", range(4))
def test_100000_random_hands_lead_and_answer_as_in_rlcards_table(part: int) -> None:
    rng = Random(part)
    rows, texts = table(), texts_by_row()
    _, kinds, weights = columns()
    bomb, rocket = (kinds[next(place for place, row in enumerate(rows) if row.kind == k)] for k in ("bomb", "rocket"))
    held = rows_held(0)
    for hand in random_hands(25_000, part):
        others = np.flatnonzero(held)
        held = rows_held(hand)
        assert rows_of(BOOK.leads(hand)) == np.flatnonzero(held).tolist()
        target = int(rng.choice(others)) if len(others) and rng.random() < 0.7 else rng.randrange(len(rows))
        kind = kinds[target]
        beaten = (kinds == kind) & (weights > weights[target])
        if kind == rocket:
            beaten[:] = False
        elif kind == bomb:
            beaten |= kinds == rocket
        else:
            beaten |= (kinds == bomb) | (kinds == rocket)
        answers = BOOK.answers(hand, BOOK.by_text[texts[target]])
        assert answers[-1] == "pass"
        assert rows_of(answers) == np.flatnonzero(held & beaten).tolist()


def test_rlcards_own_generator_lists_the_same_leads() -> None:
    for hand in random_hands(2000, 11):
        theirs = DoudizhuJudger.playable_cards_from_hand(to_rlcard(hand))
        ours = {BOOK.by_text[text].cards for text in BOOK.leads(hand)}
        assert {read_hand(to_ranks(text)) for text in theirs} == ours


def test_rlcards_own_list_of_answers_is_the_same() -> None:
    rng = Random(12)
    texts = list(BOOK.by_text)

    class Seat:
        """What RLCard asks of a player."""

        def __init__(self, hand: str, played: str) -> None:
            self.current_hand = [Card(rank) for rank in hand]
            self.played_cards = played

    class Card:
        """What RLCard asks of a card: jokers have no rank."""

        def __init__(self, rank: str) -> None:
            self.rank = "" if rank in "BR" else rank
            self.suit = rank

    rlcards_text = {read_hand(to_ranks(text)): text for text in CARD_TYPE[0] if not {"3", "4"} & set(text)}
    for hand in random_hands(200, 13):
        beat = BOOK.by_text[rng.choice(texts)]
        theirs = get_gt_cards(Seat(to_rlcard(hand), ""), Seat("", rlcards_text[beat.cards]))
        ours = {BOOK.by_text[text].cards for text in BOOK.answers(hand, beat)[:-1]}
        assert theirs[0] == "pass"
        assert {read_hand(to_ranks(text)) for text in theirs[1:]} == ours
