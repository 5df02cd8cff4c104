"""What the match asks of a seat, whoever sits there: a bot process, a bot in this process, a person."""

from asyncio import Future
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from cardpit import TimeControl
from cardpit.games import Outcome, State, Value
from cardpit.v1 import referee_pb2 as pb
from referee.orders import Termination


class SeatFault(Exception):
    """A seat cannot go on: its bot crashed, left, or broke the protocol."""

    def __init__(self, termination: Termination, detail: str) -> None:
        super().__init__(detail)
        self.termination = termination
        self.detail = detail


class Answer(NamedTuple):
    """What a seat answered to a turn."""

    choice: int | str | None
    """An index into the legal actions or a notation; None if no answer came in time."""
    used_time: float
    """Seconds."""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a seat is told when it sits down."""

    game: str
    rules_version: int
    parameters: Mapping[str, Value]
    seat: int
    seats: int
    time_control: TimeControl
    bot_seed: bytes


class Question(NamedTuple):
    """What a seat is asked."""

    number: int
    """Counts the turns of this seat in this match, from 1."""
    state: State
    legal_actions: Sequence[str]
    limit: float
    """Seconds within which an answer counts, on the wall clock."""
    move_time: float
    """Seconds that are free for this decision."""
    bank_time: float
    """Seconds left for the rest of the match beyond that."""
    substitution: pb.Substitution | None
    """What was done in place of the seat's last answer."""


class Closing(NamedTuple):
    """What a seat is told when the match has ended."""

    outcome: Outcome
    termination: Termination
    """Why the match ended."""
    terminations: tuple[Termination, ...]
    """By seat."""
    strikes: tuple[int, ...]
    """By seat."""


class Seat(Protocol):
    """A place at one table, for one match."""

    def open(self, opening: Opening) -> None:
        """Sit down. Raises :class:`SeatFault` where nobody can."""

    def ask(self, question: Question) -> "Answer | Future[Answer]":
        """Ask for a decision; a future is done by the limit. It or the call may raise :class:`SeatFault`."""

    def close(self, closing: Closing) -> None:
        """Say how the match ended. Never raises."""

    @property
    def last_turn(self) -> bytes:
        """The last turn that was sent, serialised; empty if there was none or it is not a message."""

    @property
    def log(self) -> str:
        """What the bot has written so far, head and tail."""
