"""What a game is: the one interface of turn-based, simultaneous and real-time games.

A :class:`Game` states itself as data and deals a :class:`State`. States never change: ``apply`` returns the next one.
The same rules serve the referee, bots that look ahead, the replay viewer and training::

    state = game.deal(seed, seats=2, parameters={})
    while state.outcome is None:
        state = state.apply({seat: choose(state.legal_actions(seat)) for seat in state.turn})
    print(state.outcome.payoffs)

Errors::

    GameError(ValueError)
    ├── UnknownGame      no game has this id
    ├── BadParameter     no such parameter, or a value that it does not allow
    ├── BadSeats         the game is not for so many players
    ├── BadPosition      a text that is no position of the game
    └── IllegalAction    an action that is not legal now; the state is as it was
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple, Self

PUBLIC = -1
"""In place of a seat: what every seat may see."""

ALL = -2
"""In place of a seat: every card, for replays of finished matches."""

Value = bool | int | str
"""The value of a game's parameter."""


def value_text(value: object) -> str:
    """Return a value as commands and messages write it and ``Parameter.check`` reads it: ``true``, ``4``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class GameError(ValueError):
    """Something asked of a game that its rules do not allow."""


class UnknownGame(GameError):
    """No game has this id."""


class BadParameter(GameError):
    """No such parameter, or a value that it does not allow."""


class BadSeats(GameError):
    """The game is not for so many players."""


class BadPosition(GameError):
    """A text that is no position of the game."""


class IllegalAction(GameError):
    """An action that is not legal now."""

    def __init__(self, seat: int, action: str | None, detail: str) -> None:
        super().__init__(f"seat {seat}: {action!r} {detail}")
        self.seat = seat
        self.action = action


class Zone(NamedTuple):
    """A place where cards lie, as one seat sees it."""

    name: str
    """What the place is: ``hand``, ``stock``, ``trick``, ..., listed on the game's page."""
    owner: int | None
    """The seat whose place it is; None for a common one."""
    cards: tuple[str, ...]
    """The visible cards, bottom to top; a hand is in the game's order."""
    unseen: int = 0
    """How many more cards lie here that this seat may not see."""


class Event(NamedTuple):
    """Something that happened, in the notation of the game's page."""

    seat: int | None
    """The seat that did it; None for the dealer or the table."""
    text: str
    """An action's notation, or another word of the game's page with its arguments."""


class Observation(NamedTuple):
    """All that one seat may know of a state, in words common to all card games."""

    phase: str
    """The part of the match: ``auction``, ``play``, ..., listed on the game's page."""
    zones: tuple[Zone, ...]
    """Every place where cards lie: each card of the match is in exactly one of them, seen or counted."""
    counters: tuple[tuple[str, int], ...]
    """Named whole numbers, in the order of the game's page."""
    events: tuple[Event, ...]
    """What happened from this seat's last turn on, its own action included, oldest first."""


class Outcome(NamedTuple):
    """How a match ended, by seat."""

    payoffs: tuple[float, ...]
    """In the game's unit; what is rated."""
    places: tuple[int, ...]
    """1 is best; equal places are shared, and as many places behind them stay empty."""
    margins: tuple[int, ...]
    """A finer measure of how well each did, in the game's unit, used to break ties in tables; higher is better."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A switch or number of a game's rules."""

    name: str
    default: Value
    meaning: str
    """One sentence without a full stop."""
    choices: tuple[str, ...] = ()
    """What a text may be."""
    low: int = 0
    """The lowest value of a number."""
    high: int = 0
    """The highest value of a number."""

    @property
    def allowed(self) -> str:
        """Say which values are allowed, for messages and tables."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return f"{self.low} to {self.high}"
        return " or ".join(self.choices)

    def check(self, value: Value) -> Value:
        """Return the value, or the value that a text such as ``"true"`` or ``"4"`` names.

        Raises :class:`BadParameter` where it is not allowed.
        """
        if isinstance(value, str) and not isinstance(self.default, str):
            value = self._parse(value)
        if (
            type(value) is type(self.default)
            and (not isinstance(value, str) or value in self.choices)
            and (isinstance(value, (bool, str)) or self.low <= value <= self.high)
        ):
            return value
        raise self._error(value)

    def _parse(self, text: str) -> Value:
        if isinstance(self.default, bool):
            if text.lower() in ("true", "false"):
                return text.lower() == "true"
        elif text.isascii() and text.removeprefix("-").isdigit():
            return int(text)
        raise self._error(text)

    def _error(self, value: Value) -> BadParameter:
        return BadParameter(f"parameter {self.name} cannot be {value!r}: allowed is {self.allowed}")


class State(ABC):
    """A position of a match. It never changes; all chance in it comes from the seed it was dealt from."""

    __slots__ = ()

    @property
    @abstractmethod
    def turn(self) -> tuple[int, ...]:
        """The seats that must act now, in ascending order: one, or several at once; none when the match has ended."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""

    @abstractmethod
    def legal_actions(self, seat: int) -> tuple[str, ...]:
        """Return every action that the seat may choose now, in a fixed order; empty when it is not its turn."""

    @abstractmethod
    def default_action(self, seat: int) -> str:
        """Return the legal action that stands in for a missing or illegal one. The seat must be to act."""

    @abstractmethod
    def apply(self, actions: Mapping[int, str]) -> Self:
        """Return the state after each seat to act has acted.

        Raises :class:`IllegalAction` unless ``actions`` has one legal action for each seat of ``turn`` and no other.
        """

    @abstractmethod
    def observe(self, seat: int) -> Observation:
        """Return what a seat sees: a seat, :data:`PUBLIC` or :data:`ALL`.

        For the last two, the events are those of the last transition alone.
        """

    @property
    def is_tick(self) -> bool:
        """Whether this is a tick of a real-time game: on the wall clock, a seat that says nothing in time passes."""
        return False

    def in_order(self, actions: Mapping[int, str], first: int) -> Mapping[int, str]:
        """Return what actions count as where that of seat ``first`` came in an earlier tick than all others.

        It matters on the wall clock alone, between ticks: whose hand is underneath, say.
        """
        return actions

    @property
    @abstractmethod
    def chance(self) -> tuple[str, ...]:
        """What chance decided in the last transition (for a deal: the deal), as texts for the record."""

    @abstractmethod
    def resample(self, seat: int, rng: Random) -> Self:
        """Return a state drawn from all that agree with what the seat has seen; what is to come is drawn anew too."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The whole position as one line, seed included; ``game.parse`` reads it back."""


class Game(ABC):
    """A set of rules, stated as data, and the dealer of its matches."""

    id: ClassVar[str]
    """The name in commands, records and messages."""
    name: ClassVar[str]
    """The name in headings."""
    rules_version: ClassVar[int]
    """Raised whenever the same seed and actions could give another result."""
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    parameters: ClassVar[tuple[Parameter, ...]]
    zero_sum: ClassVar[bool]
    """Whether the payoffs of a match that was played out sum to zero."""
    real_time: ClassVar[bool]
    """Whether all seats act in each tick; a single decision is then worth little."""
    payoff_unit: ClassVar[str]
    """What a payoff counts, in the plural: ``points``, ``wins``."""
    longest_match: ClassVar[int]
    """No seat can be asked more often in one match, with default parameters."""
    source: ClassVar[str]
    """Where the rules are from."""
    house_rules: ClassVar[tuple[str, ...]]
    """What was settled where the source is silent, a sentence each."""

    @abstractmethod
    def deal(self, seed: bytes, seats: int | None = None, parameters: Mapping[str, Value] | None = None) -> State:
        """Return the first state of a match.

        ``seed`` is 32 bytes; ``seats`` is the number of players, ``min_seats`` if None; parameters that are not given
        have their defaults. Raises :class:`BadSeats` or :class:`BadParameter`.
        """

    @abstractmethod
    def parse(self, text: str) -> State:
        """Return the state that a line of text describes. Raises :class:`BadPosition`."""

    def imagine(
        self,
        observation: Observation,
        seat: int,
        seats: int,
        parameters: Mapping[str, Value],
        before: State | None = None,
    ) -> State:
        """Return a state that looks to a seat like what it observes at its turn; ``resample`` draws others like it.

        ``before`` is what this method returned for the seat's turn before, None at its first turn of the match: what
        has happened since is told by the events, and what was learned earlier is kept in the state. What the seat
        cannot know is filled in, without chance, and is worth nothing. Raises ``ValueError`` where an observation does
        not follow ``before``.
        """
        raise NotImplementedError(f"{self.id} cannot be imagined from what a seat sees")

    @abstractmethod
    def payoff_bounds(self, seats: int, parameters: Mapping[str, Value]) -> tuple[float, float]:
        """Return the lowest and the highest payoff that a seat can get."""

    def settle_seats(self, seats: int | None) -> int:
        """Return the number of players, ``min_seats`` for None. Raises :class:`BadSeats`."""
        if seats is None:
            return self.min_seats
        if not self.min_seats <= seats <= self.max_seats:
            allowed = (
                str(self.min_seats) if self.min_seats == self.max_seats else f"{self.min_seats} to {self.max_seats}"
            )
            raise BadSeats(f"{self.id} is not for {seats} players: allowed is {allowed}")
        return seats

    def settle(self, parameters: Mapping[str, Value] | None) -> dict[str, Value]:
        """Return a value for every parameter, checked, in the game's order. Raises :class:`BadParameter`."""
        given = dict(parameters or {})
        settled = {p.name: p.check(given.pop(p.name, p.default)) for p in self.parameters}
        for name in given:
            known = ", ".join(p.name for p in self.parameters) or "none"
            raise BadParameter(f"{self.id} has no parameter {name!r}: it has {known}")
        return settled

    def forfeit(self, state: State, at_fault: frozenset[int], seats: int, parameters: Mapping[str, Value]) -> Outcome:
        """Return the outcome when the referee ends or has ended a match with some seats at fault.

        For two players: the one at fault gets the lowest payoff there is, the other the highest; both at fault, both
        the lowest. Games for more players rank the others by ``state``, in which it stopped, played on to its end by
        default actions.
        """
        if seats != 2:
            raise NotImplementedError(f"{self.id} must say what a forfeit means for {seats} players")
        low, high = self.payoff_bounds(seats, parameters)
        payoffs = tuple(low if seat in at_fault else high for seat in range(seats))
        places = tuple(1 if seat not in at_fault or len(at_fault) == seats else 2 for seat in range(seats))
        return Outcome(payoffs, places, tuple(0 for _ in range(seats)))
