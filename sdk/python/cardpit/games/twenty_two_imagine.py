"""A position of Twenty-Two that agrees with what a seat sees at its turn."""

from collections.abc import Iterable, Mapping

from cardpit.cards import PACK, RANKS
from cardpit.games.game import Event, Observation, Zone
from cardpit.games.twenty_two_deal import Deal, Fall, Pack, Setting, Trail, seats_after
from cardpit.games.twenty_two_plays import CARD_UNITS, Ranks
from cardpit.games.twenty_two_position import Holding, Position, holdings

_ACTIONS = ("exchange", "exchanged", "lead", "follow")
_BEGINNING: Trail = (None, None, "", ())

Zones = Mapping[tuple[str, int | None], Zone]
Fields = tuple[Deal, int, tuple[int, ...], tuple[str, ...], int, int, Ranks | None, int, Trail]
"""What a :class:`Position` is made of, in the order in which it takes it."""


def imagined(observation: Observation, seat: int, setting: Setting, before: Position | None) -> Fields:
    """Return the fields of a position that looks to a seat like what it observes, as ``Game.imagine`` says."""
    zones = {(zone.name, zone.owner): zone for zone in observation.zones}
    counters = dict(observation.counters)
    seats = range(setting.seats)
    falls: tuple[Fall | None, ...] = tuple(
        (counters[f"points {player}"], counters[f"out {player}"]) if counters[f"out {player}"] else None
        for player in seats
    )
    order = seats_after(counters["dealer"], falls)
    trail = _trail(before.trail if before else _BEGINNING, observation.events)
    floors = {player: counters[f"floor {player}"] - 2 for player in order}
    cards, talon = _filled(zones, seat, _own_draw(observation.events, seat, before, counters["hand"]), floors)
    size = counters["cards"]
    dealt = {player: [*holding.aside, *holding.kept] for player, holding in cards.items()}
    top = [dealt[player][turn] for turn in range(size) for player in order]
    top += [card for player in order for card in cards[player].drawn]
    piles = tuple(zones["score", player].cards for player in seats)
    pack = Pack([*top, *talon][::-1])
    deal = Deal(setting, counters["hand"], counters["dealer"], size, piles, falls, pack, _beginning(trail))
    hands = [0] * setting.seats
    for player, holding in cards.items():
        shown = (*zones["played", player].cards, *zones["trick", player].cards)
        left = [card for card in (*holding.kept, *holding.drawn) if card not in shown]
        hands[player] = sum([CARD_UNITS[card] for card in left])
    asked = order.index(seat) if observation.phase == "exchange" else len(order)
    swaps = tuple("".join(sorted((c[0] for c in cards[p].aside), key=RANKS.index)) for p in order[:asked])
    best: Ranks | None = None
    left_to_act = len(order) - asked
    if observation.phase != "exchange":
        best_cards = zones["trick", counters["best"]].cards if counters["best"] >= 0 else ()
        best = tuple(sorted(RANKS.index(card[0]) for card in best_cards))
        left_to_act = sum(not zones["trick", player].cards for player in order)
        size = len(zones["hand", seat].cards)
    return deal, seat, tuple(hands), swaps, size, left_to_act, best, counters["best"], trail


def _trail(trail: Trail, events: Iterable[Event]) -> Trail:
    """Return the trail with the events, which begin with the seat's own last action, behind it."""
    for event in events:
        word = event.text.split()[0]
        if word in _ACTIONS:
            text = f"exchanged {len(event.text.split()) - 1}" if word == "exchange" else event.text
            trail = (trail, event.seat, text, ())
        elif word != "drew":
            trail = (*trail[:3], (*trail[3], event))
    return trail


def _beginning(trail: Trail) -> Trail:
    """Return the newest entry at which a hand began."""
    entry: Trail | None = trail
    while entry is not None:
        if entry[3] and entry[3][-1].text.startswith("hand "):
            return entry
        entry = entry[0]
    raise ValueError("no event tells of the beginning of this hand: allowed is what follows the seat's turn before")


def _own_draw(events: Iterable[Event], seat: int, before: Position | None, hand: int) -> list[str]:
    """Return the cards that the seat drew in the exchange of this hand, in the order in which it got them."""
    draws = [event.text.split()[1:] for event in events if event.seat == seat and event.text.startswith("drew ")]
    if draws:
        return draws[-1]
    if before is None or before.deal.number != hand or before.best is None:
        return []
    return holdings(before)[seat].drawn


def _filled(
    zones: Zones, seat: int, draw: list[str], floors: Mapping[int, int]
) -> tuple[dict[int, Holding], list[str]]:
    """Return the cards of each seat that plays, and the talon: hidden hands have no card below their floor.

    They get the lowest cards above it: with ``must_beat`` a hand that did not beat is then too weak to have done so.
    Of one rank a seat plays, or puts aside, first what it got first. So what it played comes before what it holds.
    """
    seen = {card for zone in zones.values() for card in zone.cards}
    pool = sorted([card for card in PACK if card not in seen], key=CARD_UNITS.__getitem__)
    hands = {seat: list(zones["hand", seat].cards)}
    for player in sorted(floors, key=lambda player: -floors[player]):
        if player != seat:
            fitting = [card for card in pool if RANKS.index(card[0]) >= floors[player]]
            hands[player] = fitting[: zones["hand", player].unseen]
            pool = [card for card in pool if card not in hands[player]]
    cards: dict[int, Holding] = {}
    for player in floors:
        shown = [*zones["played", player].cards, *zones["trick", player].cards, *hands[player]]
        if player == seat:
            kept = [card for card in shown if card not in draw]
            cards[player] = Holding(kept, list(zones["aside", player].cards), draw)
            continue
        number = zones["aside", player].unseen
        kept = shown[: len(shown) - number]
        cards[player] = Holding(kept, pool[-number:] if number else [], shown[len(kept) :])
        del pool[len(pool) - number :]
    return cards, pool
