"""The referee's own lag: how late its event loop comes to what is due. It is measured, and charged to nobody."""

import asyncio
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from weakref import WeakKeyDictionary

BEAT_TIME = 0.01
"""Seconds between two looks at the clock."""

MEMORY_TIME = 0.005
"""Seconds for which a lag counts on: what came in meanwhile is still being read."""

MARKED_SHARE = 0.25
"""Which share of its move time the lag of a match may be before it is marked."""

_BOUNDS = tuple(0.0005 * 1.25**step for step in range(60))
"""Upper bounds of the classes of lags, in seconds: from half a millisecond to over four minutes."""


def lag_limit(move_time: float) -> float:
    """Return the lag above which a match with this move time is marked; both in seconds."""
    return MARKED_SHARE * move_time


def lag_mark(lag_time: float, limit: float) -> str:
    """Return what the mark on a match says whose lag is above its limit; both in seconds."""
    return (
        f"marked for lag: the referee itself was up to {lag_time * 1000:.0f} ms late "
        f"({limit * 1000:.0f} ms are allowed); nobody was charged for it"
    )


class Lag:
    """How late the referee was during one match: the number of looks at the clock by the lag they found."""

    def __init__(self) -> None:
        self._counts = [0] * (len(_BOUNDS) + 1)

    def add(self, lag_time: float) -> None:
        """Count one look."""
        self._counts[bisect_left(_BOUNDS, lag_time)] += 1

    def quantile(self, share: float) -> float:
        """Return a bound in seconds that this share of the looks stayed within; 0 if there was none."""
        reached = list(accumulate(self._counts))
        if reached[-1] == 0:
            return 0.0
        place = bisect_left(reached, share * reached[-1])
        return _BOUNDS[min(place, len(_BOUNDS) - 1)]


class LagMeter:
    """Looks at the clock again and again while matches are played on an event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lags: list[Lag] = []
        self._due = 0.0
        self._last_look = 0.0
        self._last_lag = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def overdue(self, now: float) -> float:
        """Return by how many seconds the loop is behind, or was a moment ago. ``now`` is on the monotonic clock."""
        if self._timer is None:
            return 0.0
        recent = self._last_lag if now - self._last_look < MEMORY_TIME else 0.0
        return max(0.0, now - self._due, recent)

    @contextmanager
    def watch(self) -> Iterator[Lag]:
        """Measure while a match is played."""
        lag = Lag()
        self._lags.append(lag)
        if self._timer is None:
            self._wait()
        try:
            yield lag
        finally:
            lag.add(self.overdue(time.monotonic()))
            self._lags.remove(lag)
            if not self._lags and self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _wait(self) -> None:
        self._due = time.monotonic() + BEAT_TIME
        self._timer = self._loop.call_later(BEAT_TIME, self._beat)

    def _beat(self) -> None:
        self._last_look = now = time.monotonic()
        self._last_lag = max(0.0, now - self._due)
        for lag in self._lags:
            lag.add(self._last_lag)
        self._wait()


_meters: "WeakKeyDictionary[asyncio.AbstractEventLoop, LagMeter]" = WeakKeyDictionary()


def lag_meter() -> LagMeter:
    """Return the meter of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _meters:
        _meters[loop] = LagMeter(loop)
    return _meters[loop]
