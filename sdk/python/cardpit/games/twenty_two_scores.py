"""The end of a hand of Twenty-Two: the final trick, the scores, who is out, and how a match ends."""

from collections.abc import Sequence
from typing import NamedTuple

from cardpit.cards import RANKS
from cardpit.games.game import Event, Outcome
from cardpit.games.twenty_two_deal import (
    OUT_AT,
    POINTS,
    Deal,
    Fall,
    Trail,
    deal_event,
    shuffled_pack,
    total,
    totals,
)

WORST_MARGIN = -(OUT_AT - 1 + POINTS["A"])
"""The margin of a seat that took an ace with one point to go."""


class Finish(NamedTuple):
    """What a final trick led to."""

    events: tuple[Event, ...]
    """The cards of the final trick and all that followed from them."""
    piles: tuple[tuple[str, ...], ...]
    """The score cards of each seat, those of seats that have just gone out included."""
    falls: tuple[Fall | None, ...]
    """How each seat went out; None while it is in."""
    dealer: int
    """Who deals the next hand. (TT-34)."""
    wanted: int
    """How many cards each seat would then get. (TT-4)."""


def finish(deal: Deal, finals: Sequence[tuple[int, str]]) -> Finish:
    """Score the final trick: the seats with their cards, the leader first. (TT-30 to TT-34)."""
    highest = max([RANKS.index(card[0]) for _, card in finals])
    takers = [(seat, card) for seat, card in finals if RANKS.index(card[0]) == highest]
    events = [Event(seat, f"final {card}") for seat, card in finals]
    piles, falls = list(deal.piles), list(deal.falls)
    for seat, card in takers:
        piles[seat] += (card,)
        events.append(Event(seat, f"score {card}"))
    for seat in sorted(seat for seat, _ in takers):
        points = total(piles[seat])
        if points >= OUT_AT:
            falls[seat] = (points, deal.number)
            events.append(Event(seat, f"out {points}"))
    wanted = max(POINTS[RANKS[highest]], deal.setting.min_deal)
    return Finish(tuple(events), tuple(piles), tuple(falls), takers[-1][0], wanted)


def next_deal(deal: Deal, end: Finish, trail: Trail) -> Deal:
    """Return the next hand: seats that are out give their score cards back to the pack. (TT-3, TT-34)."""
    number = deal.number + 1
    piles = tuple([() if fall else pile for pile, fall in zip(end.piles, end.falls, strict=True)])
    pack = shuffled_pack(deal.setting.seed, number, piles)
    return Deal(deal.setting, number, end.dealer, end.wanted, piles, end.falls, pack, trail)


def next_event(deal: Deal, end: Finish) -> Event:
    """Tell the table that the next hand begins."""
    return deal_event(deal.number + 1, end.dealer)


def result(end: Finish) -> Outcome | None:
    """Return how the match ended, or None while more than one seat is in. (TT-40, TT-41)."""
    if end.falls.count(None) > 1:
        return None
    keys = [(-fall[1], fall[0]) if fall else (float("-inf"), 0) for fall in end.falls]
    places = shared_places(keys)
    return Outcome(shared_payoffs(places), places, tuple(-number for number in totals(end.piles, end.falls)))


def shared_places(keys: Sequence[tuple[float, int]]) -> tuple[int, ...]:
    """Return the place of each seat, where a lower key is better and equal keys share the better place."""
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def shared_payoffs(places: Sequence[int]) -> tuple[float, ...]:
    """Return the number of seats minus the place, for each seat; seats that share places get their mean."""
    return tuple(len(places) - place - (places.count(place) - 1) / 2 for place in places)


def forfeited(outcome: Outcome, at_fault: frozenset[int]) -> Outcome:
    """Place the seats at fault last, together, with the worst payoff there is; the others keep their order."""
    keys = [(1, 0) if seat in at_fault else (0, place) for seat, place in enumerate(outcome.places)]
    places = shared_places(keys)
    payoffs = tuple(0.0 if seat in at_fault else payoff for seat, payoff in enumerate(shared_payoffs(places)))
    margins = tuple(WORST_MARGIN if seat in at_fault else margin for seat, margin in enumerate(outcome.margins))
    return Outcome(payoffs, places, margins)
