"""What a bot author writes: a :class:`Bot`, or a :class:`BatchBot` that answers many tables at once."""

import operator
from collections.abc import Awaitable, Iterable, Sequence
from typing import ClassVar, SupportsIndex

from cardpit.views import Result, Table, Turn

Choice = str | int
"""What a bot answers: an action's notation, or its place in ``turn.legal_actions``."""


class Bot:
    """A player at one table; every table gets an instance of its own.

    Write :meth:`act`, then end the file with ``MyBot.run()``::

        from cardpit import Bot

        class First(Bot):
            def act(self, turn):
                return turn.legal_actions[0]

        First.run()
    """

    games: ClassVar[tuple[str, ...]] = ()
    """The ids of the games it plays; empty means all."""
    max_tables: ClassVar[int] = 1024
    """How many tables one process can hold at once."""

    table: Table
    """The table at which this instance sits, set before :meth:`opened` is called.

    A :class:`BatchBot` sits at many: it is the one that is opened or closed just now; each turn has its own.
    """

    comment: str = ""
    """What to keep with the next decision, for instance an estimate: up to 200 characters, cleared once it is sent.

    That of a :class:`BatchBot` goes with the first decision of its batch.
    """

    def opened(self, table: Table) -> None:
        """Prepare for a match that begins. Time spent here counts towards the first decision."""

    def act(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """Return the action to take: its notation, or its index in ``turn.legal_actions``. May be ``async``."""
        raise NotImplementedError(f"{type(self).__name__} has no act(turn)")

    def closed(self, result: Result) -> None:
        """Look at how the match ended."""

    @classmethod
    def run(cls) -> None:
        """Play for the referee that started this process, then end it.

        Started by hand instead, without ``CARDPIT_ADDRESS``: say how to submit the bot, and play one quick match in
        this process against random choices.
        """
        from cardpit.client import run

        run(cls)


class BatchBot(Bot):
    """A bot whose pending turns at all tables are answered in one call, as a network evaluated in batches wants it.

    One instance serves every table: write :meth:`act_many` instead of :meth:`act`.
    """

    def act_many(self, turns: Sequence[Turn]) -> Sequence[Choice] | Awaitable[Sequence[Choice]]:
        """Return one choice for each turn, in the order of the turns. May be ``async``."""
        raise NotImplementedError(f"{type(self).__name__} has no act_many(turns)")

    def act(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """Answer one turn: a batch of one."""
        raise NotImplementedError("a BatchBot is asked through act_many")


def checked_choice(bot: Bot, choice: object) -> Choice:
    """Return what a bot has chosen as a text or an ``int``; a whole number of another library is taken too.

    Raises ``TypeError`` where it is neither.
    """
    if isinstance(choice, str) or type(choice) is int:
        return choice
    if isinstance(choice, SupportsIndex):
        return operator.index(choice)
    method = "act_many" if isinstance(bot, BatchBot) else "act"
    raise TypeError(
        f"{type(bot).__name__}.{method} returned {choice!r}: allowed is an action of turn.legal_actions, or its index"
    )


def checked_choices(bot: BatchBot, choices: object, turns: int) -> list[Choice]:
    """Return what a bot has chosen for a batch of turns. Raises ``TypeError`` where it is not one choice for each."""
    if isinstance(choices, str) or not isinstance(choices, Iterable):
        raise TypeError(f"{type(bot).__name__}.act_many returned {choices!r}: allowed is one choice for each turn")
    checked = [checked_choice(bot, choice) for choice in choices]
    if len(checked) != turns:
        raise TypeError(f"{type(bot).__name__}.act_many returned {len(checked)} choices for {turns} turns")
    return checked
