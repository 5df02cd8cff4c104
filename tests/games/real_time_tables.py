"""Positions and matches of Spit and Speed, laid out by hand or played by simple policies."""

from collections.abc import Callable, Iterator, Mapping
from random import Random

from cardpit.cards import PACK
from cardpit.games import ALL, Game, State, Value, Zone, find_game

SPIT = find_game("spit")
SPEED = find_game("speed")
SEED = bytes(range(32))

Policy = Callable[[State, int, Random], str]


def cards(text: str) -> list[str]:
    """Return the cards of a word of positions: ``5HTC``."""
    return [text[place : place + 2] for place in range(0, len(text), 2)] if text != "-" else []


def some(number: int, *besides: str) -> str:
    """Return so many cards as a word, the first of the pack besides some."""
    return "".join([card for card in PACK if card not in besides][:number])


def laid(game: Game, words: Mapping[str, object], rest: str, parameters: Mapping[str, Value]) -> State:
    """Return the state that words describe; all cards that they do not name lie lowest in the place ``rest``."""
    texts = {name: str(value) or "-" for name, value in words.items()}
    named = {card for text in texts.values() for part in text.replace("/", ",").split(",") for card in cards(part)}
    missing = "".join(card for card in PACK if card not in named)
    texts[rest] = missing + texts.get(rest, "-").replace("-", "")
    rules = ",".join(f"{name}:{value}" for name, value in parameters.items())
    seed = texts.pop("seed", SEED.hex())
    return game.parse(" ".join([game.id, f"seed={seed}", f"rules={rules}", *(f"{n}={t}" for n, t in texts.items())]))


def spit_table(
    slots0: str, slots1: str, *, rest: str = "pile0", parameters: Mapping[str, Value] | None = None, **words: object
) -> State:
    """Return a state of Spit. Slots are words such as ``7H4D/9C`` (face-down cards, then the face-up one), by spaces.

    Slots that are not named are empty; a word without a slash is a face-up card.
    """
    sizes = 4 if (parameters or {}).get("four_piles") else 5
    slots = {}
    for seat, text in enumerate((slots0, slots1)):
        named = [word if "/" in word else f"-/{word}" for word in text.split()]
        slots[f"slots{seat}"] = ",".join([*named, *["-/-"] * (sizes - len(named))])
    return laid(SPIT, {"pile0": "-", **slots, **words}, rest, parameters or {})


def speed_table(rest: str = "stock1", parameters: Mapping[str, Value] | None = None, **words: object) -> State:
    """Return a state of Speed; a place that is not named is empty."""
    return laid(SPEED, words, rest, parameters or {})


def zone(state: State, name: str, owner: int | None = None, seat: int = ALL) -> Zone:
    (found,) = (z for z in state.observe(seat).zones if (z.name, z.owner) == (name, owner))
    return found


def counter(state: State, name: str) -> int:
    return dict(state.observe(0).counters)[name]


def texts(state: State, seat: int = 0) -> list[str]:
    """Return the events that a seat sees: ``0 play 3 0``, and ``- layout 2`` for the table."""
    return [f"{'-' if e.seat is None else e.seat} {e.text}" for e in state.observe(seat).events]


def both(state: State, first: str, second: str) -> State:
    return state.apply({0: first, 1: second})


def all_cards(state: State) -> list[str]:
    return sorted(card for z in state.observe(ALL).zones for card in z.cards)


def any_action(state: State, seat: int, rng: Random) -> str:
    legal = state.legal_actions(seat)
    return legal[int(rng.random() * len(legal))]


def first_action(state: State, seat: int, rng: Random) -> str:
    """Play greedily: the first play there is, else the first flip, move or draw."""
    return state.legal_actions(seat)[0]


def states(state: State, policies: tuple[Policy, Policy], rng: Random) -> Iterator[State]:
    """Yield every state of a match from a state on."""
    yield state
    while state.outcome is None:
        state = state.apply({seat: policies[seat](state, seat, rng) for seat in state.turn})
        yield state


def playouts(
    game: Game, number: int, policy: Policy, parameters: Mapping[str, Value] | None = None
) -> tuple[int, int, tuple[int, int]]:
    """Play matches between two of one policy: the ticks of all, the ticks of the longest, the wins of each seat."""
    total = longest = 0
    wins = [0, 0]
    for board in range(number):
        state = game.deal(board.to_bytes(32, "big"), 2, parameters)
        rng = Random(board)
        ticks = 0
        while state.outcome is None:
            state = state.apply({seat: policy(state, seat, rng) for seat in state.turn})
            ticks += 1
        total += ticks
        longest = max(longest, ticks)
        for seat in range(2):
            wins[seat] += state.outcome.payoffs[seat] == 1.0
    return total, longest, (wins[0], wins[1])
