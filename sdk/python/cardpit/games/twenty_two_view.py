"""What a seat sees of Twenty-Two: zones, counters and events."""

from collections.abc import Iterable

from cardpit.cards import PACK, RANKS
from cardpit.games.game import ALL, PUBLIC, BadSeats, Event, Observation, Zone
from cardpit.games.twenty_two_deal import Trail, totals
from cardpit.games.twenty_two_plays import write_exchange
from cardpit.games.twenty_two_position import Position, holdings, last_cards, plays

_BY_RANK = {card: (RANKS.index(card[0]), place) for place, card in enumerate(PACK)}
_POINTS, _OUT, _FLOOR = ([f"{name} {seat}" for seat in range(6)] for name in ("points", "out", "floor"))
_NONE: tuple[str, ...] = ()


def observation(position: Position, seat: int) -> Observation:
    """Return what a seat, :data:`PUBLIC` or :data:`ALL` sees."""
    seats = position.deal.setting.seats
    if not (seat in (PUBLIC, ALL) or 0 <= seat < seats):
        raise BadSeats(f"no seat {seat}: allowed is 0 to {seats - 1}, PUBLIC or ALL")
    return Observation(_phase(position), *_table(position, seat), _events(position, seat))


def _phase(position: Position) -> str:
    if not position.turn:
        return "end"
    if position.best is None:
        return "exchange"
    return "follow" if position.best else "lead"


def _table(position: Position, viewer: int) -> tuple[tuple[Zone, ...], tuple[tuple[str, int], ...]]:
    """Return the zones and the counters."""
    deal, end = position.deal, position.end
    piles, falls = (end.piles, end.falls) if end else (deal.piles, deal.falls)
    played, cards = plays(position), holdings(position)
    finals = last_cards(position) if end else {}
    talon = deal.pack.cards[: position.talon] if viewer == ALL else _NONE
    hands, asides, tricks, pasts, scores = [], [], [], [], []
    for seat in range(deal.setting.seats):
        hand, aside, trick, past = _NONE, _NONE, _NONE, _NONE
        hidden = hidden_aside = 0
        if seat in cards:
            shown, left = cards[seat].split(played[seat].ranks)
            turned = len(shown) - played[seat].in_trick
            past, trick = tuple(shown[:turned]), tuple(shown[turned:])
            if end:
                left, trick = [], _NONE if finals[seat] in piles[seat] else (finals[seat],)
            if viewer in (seat, ALL):
                hand, aside = in_order(left), in_order(cards[seat].aside)
            else:
                hidden, hidden_aside = len(left), len(cards[seat].aside)
        hands.append(Zone("hand", seat, hand, hidden))
        asides.append(Zone("aside", seat, aside, hidden_aside))
        tricks.append(Zone("trick", seat, trick))
        pasts.append(Zone("played", seat, past))
        scores.append(Zone("score", seat, piles[seat]))
    zones = (Zone("talon", None, talon, position.talon - len(talon)), *hands, *asides, *tricks, *pasts, *scores)
    counters = (
        ("hand", deal.number),
        ("dealer", deal.dealer),
        ("cards", deal.size),
        ("best", position.best_seat),
        *zip(_POINTS, totals(piles, falls), strict=False),
        *zip(_OUT, [fall[1] if fall else 0 for fall in falls], strict=False),
        *zip(_FLOOR, [2 + played[seat].floor if seat in played else 2 for seat in range(len(falls))], strict=False),
    )
    return zones, counters


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Return cards by rank, twos first, and those of one rank in the order of the suits."""
    return tuple(sorted(cards, key=_BY_RANK.__getitem__))


def _events(position: Position, viewer: int) -> tuple[Event, ...]:
    """Return what happened from a seat's last action on; from the beginning if it has not acted yet."""
    entries = [position.trail]
    if viewer >= 0:
        trail: Trail = position.trail
        while trail[1] != viewer and trail[0] is not None:
            trail = trail[0]
            entries.append(trail)
    events: list[Event] = []
    for _, seat, action, after in reversed(entries):
        if seat is not None:
            if viewer in (seat, ALL) and action.startswith("exchanged"):
                events += _own_exchange(position, seat)
            else:
                events.append(Event(seat, action))
        events += after
    return tuple(events)


def _own_exchange(position: Position, seat: int) -> list[Event]:
    """Return the exchange of this hand as the seat itself saw it."""
    events = [Event(seat, write_exchange(position.swaps[position.deal.order.index(seat)]))]
    drawn = holdings(position)[seat].drawn
    if drawn:
        events.append(Event(seat, f"drew {' '.join(drawn)}"))
    return events
