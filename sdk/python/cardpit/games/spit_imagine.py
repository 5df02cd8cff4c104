"""A position of Spit that agrees with what a seat sees at its turn."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from cardpit.games.game import Event, Observation
from cardpit.games.real_time import NAMES, NO_BIT, NUMBERS, cards_text
from cardpit.games.spit_position import Position, Rules, parse_position

Owned = tuple[frozenset[int], frozenset[int]]
"""By seat: hidden cards that all know to be its own, for they lay face-up in an earlier layout."""


def imagined(observation: Observation, seat: int, rules: Rules, before: Position | None) -> Position:
    """Return a position that looks to a seat like what it observes at its turn, as ``Game.imagine`` says."""
    counters = dict(observation.counters)
    zones = {(zone.name, zone.owner): zone for zone in observation.zones}
    visible = {NUMBERS[card] for zone in observation.zones for card in zone.cards}
    owned = _owned(before, observation.events, counters["layout"], visible)
    known = owned[0] | owned[1]
    pool = iter([card for card in range(len(NAMES)) if card not in visible and card not in known])
    words = {
        "layout": str(counters["layout"]),
        "tick": str(counters["tick"]),
        "stall": str(counters["stall"]),
        "phase": observation.phase,
        "lock": str(counters["lock"]),
        "finisher": str(counters["finisher"]),
        "held": f"{counters['cards 0']},{counters['cards 1']}",
        "spitter": str(_spitter(before, observation.events, counters)),
        "seen": cards_text(sorted(known)),
    }
    for owner in range(2):
        own = iter(sorted(owned[owner]))
        slots: list[str] = []
        for place in range(rules.piles):
            zone = zones[f"slot {place}", owner]
            down = _drawn(zone.unseen, own, pool)
            slots.append(f"{cards_text(down)}/{''.join(zone.cards) or '-'}")
        words[f"slots{owner}"] = ",".join(slots)
        words[f"spits{owner}"] = cards_text(_drawn(zones["spit", owner].unseen, own, pool))
        words[f"pile{owner}"] = "".join(zones[f"pile {owner}", None].cards) or "-"
    position = parse_position(rules, words)
    return position._replace(trail=(None, None, None, NO_BIT, observation.events))


def _drawn(number: int, own: Iterator[int], pool: Iterator[int]) -> Sequence[int]:
    """Return so many cards: of a seat's own as long as there are some, then of those that anybody may have."""
    cards = list(islice(own, number))
    return [*cards, *islice(pool, number - len(cards))]


def _spitter(before: Position | None, events: Iterable[Event], counters: dict[str, int]) -> int:
    """Return the seat that has or had the spit cards in a layout with one pile; -1 where there are two."""
    if counters["piles"] == 2:
        return -1
    spitter = before.layout.spitter if before else -1
    for seat, text in events:
        if text.startswith("layout"):
            spitter = -1
        elif text.startswith("spit") and seat is not None and spitter < 0:
            spitter = seat
    return spitter


def _owned(before: Position | None, events: Iterable[Event], layout: int, visible: Iterable[int]) -> Owned:
    """Return the hidden cards of each seat that are known to be its own."""
    if before is None:
        return frozenset(), frozenset()
    owned = [set(before.layout.seen().intersection(before.hidden(seat))) for seat in range(2)]
    if layout != before.layout.number:
        _carry_over(owned, before, events)
    shown = frozenset(visible)
    return frozenset(owned[0] - shown), frozenset(owned[1] - shown)


def _carry_over(owned: list[set[int]], before: Position, events: Iterable[Event]) -> None:
    """Add to what each seat is known to own what it took or kept, face-up, at the end of layouts."""
    piles = [set(before.pile0), set(before.pile1)]
    for owner in range(2):
        owned[owner].update(card for place in range(5) for card in before.slot_cards(owner, place)[1])
    for seat, text in events:
        word, *places = text.split()
        if word == "layout":
            piles = [set(), set()]
        elif seat is None:
            continue
        elif word == "play":
            card = before.slot_cards(seat, int(places[0]))[1][-1]
            owned[seat].remove(card)
            piles[int(places[1])].add(card)
        elif word == "spit" and len(places) == 2:
            owned[seat].discard(NUMBERS[places[0]])
            piles[int(places[1])].add(NUMBERS[places[0]])
        elif word == "take":
            owned[seat] |= piles[int(places[0])]
            piles[int(places[0])] = set()
