"""Hints: what a search would do in a person's place."""

import asyncio

from cardpit import Table, Turn
from cardpit.search import Budget, Finding, Searcher

THINKING_TIME = 1.0
"""Seconds that are spent on a hint."""


class Adviser:
    """Thinks for one seat when it is asked to. Until then it costs nothing."""

    def __init__(self, table: Table) -> None:
        self._searcher = Searcher(table, budget=Budget(seconds=THINKING_TIME))
        self._turns: list[Turn] = []
        """Those that the searcher has not seen yet."""
        self._asking = asyncio.Lock()
        self._last: tuple[int, Finding] | None = None

    def watch(self, turn: Turn) -> None:
        """Take note of a turn. Each must be shown, in order."""
        self._turns.append(turn)

    async def advise(self) -> str:
        """Return what to do at the last turn, and how sure that is, as one line."""
        async with self._asking:
            if self._turns:
                turns, self._turns = self._turns, []
                finding = await asyncio.to_thread(self._consider, turns)
                self._last = turns[-1].number, finding
        if self._last is None:
            return "it is not your turn yet"
        number, finding = self._last
        if not finding.estimates:
            return f"turn {number}: {finding.action}: there is nothing else"
        best = ", ".join(f"{estimate.action} ({estimate.value:+.2f})" for estimate in finding.estimates[:3])
        return f"turn {number}: {finding.action}; the search has tried: {best}"

    def _consider(self, turns: list[Turn]) -> Finding:
        for turn in turns[:-1]:
            self._searcher.tracker.see(turn)
        return self._searcher.consider(turns[-1])
