"""What the seats see of a hand of Twenty-Two: which card each play was, what all may conclude, zones and events."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardpit.cards import PACK, RANKS
from cardpit.games.game import ALL, PUBLIC, BadSeats, Event, Observation, Zone
from cardpit.games.twenty_two_deal import Trail
from cardpit.games.twenty_two_plays import FOLLOWS, LEADS, Ranks, beats, write_exchange

if TYPE_CHECKING:
    from cardpit.games.twenty_two import TwentyTwoState

_BY_RANK = {card: (RANKS.index(card[0]), place) for place, card in enumerate(PACK)}


class Played(NamedTuple):
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
    """The cards of a seat in this hand, each list in the order in which the seat got the cards."""

    kept: list[str]
    """Dealt and not put aside."""
    aside: list[str]
    drawn: list[str]


def play_of_seats(state: "TwentyTwoState") -> dict[int, Played]:
    """Return what each seat played in this hand."""
    entries = []
    trail = state.trail
    while trail is not state.deal.trail and trail[0] is not None:
        entries.append(trail)
        trail = trail[0]
    ranks_of: dict[int, list[int]] = {seat: [] for seat in state.deal.order}
    unbeaten: dict[int, list[tuple[Ranks, int]]] = {seat: [] for seat in state.deal.order}
    floors = dict.fromkeys(state.deal.order, 0)
    best: Ranks = ()
    in_trick: dict[int, int] = {}
    for _, seat, action, events in reversed(entries):
        ranks = LEADS.get(action) or FOLLOWS.get(action)
        if ranks is None or seat is None:
            continue
        if beats(ranks, best):
            best = ranks
        else:
            floors[seat] = ranks[-1]
            unbeaten[seat].append((best, len(ranks_of[seat])))
        ranks_of[seat] += ranks
        in_trick[seat] = len(ranks)
        if events:
            best = ()
            in_trick = {}
    return {
        seat: Played(ranks_of[seat], in_trick.get(seat, 0), floors[seat], unbeaten[seat]) for seat in state.deal.order
    }
