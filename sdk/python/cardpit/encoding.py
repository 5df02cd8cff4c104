"""Observations and actions as numbers, for bots and environments that learn. ``docs/training.md`` lists them.

The vector of an observation and the numbers of the actions are the same in training and in a match: both are made of
what a :class:`cardpit.Turn` holds.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement
from math import log2
from types import MappingProxyType
from typing import NamedTuple

from cardpit.cards import BIG_JOKER, PACK, RANKS, SMALL_JOKER
from cardpit.games import Game, Observation, UnknownGame, Value
from cardpit.games.landlord_lists import find_book
from cardpit.games.landlord_states import CALL, GRAB, NO
from cardpit.games.seeds import SEED_SIZE
from cardpit.games.speed_hands import DRAW, PLAYED
from cardpit.games.spit_actions import OPERATIONS
from cardpit.games.spit_position import SLAPS, SPITS, TAKES

CARDS = (*PACK, SMALL_JOKER, BIG_JOKER)
"""The places of the cards in a zone's part of the vector."""
TOPS = RANKS + SMALL_JOKER + BIG_JOKER
"""The places of the rank of a zone's last card."""
SEATS = frozenset({"landlord", "first", "caller", "dealer", "best", "finisher"})
"""Counters whose value is a seat: it is told as seen from the own seat, and so are those that are named by a seat."""
LARGEST = 16.0
"""Counters are told as the logarithm to the base of 2 of one more than they are, divided by this."""
PASS = "pass"
HAND = 11
"""The most cards of a hand of Twenty-Two; so many bits tell which of them an exchange puts aside."""

_CARD_PLACES = {card: place for place, card in enumerate(CARDS)}
_ZONE_SIZE = len(CARDS) + len(TOPS) + 1

ZoneKey = tuple[str, int | None]
"""The name of a zone, and how many seats after the own one its owner sits."""


class Encoder:
    """Turns what a seat sees into a vector, and its legal actions into numbers, for one game at one kind of table."""

    def __init__(self, game: Game, seats: int | None = None, parameters: Mapping[str, Value] | None = None) -> None:
        self.game = game
        self.seats = game.settle_seats(seats)
        shape = find_shape(game.id)
        self.actions = shape.actions()
        """The texts of the actions by number; those of an exchange at Twenty-Two have none."""
        self._by_hand = shape.by_hand
        self._numbers = {text: number for number, text in enumerate(self.actions) if text}
        seen = game.deal(bytes(SEED_SIZE), self.seats, parameters).observe(0)
        keys = dict.fromkeys([*((zone.name, zone.owner) for zone in seen.zones), *shape.zones])
        self._phases = {phase: place for place, phase in enumerate(shape.phases)}
        self._counters = {name: place for place, (name, _) in enumerate(seen.counters)}
        self._zones: dict[ZoneKey, int] = {key: place for place, key in enumerate(keys)}

    @property
    def names(self) -> tuple[str, ...]:
        """What each number of a vector tells, in order: ``phase play``, ``seat 0``, ``counter tick``, ``hand 1 QS``.

        The number behind the name of a zone is the seat of its owner, told from the own one, as in ``hand 0 top Q``
        and ``hand 1 unseen``; common zones have ``-``.
        """
        places = [*CARDS, *(f"top {rank}" for rank in TOPS), "unseen"]
        return (
            *(f"phase {phase}" for phase in self._phases),
            *(f"seat {seat}" for seat in range(self.seats)),
            *(f"counter {name}" for name in self._counters),
            *(f"{name} {'-' if owner is None else owner} {place}" for name, owner in self._zones for place in places),
        )

    @property
    def size(self) -> int:
        """How many numbers the vector of an observation has."""
        return len(self._phases) + self.seats + len(self._counters) + _ZONE_SIZE * len(self._zones)

    @property
    def action_count(self) -> int:
        """One more than the largest number of an action."""
        return len(self.actions)

    def vector(self, observation: Observation, seat: int) -> list[float]:
        """Return an observation as numbers from -1 to 1: phase, seat, counters, zones.

        Seats count from the own one. Of a zone: a 1 for each visible card, a 1 for the rank of the last one, and the
        share of unseen cards.
        """
        seats = self.seats
        vector = [0.0] * self.size
        vector[self._phases[observation.phase]] = 1.0
        vector[len(self._phases) + seat] = 1.0
        start = len(self._phases) + seats
        for name, value in observation.counters:
            told = (value - seat) % seats if name in SEATS and value >= 0 else value
            size = min(1.0, log2(1 + abs(told)) / LARGEST)
            vector[start + self._counters[_from_seat(name, seat, seats)]] = size if told > 0 else -size
        start += len(self._counters)
        for zone in observation.zones:
            owner = None if zone.owner is None else (zone.owner - seat) % seats
            base = start + _ZONE_SIZE * self._zones[zone.name, owner]
            for card in zone.cards:
                vector[base + _CARD_PLACES[card]] = 1.0
            if zone.cards:
                vector[base + len(CARDS) + TOPS.index(zone.cards[-1][0])] = 1.0
            vector[base + _ZONE_SIZE - 1] = zone.unseen / len(CARDS)
        return vector

    def numbers(self, legal_actions: Sequence[str], observation: Observation, seat: int) -> list[int]:
        """Return the number of each legal action, in their order. No two have the same.

        An exchange at Twenty-Two is its cards: bit i for the i-th card of the hand; of a rank, those that come first.
        """
        if observation.phase != self._by_hand:
            return [self._numbers[action] for action in legal_actions]
        hand = next(zone.cards for zone in observation.zones if zone.name == "hand" and zone.owner == seat)
        first = {rank: "".join(card[0] for card in hand).find(rank) for rank in RANKS}
        numbers = []
        for action in legal_actions:
            ranks = action.split()[1:]
            numbers.append(sum(((1 << ranks.count(rank)) - 1) << first[rank] for rank in set(ranks)))
        return numbers


def _from_seat(name: str, seat: int, seats: int) -> str:
    """Return the name of a counter with the seat in it, if there is one, told from the own seat."""
    word, _, number = name.rpartition(" ")
    return f"{word} {(int(number) - seat) % seats}" if word and int(number) < seats else name


def _landlord_actions() -> tuple[str, ...]:
    return (CALL, NO, GRAB, *find_book(True).by_text, PASS)


def _twenty_two_actions() -> tuple[str, ...]:
    leads = ["lead " + rank * size for rank in RANKS for size in range(1, 5)]
    sets = [ranks for size in range(1, 5) for ranks in combinations_with_replacement(RANKS, size)]
    return (*("",) * 2**HAND, *leads, *("follow " + " ".join(ranks) for ranks in sets))


def _spit_actions() -> tuple[str, ...]:
    return (*OPERATIONS, *SPITS, *SLAPS, *TAKES)


def _speed_actions() -> tuple[str, ...]:
    return (*PLAYED, DRAW, PASS)


class Shape(NamedTuple):
    """What must be known of a game beforehand to write what it shows as numbers."""

    phases: tuple[str, ...]
    actions: Callable[[], tuple[str, ...]]
    """Makes the list of all actions; an empty text stands for one that is numbered otherwise."""
    zones: tuple[ZoneKey, ...] = ()
    """The zones that are not there at the deal."""
    by_hand: str = ""
    """The phase in which an action is a set of cards of the hand, and numbered as such."""


SHAPES: MappingProxyType[str, Shape] = MappingProxyType(
    {
        "landlord": Shape(("auction", "play", "end"), _landlord_actions, (("trick", 0), ("trick", 1))),
        "twenty-two": Shape(("exchange", "lead", "follow", "end"), _twenty_two_actions, by_hand="exchange"),
        "spit": Shape(("play", "spit", "slap", "choose", "end"), _spit_actions),
        "speed": Shape(("play", "end"), _speed_actions),
    }
)
"""By the id of the game. One that has none is played as any other, but not trained on."""


def find_shape(game_id: str) -> Shape:
    """Return the shape of a game. Raises :class:`UnknownGame`, which lists those that have one."""
    try:
        return SHAPES[game_id]
    except KeyError:
        raise UnknownGame(f"no encoding for {game_id!r}: there are {', '.join(SHAPES)}") from None
