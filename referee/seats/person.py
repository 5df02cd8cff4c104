"""A person in a seat, in a terminal or behind a connection: news comes out of it, decisions go into it."""

import asyncio
import time
from collections.abc import AsyncIterator

from cardpit import Result, Table, Turn
from referee.orders import Termination
from referee.seats import sights
from referee.seats.seat import Answer, Closing, Opening, Question, SeatFault

TICK_REST = 0.01
"""Seconds before the end of a tick at which a person who has said nothing passes."""

News = Table | Turn | Result
"""The table when the match begins, each turn, and how the match has ended: what bots are told."""


class PersonSeat:
    """One person for one match. All of it belongs to the event loop of the match.

    On the wall clock every tick is news: a person who says nothing in it passes, so that the next turn shows how the
    table looks by then.
    """

    last_turn = b""
    log = ""

    def __init__(self) -> None:
        self.turn: Turn | None = None
        """The turn that waits for a decision."""
        self._news: asyncio.Queue[News] = asyncio.Queue()
        self._answer: asyncio.Future[Answer] | None = None
        self._asked_at = 0.0
        self._table: Table | None = None
        self._has_left = False

    async def news(self) -> AsyncIterator[News]:
        """Yield what the person should see, as it comes, until the match has ended."""
        while True:
            piece = await self._news.get()
            yield piece
            if isinstance(piece, Result):
                return

    def decide(self, number: int, action: str, comment: str = "") -> bool:
        """Answer the turn of this number, and tell whether that counts.

        It does not where the turn is over, or the action is not legal: then nothing has happened.
        """
        turn, answer = self.turn, self._answer
        if turn is None or answer is None or turn.number != number or action not in turn.legal_actions:
            return False
        self._settle(answer, Answer(action, time.monotonic() - self._asked_at, comment))
        return True

    def leave(self) -> None:
        """Get up in the middle of the match, which forfeits it."""
        self._has_left = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(self._absence())
            self._answer.exception()  # the match sees it; where it is over, nobody need
        self.turn = self._answer = None

    def open(self, opening: Opening) -> None:
        """Sit down. Raises :class:`SeatFault` where the person has left."""
        if self._has_left:
            raise self._absence()
        self._table = sights.table(opening)
        self._news.put_nowait(self._table)

    def ask(self, question: Question) -> asyncio.Future[Answer]:
        """Put a turn to the person. Raises :class:`SeatFault` where they have left."""
        assert self._table is not None, "a match opens its seats before it asks"
        if self._has_left:
            raise self._absence()
        loop = asyncio.get_running_loop()
        self._answer = answer = loop.create_future()
        self._asked_at = time.monotonic()
        control, state = self._table.time_control, question.state
        if control.realtime and state.is_tick:
            passed = Answer(state.default_action(self._table.seat), control.tick_time)
            timer = loop.call_later(max(0.0, control.tick_time - TICK_REST), self._settle, answer, passed)
        else:
            timer = loop.call_later(question.limit, self._settle, answer, Answer(None, question.limit))
        answer.add_done_callback(lambda _: timer.cancel())
        self.turn = sights.turn(self._table, question)
        self._news.put_nowait(self.turn)
        return answer

    def close(self, closing: Closing) -> None:
        """Say how the match ended."""
        self.turn = self._answer = None
        self._news.put_nowait(sights.result(closing))

    def _settle(self, answer: "asyncio.Future[Answer]", content: Answer) -> None:
        if answer is self._answer:
            self.turn = self._answer = None
        if not answer.done():
            answer.set_result(content)

    def _absence(self) -> SeatFault:
        return SeatFault(Termination.DISCONNECT, "left the table")
