"""A state of Landlord that agrees with what a seat sees at its turn."""

from collections.abc import Iterable

from cardpit.games.game import Event, Observation
from cardpit.games.landlord_deal import PACK, Cards, Contract, Deal, Rules, Trail, sum_cards
from cardpit.games.landlord_plays import count
from cardpit.games.landlord_states import BOTTOM, AuctionState, LandlordState, PlayState
from cardpit.games.seeds import SEED_SIZE


def imagined(observation: Observation, seat: int, rules: Rules, before: LandlordState | None) -> LandlordState:
    """Return a state that looks to a seat like what it observes at its turn, as ``Game.imagine`` says.

    Of one rank a seat plays its bottom cards first, then the others as they were dealt: so here what lies on the
    table was dealt before what is still in a hand.
    """
    zones = {(zone.name, zone.owner): zone for zone in observation.zones}
    counters = dict(observation.counters)
    trail = _trail(before.trail if before else None, observation.events)
    seen = {card for zone in observation.zones for card in zone.cards}
    pool = [card for card in PACK if card not in seen]
    held: list[Cards] = []
    gone: list[Cards] = []
    for owner in (0, 1):
        hand = zones["hand", owner]
        held.append((*hand.cards, *pool[: hand.unseen]))
        del pool[: hand.unseen]
        trick = zones.get(("trick", owner))
        gone.append((*zones["played", owner].cards, *(trick.cards if trick else ())))
    landlord = counters["landlord"]
    bottom = _bottom(observation.events, before) if landlord >= 0 else tuple(pool[: zones["bottom", None].unseen])
    unused = tuple(card for card in pool if card not in bottom)
    hands = [(*gone[owner], *held[owner]) for owner in (0, 1)]
    if landlord >= 0:
        hands[landlord] = tuple(card for card in hands[landlord] if card not in bottom)
    deal = Deal(rules, bytes(SEED_SIZE), counters["redeals"], counters["first"], (hands[0], hands[1]), bottom, unused)
    if landlord < 0:
        return AuctionState(deal, seat, trail, counters["caller"], counters["grabs"])
    contract = Contract(deal, landlord, counters["ceded"])
    ranks = (sum_cards(held[0]), sum_cards(held[1]))
    beat = contract.plays.get(trail[2]) if trail else None
    return PlayState(contract, (seat,), ranks, count(ranks[1 - landlord]), beat, counters["bombs"], trail)


def _trail(trail: Trail | None, events: Iterable[Event]) -> Trail | None:
    """Return the trail with the events, which begin with the seat's own last action, behind it."""
    for seat, text in events:
        trail = (trail, seat, text)
    return trail


def _bottom(events: Iterable[Event], before: LandlordState | None) -> Cards:
    """Return the bottom cards that the landlord took; none in a position that began without an auction."""
    for _, text in events:
        if text.startswith(BOTTOM):
            return tuple(text.split()[1:])
    return before.deal.bottom if isinstance(before, PlayState) else ()
