"""A Python bot in this process: trusted, no deadline can be enforced. For development and training."""

import logging
import time
from functools import partial
from random import Random

from cardpit import Bot, Result, Table, Turn
from cardpit.client import read_substitution
from cardpit.practice import choose
from referee.orders import Termination
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
        table = Table(
            0,
            opening.game,
            opening.rules_version,
            opening.parameters,
            opening.seat,
            opening.seats,
            opening.time_control,
            opening.bot_seed,
            Random(opening.bot_seed),
        )
        self._player.table = table
        self._player.opened(table)

    def ask(self, question: Question) -> Answer:
        """Return what the bot chooses, at once. Raises :class:`SeatFault` where it raises."""
        table = self._player.table
        observe = partial(question.state.observe, table.seat)
        turn = Turn(
            table,
            question.number,
            observe,
            question.legal_actions,
            question.move_time,
            question.bank_time,
            read_substitution(question.substitution),
        )
        started = time.monotonic()
        try:
            choice = choose(self._player, turn)
        except Exception as error:
            raise SeatFault(Termination.CRASH, f"raised {type(error).__name__}: {error}") from error
        comment, self._player.comment = self._player.comment, ""
        return Answer(choice, time.monotonic() - started, comment)

    def close(self, closing: Closing) -> None:
        """Say how the match ended."""
        terminations = tuple(termination.value for termination in closing.terminations)
        try:
            self._player.closed(Result(closing.outcome.payoffs, closing.outcome.places, terminations))
        except Exception:  # noqa: BLE001 - a bot may raise anything
            _log.warning("the bot in seat %d raised in closed()", self._player.table.seat, exc_info=True)
