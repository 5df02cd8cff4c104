"""Hands of Speed as sets of bits, their legal actions, and what all may know of a hidden hand.

A hand is a number with one bit for each card; a card's number is four times its rank plus its suit, so that the four
cards of a rank lie side by side and one mask tells whether a hand has any of them.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from cardpit.cards import RANKS
from cardpit.games.real_time import NEAR, PASS, PASS_ONLY

HAND = 5
"""Cards in a full hand."""

DRAW = "draw"

PLAYS = tuple(tuple(f"play {rank} {pile}" for pile in range(2)) for rank in RANKS)

PLAYED = {PLAYS[rank][pile]: (15 << 4 * rank, pile) for rank in range(13) for pile in range(2)}
"""The cards of the rank that a play names, as a mask, and its pile."""

Sign = tuple[int, int, int]
"""Something seen that tells of a hidden hand: its kind, a seat, and ranks as a mask with one bit a rank."""

PLAY_SIGN, BEATEN_SIGN, STUCK_SIGN, STANDSTILL_SIGN = range(4)
"""The seat played a card of the rank; could not, for the other was first; must have one of the ranks, as only the
other player knows; nobody had one of the ranks (in place of the seat: 8 times the cards of seat 0, plus those of 1).
"""

PLAY_SIGNS = tuple(tuple(((PLAY_SIGN, seat, 1 << rank),) for rank in range(13)) for seat in range(2))
BEATEN_SIGNS = {
    PLAYS[rank][pile]: tuple(((BEATEN_SIGN, seat, 1 << rank),) for seat in range(2))
    for rank in range(13)
    for pile in range(2)
}

Row = tuple[int, int, int, int, tuple[tuple[str, ...], ...], tuple[tuple[Sign], tuple[Sign]]]
"""For the tops of both piles: the masks of the rank below and above the first and the second, the legal actions, and
the signs that a seat can play on one of them.

Actions are listed by a number: 1, 2, 4 and 8 where the hand has a card of the masks, 16 where it may draw.
"""


@cache
def rows() -> tuple[Row, ...]:
    """Return the row of each pair of tops: 13 times the rank of the first, plus the rank of the second."""
    return tuple(_row(first, second) for first in range(13) for second in range(13))


def _row(first: int, second: int) -> Row:
    ranks = ((first - 1) % 13, (first + 1) % 13, (second - 1) % 13, (second + 1) % 13)
    menus: list[tuple[str, ...]] = []
    for number in range(32):
        plays = sorted((rank, place // 2) for place, rank in enumerate(ranks) if number >> place & 1)
        texts = tuple(PLAYS[rank][pile] for rank, pile in plays)
        menus.append((*texts, *([DRAW] if number & 16 else []), PASS) if number else PASS_ONLY)
    low0, high0, low1, high1 = (15 << 4 * rank for rank in ranks)
    near = NEAR[first] | NEAR[second]
    return low0, high0, low1, high1, tuple(menus), (((STUCK_SIGN, 0, near),), ((STUCK_SIGN, 1, near),))


def menu(row: Row, hand: int, draws: bool) -> tuple[str, ...]:
    """Return the legal actions of a hand."""
    low0, high0, low1, high1, menus, _ = row
    return menus[
        (1 if hand & low0 else 0)
        | (2 if hand & high0 else 0)
        | (4 if hand & low1 else 0)
        | (8 if hand & high1 else 0)
        | (16 if draws else 0)
    ]


def cards_of(hand: int) -> tuple[int, ...]:
    """Return the cards of a hand, by rank from the two up, then by suit."""
    return tuple(card for card in range(52) if hand >> card & 1)


def hand_of(cards: Sequence[int]) -> int:
    """Return the hand that has these cards."""
    return sum(1 << card for card in cards)


def near_ranks(top0: int, top1: int) -> int:
    """Return the ranks that can be played on one of two tops, as a mask with one bit a rank."""
    return NEAR[top0 >> 2] | NEAR[top1 >> 2]


class Clues(NamedTuple):
    """What the table has shown of a hand that others may not see. Ranks are masks with one bit a rank."""

    barred: tuple[tuple[int, int], ...] = ()
    """Pairs of a number and ranks: at least so many of the cards have none of the ranks.

    They come from standstills, in which no card of the hand could be played. The ranks shrink from pair to pair and
    the numbers grow: cards that were in the hand longer have seen more standstills.
    """
    held: tuple[tuple[int, bool], ...] = ()
    """Ranks of which the hand has a card, and whether all may know it or only the other player.

    All know the rank of a card that was beaten to its pile. The other player knows that the hand can play, where he
    cannot act himself and the table yet does not slide.
    """

    def after(self, sign: Sign, seat: int) -> "Clues":
        """Return what is known of the hand of a seat after one more sign."""
        kind, of, ranks = sign
        if kind == STANDSTILL_SIGN:
            return self.after_standstill(of % 8 if seat else of // 8, ranks)
        if of != seat:
            return self
        if kind == PLAY_SIGN:
            return self.after_play(ranks.bit_length() - 1)
        return self.with_held(ranks, kind == BEATEN_SIGN)

    def after_play(self, rank: int) -> "Clues":
        """Return what is known after a card of a rank was played from the hand.

        It may have been any card that was not barred, so each number may be one less; but where the rank is barred,
        the card came into the hand after that standstill, and what is known of older cards stays.
        """
        younger = max((place for place, (_, ranks) in enumerate(self.barred) if ranks >> rank & 1), default=-1)
        barred = ((count - (place > younger), ranks) for place, (count, ranks) in enumerate(self.barred))
        return Clues(_merged(barred), tuple(clue for clue in self.held if not clue[0] >> rank & 1))

    def after_standstill(self, cards: int, ranks: int) -> "Clues":
        """Return what is known after a hand of so many cards could play none of the ranks."""
        barred = [(count, old | ranks) for count, old in self.barred]
        return self._replace(barred=_merged([*barred, (cards, ranks)]))

    def with_held(self, ranks: int, public: bool) -> "Clues":
        """Return what is known after the hand was found to have a card of the ranks."""
        if (ranks, public) in self.held:
            return self
        return self._replace(held=(*self.held, (ranks, public)))

    def agree(self, hand: Sequence[int], seen_by_all: bool) -> bool:
        """Tell whether a hand agrees with what is known to the other player, or to all."""
        ranks = [card >> 2 for card in hand]
        for held, public in self.held:
            if (public or not seen_by_all) and not any(held >> rank & 1 for rank in ranks):
                return False
        return all(sum(not barred >> rank & 1 for rank in ranks) >= count for count, barred in self.barred)

    def drawn(self, pool: Sequence[int], size: int, seen_by_all: bool, rng: Random) -> tuple[int, ...] | None:
        """Return a hand from the cards of a pool that agrees with what is known; None where none was found."""
        cards = list(pool)
        for _ in range(200):
            rng.shuffle(cards)
            hand: list[int] = []
            for held, public in self.held:
                if (public or not seen_by_all) and not any(held >> (card >> 2) & 1 for card in hand):
                    hand += [card for card in cards if held >> (card >> 2) & 1][:1]
            for count, barred in self.barred:
                free = [card for card in hand if not barred >> (card >> 2) & 1]
                more = [card for card in cards if card not in hand and not barred >> (card >> 2) & 1]
                hand += more[: max(0, count - len(free))]
            hand += [card for card in cards if card not in hand][: max(0, size - len(hand))]
            if len(hand) == size and self.agree(hand, seen_by_all):
                return tuple(hand)
        return None


NO_CLUES = Clues()


def _merged(barred: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the pairs that still say something: for each number the one with most ranks, which is the first."""
    strongest: dict[int, int] = {}
    for count, ranks in barred:
        if count > 0:
            strongest.setdefault(count, ranks)
    return tuple(strongest.items())
