"""What a seat is told, as bots see it: for whoever sits in this process and gets no messages."""

from functools import partial
from random import Random

from cardpit import Result, Table, Turn
from cardpit.client import read_substitution
from referee.seats.seat import Closing, Opening, Question


def table(opening: Opening) -> Table:
    """Return the table at which a seat sits down."""
    return Table(
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


def turn(at: Table, question: Question) -> Turn:
    """Return a question as a turn."""
    return Turn(
        at,
        question.number,
        partial(question.state.observe, at.seat),
        question.legal_actions,
        question.move_time,
        question.bank_time,
        read_substitution(question.substitution),
    )


def result(closing: Closing) -> Result:
    """Return how a match ended."""
    terminations = tuple(termination.value for termination in closing.terminations)
    return Result(closing.outcome.payoffs, closing.outcome.places, terminations)
