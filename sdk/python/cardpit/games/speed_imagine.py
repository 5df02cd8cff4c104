"""A position of Speed that agrees with what a seat sees at its turn."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from cardpit.cards import RANKS
from cardpit.games.game import Event, Observation, Zone
from cardpit.games.real_time import NAMES, NO_BIT, NUMBERS, cards_text
from cardpit.games.speed_hands import BEATEN_SIGN, NO_CLUES, PLAY_SIGN, STANDSTILL_SIGN, Clues, hand_of, near_ranks
from cardpit.games.speed_position import Position, Rules, parse_position

Zones = Mapping[tuple[str, int | None], Zone]


def imagined(observation: Observation, seat: int, rules: Rules, before: Position | None) -> Position:
    """Return a position that looks to a seat like what it observes at its turn, as ``Game.imagine`` says."""
    zones = {(zone.name, zone.owner): zone for zone in observation.zones}
    counters = dict(observation.counters)
    other = 1 - seat
    began = any(text.startswith("game ") for _, text in observation.events)
    last = None if began else before
    clues = _clues(last, observation.events, zones, other)
    piles = [_numbers(zones[f"pile {number}", None]) for number in range(2)]
    own = _numbers(zones["hand", seat])
    hidden = [card for card in range(len(NAMES)) if card not in {*piles[0], *piles[1], *own}]
    sides = _sides(last, observation, seat, hidden) if counters["reshuffles"] else set()
    pool = [card for card in hidden if card not in sides]
    size = zones["hand", other].unseen
    near = near_ranks(piles[0][-1], piles[1][-1])
    stuck = not any(near >> (card >> 2) & 1 for card in own) and not _draws(zones, rules, seat)
    if stuck and not _draws(zones, rules, other):
        clues = clues.with_held(near, False)
    theirs = clues.drawn(pool, size, False, Random(0)) or tuple(pool[:size])
    pool = [card for card in pool if card not in theirs]
    words = {name: str(counters[name]) for name in ("game", "tick", "stall", "reshuffles", "plays")}
    words["score"] = f"{counters['score 0']},{counters['score 1']}"
    words[f"hand{seat}"] = cards_text(_in_order(own, last.drawn(seat) if last else ()))
    words[f"hand{other}"] = cards_text(theirs)
    for owner in range(2):
        words[f"stock{owner}"] = cards_text(_taken(pool, zones["stock", owner].unseen))
        words[f"pile{owner}"] = cards_text(piles[owner])
    buried = sorted(sides) if sides else pool
    for owner in range(2):
        words[f"side{owner}"] = cards_text(_taken(buried, zones[f"side {owner}", None].unseen))
    known = (clues, NO_CLUES) if other == 0 else (NO_CLUES, clues)
    position = parse_position(rules, words)
    return position._replace(clues=known, trail=(None, None, None, NO_BIT, observation.events))


def _numbers(zone: Zone) -> tuple[int, ...]:
    return tuple(NUMBERS[card] for card in zone.cards)


def _taken(cards: list[int], number: int) -> Sequence[int]:
    taken = cards[:number]
    del cards[:number]
    return taken


def _draws(zones: Zones, rules: Rules, seat: int) -> bool:
    """Tell whether a seat may draw."""
    hand, stock = zones["hand", seat], zones["stock", seat]
    return rules.draws(hand_of(range(len(hand.cards) + hand.unseen)), tuple(range(stock.unseen)))


def _in_order(own: Sequence[int], drawn: Sequence[int]) -> Sequence[int]:
    """Return a hand in the order in which it was drawn, as far as that was seen."""
    return [*(card for card in drawn if card in own), *(card for card in own if card not in drawn)]


def _sides(before: Position | None, observation: Observation, seat: int, hidden: Sequence[int]) -> set[int]:
    """Return the cards of side piles that were made anew: they have lain in the middle, and lie there no more.

    A card that the other seat played in the very tick is known by its rank alone where it went straight into them:
    any card of that rank stands for it.
    """
    shown = {NUMBERS[text.split()[1]] for _, text in observation.events if text.startswith("slide")}
    if before is not None:
        sides = (*before.side0, *before.side1) if before.reshuffles else ()
        shown.update(before.pile0, before.pile1, sides, before.drawn(seat))
    sides_now = shown.intersection(hidden)
    size = sum(zone.unseen for zone in observation.zones if zone.name.startswith("side"))
    for player, text in observation.events:
        if len(sides_now) < size and player not in (None, seat) and text.startswith("play"):
            rank = RANKS.index(text.split()[1])
            sides_now.update([card for card in hidden if card >> 2 == rank and card not in sides_now][:1])
    return sides_now


def _clues(before: Position | None, events: Iterable[Event], zones: Zones, other: int) -> Clues:
    """Return what the events of one tick, or of a deal, add to what is known of the hand of the other seat."""
    hand = zones["hand", other].unseen
    sizes = hand if other else 8 * hand
    clues = before.clues_of(other) if before else NO_CLUES
    tops = (
        [before.pile0[-1], before.pile1[-1]] if before else [NUMBERS[zones[f"pile {n}", None].cards[0]] for n in (0, 1)]
    )
    slid = -1
    counts = before is not None
    for seat, text in events:
        word, *places = text.split()
        if word == "game":
            counts = True
        elif not counts:
            continue
        elif word in ("play", "beaten-to-it"):
            rank = RANKS.index(places[0])
            if seat == other:
                clues = clues.after((PLAY_SIGN if word == "play" else BEATEN_SIGN, other, 1 << rank), other)
            if word == "play":
                tops[int(places[1])] = 4 * rank
        elif word in ("standstill", "stall"):
            slid = -1
            if word == "standstill":
                clues = clues.after((STANDSTILL_SIGN, sizes, near_ranks(*tops)), other)
        elif word == "slide":
            pile = int(places[1])
            if pile <= slid:
                clues = clues.after((STANDSTILL_SIGN, sizes, near_ranks(*tops)), other)
            tops[pile], slid = NUMBERS[places[0]], pile
    return clues
