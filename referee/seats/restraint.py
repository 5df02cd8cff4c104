"""A bot's conduct between its turns: one that is caught thinking then is stopped from then on until it is its turn.

Only some of the times between turns are looked at, at random moments, so that a bot that behaves pays nothing.
"""

import logging
from random import uniform
from typing import Protocol

_log = logging.getLogger(__name__)

FREE_TIME = 0.01
"""CPU seconds that are free between two turns: the end of an answer, and what a runtime does in the background."""
FREE_SHARE = 0.1
"""CPU seconds that are free besides, for each second between two turns."""
MOST_EXCESS = 0.05
"""CPU seconds beyond what is free that a bot is caught for, between two turns or summed up over some in a row."""
LOOK_TIME = 0.1
"""Seconds from one look to the next, on average."""

_FINDING = "thinks between its turns, which is not allowed here: from now on it is stopped then"


class Process(Protocol):
    """What must be known and done about a bot's processes."""

    @property
    def cpu_time(self) -> float:
        """CPU seconds that they have used so far."""

    def freeze(self) -> None:
        """Stop all of them."""

    def thaw(self) -> None:
        """Let them go on."""


class Restraint:
    """Sees to it that one bot rests between its turns. ``now`` is on the monotonic clock."""

    def __init__(self, process: Process, label: str) -> None:
        self.caught = False
        """Whether the bot has been caught."""
        self._process = process
        self._label = label
        self._frozen = False
        self._excess = 0.0
        self._since: tuple[float, float] | None = None
        self._next_look = 0.0

    @property
    def notice(self) -> str:
        """What the bot's log says of it; empty if there is nothing to say."""
        return f"\n[the referee: the bot {_FINDING}]\n" if self.caught else ""

    def rest(self, now: float, *, answered: bool) -> None:
        """Take note that no turn is open any more; ``answered`` if that is because the bot has answered.

        Only then it is known to be done. One that is late may be thinking about a turn that is over.
        """
        if self.caught and not self._frozen:
            self._frozen = True
            self._process.freeze()
        elif answered and now >= self._next_look and not self.caught:
            self._since = now, self._process.cpu_time

    def excuse(self) -> None:
        """Take note that the bot is told of something that it may work on, such as the end of a match."""
        self._since = None

    def wake(self, now: float) -> None:
        """Take note that a turn is about to be sent."""
        if self._frozen:
            self.release()
        elif self._since is not None:
            (started, before), self._since = self._since, None
            used = self._process.cpu_time - before
            self._excess = max(0.0, self._excess + used - FREE_TIME - FREE_SHARE * (now - started))
            self._next_look = now + uniform(0.5, 1.5) * LOOK_TIME
            if self._excess > MOST_EXCESS:
                self.caught = True
                _log.warning("%s %s", self._label, _FINDING)

    def release(self) -> None:
        """Let the bot go on, whatever it did."""
        if self._frozen:
            self._frozen = False
            self._process.thaw()
