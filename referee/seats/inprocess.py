"""A Python bot in this process: trusted, no deadline can be enforced. For development and training."""

import logging
import time

from cardpit import Bot
from cardpit.practice import choose
from referee.orders import Termination
from referee.seats import sights
from referee.seats.seat import Answer, Closing, Opening, Question, SeatFault

_log = logging.getLogger(__name__)


class InProcessSeat:
    """Calls a bot directly: an order of magnitude faster than a bot process."""

    last_turn = b""
    log = ""

    def __init__(self, bot: type[Bot]) -> None:
        self._player = bot()

    def open(self, opening: Opening) -> None:
        """Sit down."""
        table = sights.table(opening)
        self._clock = time.thread_time if opening.time_control.meter == "cpu" else time.monotonic
        self._player.table = table
        self._player.opened(table)

    def ask(self, question: Question) -> Answer:
        """Return what the bot chooses, at once. Raises :class:`SeatFault` where it raises."""
        turn = sights.turn(self._player.table, question)
        started = self._clock()
        try:
            choice = choose(self._player, turn)
        except Exception as error:
            raise SeatFault(Termination.CRASH, f"raised {type(error).__name__}: {error}") from error
        comment, self._player.comment = self._player.comment, ""
        return Answer(choice, self._clock() - started, comment)

    def close(self, closing: Closing) -> None:
        """Say how the match ended."""
        try:
            self._player.closed(sights.result(closing))
        except Exception:  # noqa: BLE001 - a bot may raise anything
            _log.warning("the bot in seat %d raised in closed()", self._player.table.seat, exc_info=True)
