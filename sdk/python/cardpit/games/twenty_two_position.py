"""A position of Twenty-Two: the deal of the hand, and how far its play has come."""

from typing import NamedTuple

from cardpit.cards import RANKS
from cardpit.games.game import Outcome
from cardpit.games.twenty_two_deal import Deal, Trail
from cardpit.games.twenty_two_plays import FOLLOWS, LEADS, Ranks, beats
from cardpit.games.twenty_two_scores import Finish

NOBODY = -3
"""The seat to act when the match has ended: no seat, and not :data:`PUBLIC` or :data:`ALL` either."""

_TURNS: dict[int, tuple[int, ...]] = {seat: (seat,) for seat in range(6)} | {NOBODY: ()}


class Position:
    """Where a match stands. Nobody changes one once it is made.

    It is no frozen dataclass, because making one of those takes as long as all the rest of ``apply``.
    """

    __slots__ = (
        "best",
        "best_seat",
        "deal",
        "end",
        "hands",
        "left",
        "legal",
        "outcome",
        "seat",
        "size",
        "swaps",
        "trail",
        "turn",
    )

    def __init__(
        self,
        deal: Deal,
        seat: int,
        hands: tuple[int, ...],
        swaps: tuple[str, ...],
        size: int,
        left: int,
        best: Ranks | None,
        best_seat: int,
        trail: Trail,
    ) -> None:
        self.deal = deal
        self.seat = seat
        """The seat to act, or :data:`NOBODY`."""
        self.hands = hands
        """The rank counts of each hand; 0 for a seat that does not play."""
        self.swaps = swaps
        """The ranks put aside by each seat that has exchanged, in the order of the exchange."""
        self.size = size
        """How many cards each hand has at the start of this trick. (TT-24)."""
        self.left = left
        """How many seats have yet to act in this trick or in the exchange."""
        self.best = best
        """The best play of the trick; empty before the lead, None during the exchange."""
        self.best_seat = best_seat
        """Who made the best play; -1 before there is one."""
        self.trail = trail
        self.turn = _TURNS[seat]
        self.outcome: Outcome | None = None
        self.end: Finish | None = None
        """What the final trick led to, once the match has ended."""
        self.legal: tuple[str, ...] | None = None
        """The legal actions, once somebody has asked for them."""

    @property
    def talon(self) -> int:
        """How many cards are left for the exchange."""
        return self.deal.talon - sum(map(len, self.swaps))


class Play(NamedTuple):
    """What all saw of a seat in this hand."""

    ranks: list[int]
    """What it played, oldest first."""
    in_trick: int
    """How many of these belong to the trick on the table."""
    floor: int
    """The rank that no card left in its hand is below: the highest of its low plays. (TT-22)."""
    unbeaten: list[tuple[Ranks, int]]
    """Each best play that it answered low, and how many cards it had played before."""


class Holding(NamedTuple):
    """The cards of a seat in this hand, each list in the order in which the seat got them."""

    kept: list[str]
    """Dealt and not put aside."""
    aside: list[str]
    drawn: list[str]

    def split(self, ranks: list[int]) -> tuple[list[str], list[str]]:
        """Return the cards that were played when these ranks were, in their order, and those still in hand.

        Of the cards of one rank, the one that the seat got first goes first: so the suit of a card that is played
        tells nothing about those that stay.
        """
        hand, played = self.kept + self.drawn, []
        for rank in ranks:
            played.append(first_of(hand, RANKS[rank]))
            hand.remove(played[-1])
        return played, hand


def first_of(cards: list[str], rank: str) -> str:
    """Return the first of the cards that has this rank; there must be one."""
    for card in cards:
        if card[0] == rank:
            return card
    raise ValueError(f"no card of rank {rank} among {cards}")


def plays(position: Position) -> dict[int, Play]:
    """Return what each seat that plays has played in this hand, the final trick left out."""
    deal = position.deal
    entries: list[Trail] = []
    trail: Trail | None = position.trail
    while trail is not None and trail is not deal.trail:
        entries.append(trail)
        trail = trail[0]
    ranks_of: dict[int, list[int]] = {seat: [] for seat in deal.order}
    unbeaten: dict[int, list[tuple[Ranks, int]]] = {seat: [] for seat in deal.order}
    floors = dict.fromkeys(deal.order, 0)
    in_trick: dict[int, int] = {}
    best: Ranks = ()
    for _, seat, action, events in reversed(entries):
        play = FOLLOWS.get(action) or LEADS.get(action)
        if play is None or seat is None:
            continue
        ranks, _ = play
        if beats(ranks, best):
            best = ranks
        else:
            floors[seat] = ranks[-1]
            unbeaten[seat].append((best, len(ranks_of[seat])))
        ranks_of[seat] += ranks
        in_trick[seat] = len(ranks)
        if events:
            best, in_trick = (), {}
    return {seat: Play(ranks_of[seat], in_trick.get(seat, 0), floors[seat], unbeaten[seat]) for seat in deal.order}


def holdings(position: Position) -> dict[int, Holding]:
    """Return the cards of each seat that plays: those it has played and those it still has."""
    deal = position.deal
    top = deal.size * len(deal.order)
    cards: dict[int, Holding] = {}
    for place, seat in enumerate(deal.order):
        kept, aside = list(deal.hands[seat]), []
        for rank in position.swaps[place] if place < len(position.swaps) else "":
            aside.append(first_of(kept, rank))
            kept.remove(aside[-1])
        cards[seat] = Holding(kept, aside, deal.pack.top(top, top + len(aside)))
        top += len(aside)
    return cards


def last_cards(position: Position) -> dict[int, str]:
    """Return the card of each seat that plays when each has one left: the one of its rank that it got last."""
    deal = position.deal
    top = deal.size * len(deal.order)
    cards: dict[int, str] = {}
    for seat, swap in zip(deal.order, position.swaps, strict=True):
        rank = RANKS[position.hands[seat].bit_length() - 1 >> 2]
        received = deal.hands[seat] + deal.pack.top(top, top + len(swap))
        cards[seat] = first_of(received[::-1], rank)
        top += len(swap)
    return cards
