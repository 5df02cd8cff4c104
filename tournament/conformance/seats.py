"""Seats that try a bot: one from a later version of the protocol, one that lets good answers come too late."""

import asyncio

from cardpit.practice import notation
from cardpit.v1 import referee_pb2 as pb
from referee.orders import Termination
from referee.seats.grpc import GrpcSeat
from referee.seats.seat import Answer, Question, SeatFault
from referee.wire import block, number

UNKNOWN = number(13, 1_000_000) + block(14, b"from a later version") + block(15, b"")
"""Fields that no message has yet."""

LATE_EVERY = 3
"""Of so many answers that are not the default action, one is taken to have come too late."""


class LaterSeat(GrpcSeat):
    """A referee of a later version: each message has fields that the bot cannot know, and there is a new kind of it."""

    def _send(self, message: pb.PlayResponse) -> None:
        super()._send(pb.PlayResponse.FromString(UNKNOWN))
        for known in (message, getattr(message, message.WhichOneof("kind") or "")):
            known.MergeFromString(UNKNOWN)
        super()._send(message)

    def _encode(self, question: Question) -> bytes:
        # A second observation is merged into the first, as every reader of protobuf does.
        return super()._encode(question) + block(3, UNKNOWN) + UNKNOWN


class LateSeat(GrpcSeat):
    """Takes answers as if they had come too late, so that the default action is put in their place.

    An answer that really is late or illegal ends the match at once.
    """

    withheld = 0
    """How many answers have been taken as late."""
    _own = 0

    def ask(self, question: Question) -> asyncio.Future[Answer]:
        """Send a turn. Raises :class:`SeatFault` if the bot has one already."""
        return asyncio.ensure_future(self._take(question, super().ask(question)))

    async def _take(self, question: Question, asked: asyncio.Future[Answer]) -> Answer:
        answer = await asked
        told = f" (told of a substitution: {question.substitution.action})" if question.substitution else ""
        if answer.choice is None:
            raise SeatFault(Termination.TIMEOUT, f"no answer to turn {question.number}{told} in {question.limit:.1f} s")
        action = notation(answer.choice, question.legal_actions)
        if action is None:
            raise SeatFault(
                Termination.ILLEGAL_ACTION,
                f"answered {answer.choice!r} to turn {question.number}{told}: it is not one of the "
                f"{len(question.legal_actions)} legal actions",
            )
        self._own += action != question.state.default_action(self._seat)
        if self.withheld * LATE_EVERY >= self._own:
            return answer
        self.withheld += 1
        return Answer(None, answer.used_time)
