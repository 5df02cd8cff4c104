"""What a referee is told to play, and what it reports: plain data that travels between processes by pickle.

A :class:`Room` is one rotation of a pairing on its boards. For each match it gives back a :class:`MatchReport` as soon
as the match has ended, and at the end a :class:`RoomReport`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TypeVar

from cardpit import TimeControl
from cardpit.games import Value
from cardpit.v1 import referee_pb2 as pb

T = TypeVar("T")


class Termination(Enum):
    """Why a match ended, for a seat or as a whole."""

    NORMAL = "normal"
    TIMEOUT = "timeout"
    ILLEGAL_ACTION = "illegal action"
    PROTOCOL = "protocol"
    CRASH = "crash"
    DISCONNECT = "disconnect"
    MEMORY = "memory"
    STARTUP = "startup"
    PLATFORM = "platform"

    @property
    def message(self) -> pb.Termination.ValueType:
        """The same in the protocol."""
        return pb.Termination.Value(f"TERMINATION_{self.name}")

    @classmethod
    def of(cls, message: pb.Termination.ValueType) -> "Termination":
        """Return what a value of the protocol means."""
        return cls[pb.Termination.Name(message).removeprefix("TERMINATION_")]


@dataclass(frozen=True, slots=True)
class Player:
    """A bot version in a seat, and how to start it."""

    bot: str
    version: int
    """From 1; 0 for a bot that was not submitted."""
    bundle_hash: str
    """SHA-256 of the bundle in hexadecimal; empty for a bot that was not submitted."""
    folder: Path
    """Where the bundle lies; the command runs there."""
    command: tuple[str, ...]
    time_odds: tuple[float, float] | None = None
    """Move time and bank time in seconds, if they are not everybody's."""

    @property
    def label(self) -> str:
        """Name and version, as messages and tables show them."""
        return f"{self.bot} {self.version}" if self.version else self.bot


@dataclass(frozen=True, slots=True)
class Board:
    """One seed to play on."""

    number: int
    """From 0."""
    seed: bytes
    """32 bytes."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """How matches are held: what a tournament sets for all of its rooms. Durations are in seconds."""

    time_control: TimeControl = field(default_factory=TimeControl)
    startup_time: float = 10.0
    """From the start of a bot's process to its Hello."""
    grace_time: float = 1.0
    """From Farewell to the end of the process; one that lives longer is killed."""
    tables: int = 1
    """How many boards of a room are played at once. A bot shares its clock among them."""
    restart: str = "room"
    """``room``: the bots' processes live as long as the room. ``match``: every match has new ones."""
    jail: str = "process"
    """How bots are confined: a name in ``referee.sandbox.JAILS``."""
    ponder: bool = False
    """Whether bots may think between their turns; one that is caught is stopped then, where they may not."""
    transport: str = "unix"
    """``unix``: a socket in the file system. ``tcp``: the loopback interface."""
    log_size: int = 64 * 1024
    """How many bytes of a bot's output are kept, half from its head and half from its tail."""


def rotated(pairing: Sequence[T], room: int) -> tuple[T, ...]:
    """Return who sits where in a room, by seat: seat s has member s + room of the pairing, counted round."""
    return tuple(pairing[(seat + room) % len(pairing)] for seat in range(len(pairing)))


@dataclass(frozen=True, slots=True)
class Room:
    """One rotation of a pairing, to be played on some boards."""

    tournament: str
    """The tournament's name; empty for a match by hand."""
    pool: int
    """Which of the tournament's games, from 0."""
    game: str
    parameters: dict[str, Value]
    """Every parameter of the game with its value."""
    pairing: int
    """The pairing's number in its schedule, from 0."""
    room: int
    """By how many seats the pairing sits rotated, from 0."""
    players: tuple[Player, ...]
    """By seat."""
    boards: tuple[Board, ...]
    """In the order in which they are played."""
    conduct: Conduct = field(default_factory=Conduct)

    @property
    def time_controls(self) -> tuple[TimeControl, ...]:
        """The time of each seat, by seat."""
        common = self.conduct.time_control
        return tuple(
            common._replace(move_time=player.time_odds[0], bank_time=player.time_odds[1])
            if player.time_odds
            else common
            for player in self.players
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a seat is at fault for, with all that its author needs to mend it."""

    seat: int
    termination: Termination
    detail: str
    """One sentence: the limit and the value, the exit status or the signal."""
    last_turn: bytes
    """The last ``cardpit.v1.Turn`` that the seat was sent, serialised; empty if it had none."""
    log: str
    """The bot's output so far, head and tail."""


@dataclass(frozen=True, slots=True)
class MatchReport:
    """A match that has ended."""

    pairing: int
    board: int
    room: int
    record: bytes
    """The ``cardpit.v1.Record``, serialised. The same seed and actions give the same bytes."""
    timings: bytes
    """The ``cardpit.v1.Timings``, serialised."""
    termination: Termination
    payoffs: tuple[float, ...]
    """By seat."""
    places: tuple[int, ...]
    """By seat."""
    margins: tuple[int, ...]
    """By seat."""
    strikes: tuple[int, ...]
    """By seat: how many answers were replaced by the default action."""
    timeouts: tuple[int, ...]
    """By seat: how many of the strikes were late answers."""
    used_times: tuple[float, ...]
    """By seat: seconds used for all decisions."""
    verdicts: tuple[Verdict, ...]
    """One for each seat at fault; empty after a match that was played out."""
    decisions: int
    """How many actions were applied, of all seats."""
    lag_time: float
    """How late the referee itself was: 99 % of its looks at the clock were not later, in seconds."""


@dataclass(frozen=True, slots=True)
class RoomReport:
    """A room that is done: all of its boards were reported."""

    pairing: int
    room: int
    logs: tuple[str, ...]
    """By seat: the bot's output in this room, head and tail."""
