"""What a bot author writes: a :class:`Bot`, or a :class:`BatchBot` that answers many tables at once."""

from collections.abc import Awaitable, Sequence
from typing import ClassVar

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
    """The table at which this instance sits, set before :meth:`opened` is called."""

    comment: str = ""
    """What to keep with the next decision, for instance an estimate: up to 200 characters, cleared once it is sent."""

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
