"""A position of Twenty-Two as one line: the deal of the hand, and what was done since. The page has the grammar."""

import re

from cardpit.cards import PACK
from cardpit.games.game import BadPosition, Event
from cardpit.games.twenty_two_deal import OUT_AT, Deal, Fall, Pack, Setting, Trail, total
from cardpit.games.twenty_two_plays import FOLLOWS, LEADS, write_exchange
from cardpit.games.twenty_two_position import Position

_LAYOUT = re.compile(
    r"twenty-two \| seed ([0-9a-f]{64}) \| seats ([2-6]) min_deal ([2-9]|10|11) must_beat (true|false)"
    r" \| hand ([1-9][0-9]{0,2}) dealer ([0-5]) wanted ([2-9]|10|11)"
    r" \| score ([^|]+) \| out ([^|]+) \| pack ([^|]+) \| before ([^|]+) \| since ([^|]+)"
)
_FALL = re.compile(r"(2[2-9]|3[0-2]) ([1-9][0-9]{0,2})")
_ACTION = re.compile(r"([0-5]) (.+)")
_CONSEQUENCE = re.compile(
    r"([0-5]) (take|(?:cut|final|score) [2-9TJQKA][SHDC]|out [23][0-9])|(-) (hand [1-9][0-9]{0,2} dealer [0-5])"
)
_NOTHING = "-"


def write_position(position: Position) -> str:
    """Return the position as one line."""
    deal = position.deal
    setting = deal.setting
    since = []
    acted: set[int] = set()
    trail: Trail | None = position.trail
    while trail is not None and trail is not deal.trail:
        trail, seat, action, _ = trail
        if seat is None:
            continue
        if action.startswith("exchanged"):
            action = write_exchange(position.swaps[deal.order.index(seat)])
        since.append(f"{seat} {action}")
        acted.add(seat)
    return " | ".join(
        (
            "twenty-two",
            f"seed {setting.seed.hex()}",
            f"seats {setting.seats} min_deal {setting.min_deal} must_beat {str(setting.must_beat).lower()}",
            f"hand {deal.number} dealer {deal.dealer} wanted {deal.wanted}",
            "score " + " / ".join(" ".join(pile) or _NOTHING for pile in deal.piles),
            "out " + " / ".join(f"{fall[0]} {fall[1]}" if fall else _NOTHING for fall in deal.falls),
            "pack " + " ".join(deal.pack.cards),
            "before " + _write_trail(deal.trail, set(range(setting.seats)) - acted),
            "since " + ("; ".join(since[::-1]) or _NOTHING),
        )
    )


def _write_trail(trail: Trail, waiting: set[int]) -> str:
    """Write the newest entry, and all back to that in which the last of the waiting seats acted."""
    entries = []
    rest: Trail | None = trail
    while rest is not None:
        before, seat, action, events = rest
        words = [_NOTHING if seat is None else f"{seat} {action}"]
        words += [f"{_NOTHING if event.seat is None else event.seat} {event.text}" for event in events]
        entries.append(", ".join(words))
        waiting = waiting - {seat}
        rest = before if waiting else None
    return "; ".join(entries[::-1])


def read_position(text: str) -> tuple[Deal, list[tuple[int, str]]]:
    """Return the deal that a line describes, and the actions since, each with its seat.

    Whether those are legal is left to the rules. Raises :class:`BadPosition`.
    """
    layout = _LAYOUT.fullmatch(text)
    if layout is None:
        raise BadPosition(f"no position of twenty-two: {text[:80]!r}")
    seed, count, min_deal, must_beat, number, dealer, wanted, score, out, pack, before, since = layout.groups()
    seats = int(count)
    setting = Setting(bytes.fromhex(seed), seats, int(min_deal), must_beat == "true")
    falls = tuple(_read_fall(word, int(number)) for word in out.split(" / "))
    piles = tuple(() if word == _NOTHING else tuple(word.split(" ")) for word in score.split(" / "))
    _check_seats(seats, int(dealer), piles, falls)
    cards = tuple(pack.split(" "))
    if sorted(cards + tuple(card for pile in piles for card in pile)) != sorted(PACK):
        raise BadPosition("score and pack: each of the 52 cards must be in one of them, once")
    trail = _read_trail(before, seats)
    deal = Deal(setting, int(number), int(dealer), int(wanted), piles, falls, Pack(cards), trail)
    return deal, [] if since == _NOTHING else [_read_action(word, seats) for word in since.split("; ")]


def _read_fall(word: str, number: int) -> Fall | None:
    if word == _NOTHING:
        return None
    fall = _FALL.fullmatch(word)
    if fall is None or int(fall[2]) >= number:
        raise BadPosition(f"out {word!r}: allowed is -, or points of 22 to 32 and a hand before {number}")
    return int(fall[1]), int(fall[2])


def _check_seats(seats: int, dealer: int, piles: tuple[tuple[str, ...], ...], falls: tuple[Fall | None, ...]) -> None:
    """Raise :class:`BadPosition` unless each seat has a score and at least two are in."""
    if not len(piles) == len(falls) == seats:
        raise BadPosition(f"score of {len(piles)} and out of {len(falls)} seats: there are {seats}")
    if dealer >= seats:
        raise BadPosition(f"dealer {dealer}: allowed is 0 to {seats - 1}")
    if falls.count(None) < 2:
        raise BadPosition(f"{falls.count(None)} seats are in: allowed is 2 or more")
    for seat, (pile, fall) in enumerate(zip(piles, falls, strict=True)):
        strangers = [card for card in pile if card not in PACK]
        if strangers:
            raise BadPosition(f"score of seat {seat}: {strangers[0]!r} is no card of the pack")
        if total(pile) >= OUT_AT or (fall and pile):
            raise BadPosition(
                f"score of seat {seat}: allowed is less than {OUT_AT} points, and - for a seat that is out"
            )


def _read_action(word: str, seats: int) -> tuple[int, str]:
    action = _ACTION.fullmatch(word)
    if action is None or int(action[1]) >= seats:
        raise BadPosition(f"{word!r} is no action of a seat: allowed is a seat of 0 to {seats - 1} and a notation")
    return int(action[1]), action[2]


def _read_trail(text: str, seats: int) -> Trail:
    trail: Trail | None = None
    for entry in text.split("; "):
        first, *words = entry.split(", ")
        events = tuple(_read_event(word, seats) for word in words)
        if first == _NOTHING and trail is None:
            trail = (None, None, "", events)
            continue
        seat, action = _read_action(first, seats)
        if action not in LEADS and action not in FOLLOWS and not re.fullmatch(r"exchanged ([0-9]|10|11)", action):
            raise BadPosition(f"{first!r} is nothing that happened before a hand")
        trail = (trail, seat, action, events)
    if trail is None or not trail[3] or not trail[3][-1].text.startswith("hand "):
        raise BadPosition(f"before {text[-40:]!r}: allowed is what ends with the beginning of a hand")
    return trail


def _read_event(word: str, seats: int) -> Event:
    event = _CONSEQUENCE.fullmatch(word)
    if event is None or (event[1] and int(event[1]) >= seats):
        raise BadPosition(f"{word!r} is nothing that happens at a table of {seats}")
    return Event(int(event[1]), event[2]) if event[1] else Event(None, event[4])
