"""What plays rooms: workers on this machine, or on many."""

from collections.abc import AsyncIterator
from typing import Protocol

from referee.orders import MatchReport, Room, RoomReport


class RoomFailed(Exception):
    """The platform failed in a room: a worker died. What was reported before stays valid."""


class Executor(Protocol):
    """Plays several rooms at once."""

    @property
    def capacity(self) -> int:
        """How many rooms are played at once."""

    async def start(self) -> None:
        """Get ready."""

    def play(self, room: Room) -> AsyncIterator[MatchReport | RoomReport]:
        """Play a room: yield each match when it has ended, at the end a :class:`RoomReport`.

        Closing the iterator before stops the room and its bots. Raises :class:`RoomFailed`.
        """

    async def close(self) -> None:
        """End all workers and all bots."""
