"""What the real-time games share: cards as numbers, the circle of ranks, the priority bit, and what happened of late.

``docs/real-time.md`` explains ticks and the conflict rule.
"""

from collections.abc import Iterable, Mapping, Sequence

from cardpit.cards import PACK, RANKS, SUITS
from cardpit.games.game import BadParameter, BadPosition, Event, Game, IllegalAction, Value
from cardpit.games.seeds import SEED_SIZE

NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The card of each number: four times its rank, from 0 for a two to 12 for an ace, plus its suit."""

NUMBERS = {name: number for number, name in enumerate(NAMES)}
"""The number of each card."""

PACK_NUMBERS = tuple(NUMBERS[card] for card in PACK)
"""The numbers of the 52 cards in the order in which every shuffle starts."""

PACK_ORDER = {card: place for place, card in enumerate(PACK_NUMBERS)}
"""The place of each number in that order."""

PASS = "pass"
PASS_ONLY = (PASS,)
"""The legal actions of a seat that can do nothing."""

NO_BIT = -1
"""In place of a priority bit: it was not needed."""

CHANCE = (("bit 0",), ("bit 1",), ())
"""What chance decided in a tick, by its priority bit; :data:`NO_BIT` is the last."""

NEAR = tuple(1 << (rank - 1) % 13 | 1 << (rank + 1) % 13 for rank in range(13))
"""For each rank the two next to it on the circle A-2-3-...-K-A, as a mask with one bit a rank."""

Trail = tuple["Trail | None", str | None, str | None, int, tuple[Event, ...]]
"""A transition: the one before it, the action of each seat or None, the priority bit, and what the table did then.

The one before is None where no seat can ask for it any more: events are told from a seat's last turn on, so it is
kept only while a seat has not acted since.
"""


FIRST_TRAIL: Trail = (None, None, None, NO_BIT, ())
"""A deal, before which there is nothing."""


def priority_label(part: int, tick: int) -> str:
    """Return the label of a tick's coin. ``part`` is the layout or the game, from 1; ticks count from 0 in each."""
    return f"prio/{part}/{tick}"


def beaten(first: str | None, second: str | None) -> bool:
    """Tell whether two actions of one tick cannot both be served: both play on the same pile."""
    return (
        first is not None
        and second is not None
        and first[:4] == "play"
        and second[:4] == "play"
        and first[-1] == second[-1]
    )


def trail_events(trail: Trail, seat: int) -> tuple[Event, ...]:
    """Return what happened from the transition in which a seat last acted on, oldest first.

    For a negative seat: in the last transition alone.
    """
    entries: list[Trail] = []
    entry: Trail | None = trail
    while entry is not None:
        entries.append(entry)
        entry = None if seat < 0 or entry[1 + seat] is not None else entry[0]
    events: list[Event] = []
    for _, first, second, bit, between in reversed(entries):
        conflict = beaten(first, second)
        for actor, action in enumerate((first, second)):
            if action is not None:
                lost = conflict and actor != bit
                events.append(Event(actor, f"beaten-to-it{action[4:]}" if lost else action))
        events += between
    return tuple(events)


def follow(trail: Trail, first: str | None, second: str | None, bit: int, between: Iterable[Event] = ()) -> Trail:
    """Return the trail after one more transition."""
    previous = trail if first is None or second is None else None
    return previous, first, second, bit, tuple(between)


def named(cards: Iterable[int]) -> tuple[str, ...]:
    """Return the names of cards."""
    return tuple(NAMES[card] for card in cards)


def exchanged(cards: Iterable[int], others: Mapping[int, int]) -> tuple[int, ...]:
    """Return cards with others in the place of some."""
    return tuple(others.get(card, card) for card in cards)


def exchanged_chance(chance: Sequence[str], others: Mapping[int, int]) -> tuple[str, ...]:
    """Return what chance decided, told of other hidden cards.

    Of a transition that dealt more than once only the last deal is told, and what came after it.
    """
    last = [text.split()[1] for text in chance if text.startswith("deal")][-1:]
    start = next((place for place, text in enumerate(chance) if last and text.startswith(f"deal {last[0]} ")), 0)
    told = [*(text for text in chance[:start] if text.startswith("bit")), *chance[start:]]
    names = {NAMES[card]: NAMES[other] for card, other in others.items()}
    return tuple(" ".join(names.get(word, word) for word in text.split()) for text in told)


def told_trail(trail: Trail, told: Sequence[Event]) -> Trail:
    """Return the trail with what the table did added to the last transition."""
    previous, first, second, bit, between = trail
    return previous, first, second, bit, (*between, *told)


def check(turn: tuple[int, ...], legal: Sequence[tuple[str, ...]], actions: Mapping[int, str]) -> None:
    """Raise :class:`IllegalAction` unless each seat to act has one legal action, and no other. ``legal`` is by seat."""
    for seat in turn:
        if seat not in actions:
            raise IllegalAction(seat, None, "is missing: the seat must act")
        if actions[seat] not in legal[seat]:
            raise IllegalAction(seat, actions[seat], f"is not legal: allowed is {', '.join(legal[seat])}")
    for seat in actions:
        if seat not in turn:
            to_act = " and ".join(map(str, turn)) or "none: the match has ended"
            raise IllegalAction(seat, actions[seat], f"is out of turn: to act is {to_act}")


def check_seed(seed: bytes) -> bytes:
    """Return the seed. Raises ``ValueError`` where it has not 32 bytes."""
    if len(seed) != SEED_SIZE:
        raise ValueError(f"a seed has {SEED_SIZE} bytes, not {len(seed)}")
    return seed


def cards_text(cards: Iterable[int]) -> str:
    """Return cards as one word, in their order: ``5HTC``; ``-`` for none."""
    return "".join(NAMES[card] for card in cards) or "-"


def parse_cards_text(text: str) -> tuple[int, ...]:
    """Return the cards of a word. Raises :class:`BadPosition`."""
    if text == "-":
        return ()
    words = [text[place : place + 2] for place in range(0, len(text), 2)]
    for word in words:
        if word not in NUMBERS:
            raise BadPosition(f"{word!r} in {text!r} is no card: allowed is a rank of {RANKS} and a suit of {SUITS}")
    return tuple(NUMBERS[word] for word in words)


def check_pack(cards: Sequence[int]) -> None:
    """Raise :class:`BadPosition` unless the cards are the 52 of the pack, once each."""
    if len(cards) == len(NAMES) and len(set(cards)) == len(NAMES):
        return
    for card, name in enumerate(NAMES):
        if cards.count(card) != 1:
            raise BadPosition(f"{name} is there {cards.count(card)} times: allowed is once for each of the 52 cards")


def words_text(game_id: str, words: Mapping[str, str]) -> str:
    """Return a position as one line: the game's id, then ``name=value`` words; a space in a value becomes ``_``."""
    return " ".join([game_id, *(f"{name}={value.replace(' ', '_')}" for name, value in words.items())])


def parse_words(game_id: str, text: str, names: Iterable[str]) -> dict[str, str]:
    """Return the words of a position by name. Raises :class:`BadPosition` for a wrong game or an unknown name."""
    first, *rest = text.split(" ")
    if first != game_id or "\n" in text:
        raise BadPosition(
            f"{text[:40]!r} is no position of {game_id}: it must be one line that begins with {game_id!r}"
        )
    known = tuple(names)
    words: dict[str, str] = {}
    for word in rest:
        name, sign, value = word.partition("=")
        if not sign or name not in known or name in words:
            raise BadPosition(f"{word!r} in a position of {game_id}: allowed is one name=value of {', '.join(known)}")
        words[name] = value.replace("_", " ")
    return words


def parse_number(words: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    """Return a whole number among the words of a position. Raises :class:`BadPosition`."""
    text = words.get(name, str(default))
    if not (text.isascii() and text.removeprefix("-").isdigit() and low <= int(text) <= high):
        raise BadPosition(f"{name} cannot be {text!r}: allowed is {low} to {high}")
    return int(text)


def parse_seed(words: Mapping[str, str]) -> bytes:
    """Return the seed among the words of a position. Raises :class:`BadPosition`."""
    text = words.get("seed", "")
    if len(text) != 2 * SEED_SIZE or set(text) - set("0123456789abcdef"):
        raise BadPosition(f"seed cannot be {text!r}: allowed is {2 * SEED_SIZE} digits of 0-9 and a-f")
    return bytes.fromhex(text)


def parse_values(game: Game, words: Mapping[str, str]) -> dict[str, Value]:
    """Return the parameters among the words of a position, all of them. Raises :class:`BadPosition`."""
    given: dict[str, Value] = {}
    for part in words.get("rules", "").split(","):
        if part:
            name, _, value = part.replace(" ", "_").partition(":")
            given[name] = value
    try:
        return game.settle(given)
    except BadParameter as error:
        raise BadPosition(f"rules cannot be {words['rules']!r}: {error}") from None


def trail_text(trail: Trail) -> str:
    """Return a trail as one word, newest transition first: ``action,action,bit,event,...`` joined by ``/``."""
    entries: list[str] = []
    entry: Trail | None = trail
    while entry is not None:
        previous, first, second, bit, between = entry
        told = (f"{'-' if seat is None else seat}:{text}" for seat, text in between)
        entries.append(",".join([first or "-", second or "-", str(bit), *told]))
        entry = previous
    return "/".join(entries)


def parse_trail(text: str) -> Trail:
    """Return the trail that a word describes. Raises :class:`BadPosition`."""
    trail: Trail | None = None
    for entry in reversed(text.split("/")):
        first, _, rest = entry.partition(",")
        second, _, rest = rest.partition(",")
        bit, *told = rest.split(",")
        if bit not in ("-1", "0", "1") or any(t[:2] not in ("-:", "0:", "1:") for t in told):
            raise BadPosition(f"trail cannot have {entry!r}: allowed is action,action,bit,seat:event,...")
        between = tuple(Event(None if t[0] == "-" else int(t[0]), t[2:]) for t in told)
        trail = (trail, None if first == "-" else first, None if second == "-" else second, int(bit), between)
    assert trail is not None
    return trail
