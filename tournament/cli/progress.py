"""How a run goes on, on stderr: live on a terminal, as lines elsewhere."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from referee.orders import MatchReport
from tournament.errors import StoreLost
from tournament.run.coordinator import Watcher
from tournament.run.sittings import Sitting
from tournament.sequential import SequentialTest, test_line
from tournament.store.tournaments import StoredPool

LINE_TIME = 5.0
"""Seconds between two lines where there is no terminal."""

TABLE_TIME = 2.0
"""Seconds between two live tables at least; twenty times as long as one takes, if that is more."""

RATE_MATCHES = 200
"""The rate is that of the last so many matches."""


class Progress(Watcher, Protocol):
    """Shows how a run goes on."""

    def say(self, message: str) -> None:
        """Say something that stays on the screen."""

    @asynccontextmanager
    def showing(self) -> AsyncIterator[None]:
        """Show it while the run goes on."""


class Count:
    """What has been played, and what went wrong."""

    def __init__(self, done: int, total: int) -> None:
        self.done = done
        self.total = total
        self.faults: Counter[tuple[str, str]] = Counter()
        """By bot and termination."""
        self.failed_rooms = 0
        self._ends: deque[float] = deque([time.monotonic()], maxlen=RATE_MATCHES)

    def add(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        """Count a match."""
        self.done += 1
        self._ends.append(time.monotonic())
        for verdict in report.verdicts:
            self.faults[pool.labels[entrants[verdict.seat]], verdict.termination.value] += 1

    @property
    def rate(self) -> float:
        """Matches a second, lately."""
        span = time.monotonic() - self._ends[0]
        return (len(self._ends) - 1) / span if span > 0 else 0.0

    @property
    def remaining(self) -> str:
        """How long it will take at this rate."""
        if not self.rate:
            return "?"
        seconds = round((self.total - self.done) / self.rate)
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"

    @property
    def summary(self) -> str:
        """Return the numbers as one line."""
        text = f"{self.done}/{self.total} matches · {self.rate:.1f}/s · {self.remaining} left"
        if self.faults:
            text += f" · {self.faults.total()} faults"
        if self.failed_rooms:
            text += f" · {self.failed_rooms} failures of the platform"
        return text


class Silence:
    """Shows nothing but what must be said."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        """Take no note of it."""

    def room_failed(self, pool: StoredPool, sitting: Sitting, detail: str, last: bool) -> None:
        """Say it."""
        again = "given up for this run" if last else "tried again"
        self.say(f"{pool.game}, pairing {sitting.pairing}, room {sitting.room}: the platform failed: {detail}: {again}")

    def bot_benched(self, pool: StoredPool, entrant: int, planned: int) -> None:
        """Say it."""
        self.say(f"{pool.game}: {pool.labels[entrant]} is benched: its other matches are not played")

    def test_ended(self, pool: StoredPool, test: SequentialTest, planned: int) -> None:
        """Say it."""
        self.say(f"{pool.game}: {test_line(test, pool)}")

    def say(self, message: str) -> None:
        """Say something."""
        self._console.print(message, markup=False)

    @asynccontextmanager
    async def showing(self) -> AsyncIterator[None]:
        """Show nothing."""
        yield


class Counting(Silence):
    """Keeps count of what it says."""

    def __init__(self, console: Console, count: Count) -> None:
        super().__init__(console)
        self._count = count

    def room_failed(self, pool: StoredPool, sitting: Sitting, detail: str, last: bool) -> None:
        """Count it and say it."""
        self._count.failed_rooms += 1
        super().room_failed(pool, sitting, detail, last)

    def bot_benched(self, pool: StoredPool, entrant: int, planned: int) -> None:
        """Count it and say it."""
        self._count.total = planned
        super().bot_benched(pool, entrant, planned)

    def test_ended(self, pool: StoredPool, test: SequentialTest, planned: int) -> None:
        """Count it and say it."""
        self._count.total = planned
        super().test_ended(pool, test, planned)

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        """Count it."""
        self._count.add(pool, report, entrants)


class Lines(Counting):
    """Prints a line now and then."""

    def __init__(self, console: Console, count: Count) -> None:
        super().__init__(console, count)
        self._next = time.monotonic() + LINE_TIME

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        """Count it, and print a line if it is time."""
        super().match_ended(pool, report, entrants)
        for verdict in report.verdicts:
            label = pool.labels[entrants[verdict.seat]]
            self.say(f"{pool.game}: {label} at fault: {verdict.termination.value}: {verdict.detail}")
        if time.monotonic() >= self._next or self._count.done == self._count.total:
            self._next = time.monotonic() + LINE_TIME
            self.say(self._count.summary)


class LiveView(Counting):
    """Shows a bar, the table of the moment and the faults."""

    def __init__(self, console: Console, count: Count, table: Callable[[], list[Text]]) -> None:
        super().__init__(console, count)
        self._table = table
        self._lines: list[Text] = []
        self._changed = False

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        """Count it."""
        super().match_ended(pool, report, entrants)
        self._changed = True

    @asynccontextmanager
    async def showing(self) -> AsyncIterator[None]:
        """Show it until the run ends."""
        with Live(get_renderable=self._view, console=self._console, refresh_per_second=4, transient=True):
            updating = asyncio.create_task(self._update())
            try:
                yield
            finally:
                updating.cancel()
                with suppress(asyncio.CancelledError):
                    await updating

    async def _update(self) -> None:
        while True:
            took = 0.0
            if self._changed:
                self._changed = False
                started = time.monotonic()
                # While the database is lost, the last table stays.
                with suppress(StoreLost):
                    self._lines = await asyncio.to_thread(self._table)
                took = time.monotonic() - started
            await asyncio.sleep(max(TABLE_TIME, 20 * took))

    def _view(self) -> RenderableType:
        count = self._count
        bar = Table.grid(padding=(0, 1))
        bar.add_row(ProgressBar(count.total, count.done, width=30), Text(count.summary))
        faults = [f"{bot}: {number} x {why}" for (bot, why), number in count.faults.most_common(6)]
        below = [Text(" · ".join(faults), "red", overflow="ellipsis", no_wrap=True)] if faults else []
        lines = [Text.assemble(line, overflow="ellipsis", no_wrap=True) for line in self._lines]
        return Group(*lines, bar, *below)
