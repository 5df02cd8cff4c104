"""What a bot sees: tables, turns and results, read-only. Nothing is copied out of a message before it is asked for."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from cardpit.games import Event, Observation, Value, Zone


class TimeControl(NamedTuple):
    """The time that a seat has. Durations are in seconds."""

    move_time: float = 0.1
    """Free for each decision."""
    bank_time: float = 10.0
    """For the whole match: what decisions take beyond ``move_time`` is drawn from it."""
    match_time: float = 3600.0
    """The longest that a match may take."""
    max_strikes: int = 3
    """A seat with so many strikes forfeits the match."""
    realtime: bool = False
    """Whether each tick closes on the wall clock."""
    tick_time: float = 0.05
    """How long a tick lasts on the wall clock."""
    meter: str = "wall"
    """What is charged: ``wall`` clock time, or the ``cpu`` time that the bot's processes use."""


class Table(NamedTuple):
    """A seat at a table, for one match."""

    number: int
    """Names the table among those of this process."""
    game: str
    """The game's id."""
    rules_version: int
    parameters: Mapping[str, Value]
    """Every parameter of the game with its value."""
    seat: int
    """This bot's seat, from 0, clockwise."""
    seats: int
    """How many seats there are."""
    time_control: TimeControl
    bot_seed: bytes
    """32 bytes of private randomness for this seat."""
    rng: Random
    """Random numbers from ``bot_seed``: a bot that draws from nothing else plays reproducibly."""


class Substitution(NamedTuple):
    """What the referee did in place of this seat's last answer."""

    reason: str
    """``timeout``, ``illegal action`` or ``forfeited``."""
    action: str
    """What was applied."""
    strikes: int
    """How many strikes the seat has now."""


class Result(NamedTuple):
    """How a match ended."""

    payoffs: tuple[float, ...]
    """By seat, in the game's unit."""
    places: tuple[int, ...]
    """By seat: 1 is best, equal places are shared."""
    terminations: tuple[str, ...]
    """By seat: ``normal``, or what the seat is at fault for."""


class Turn:
    """A question to a bot. It needs no memory to be answered."""

    __slots__ = (
        "_observation",
        "_observe",
        "bank_time",
        "legal_actions",
        "move_time",
        "number",
        "substitution",
        "table",
    )

    def __init__(
        self,
        table: Table,
        number: int,
        observe: Callable[[], Observation],
        legal_actions: Sequence[str],
        move_time: float,
        bank_time: float,
        substitution: Substitution | None = None,
    ) -> None:
        self.table = table
        """The table at which it is asked."""
        self.number = number
        """Counts this seat's turns at this table, from 1."""
        self.legal_actions = legal_actions
        """Every action that may be chosen, in a fixed order."""
        self.move_time = move_time
        """Seconds that are free for this decision."""
        self.bank_time = bank_time
        """Seconds left for the rest of the match beyond that."""
        self.substitution = substitution
        """What the referee did in place of the last answer, if it was late or illegal."""
        self._observe = observe
        self._observation: Observation | None = None

    @property
    def observation(self) -> Observation:
        """All that the seat sees."""
        if self._observation is None:
            self._observation = self._observe()
        return self._observation

    @property
    def seat(self) -> int:
        """The seat of this bot."""
        return self.table.seat

    @property
    def phase(self) -> str:
        """The part of the match, from the game's page."""
        return self.observation.phase

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened from this seat's last turn on, its own action included, oldest first."""
        return self.observation.events

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards in this seat's hand."""
        return self.zone("hand", self.table.seat).cards

    def zone(self, name: str, owner: int | None = None) -> Zone:
        """Return the place of this name and owner. Raises ``KeyError`` that lists the places there are."""
        for zone in self.observation.zones:
            if zone.name == name and zone.owner == owner:
                return zone
        known = ", ".join(z.name if z.owner is None else f"{z.name} of {z.owner}" for z in self.observation.zones)
        raise KeyError(f"no zone {name!r} with owner {owner}: there are {known}")

    def counter(self, name: str) -> int:
        """Return a named number. Raises ``KeyError`` that lists the numbers there are."""
        for counter, value in self.observation.counters:
            if counter == name:
                return value
        raise KeyError(f"no counter {name!r}: there are {', '.join(name for name, _ in self.observation.counters)}")
