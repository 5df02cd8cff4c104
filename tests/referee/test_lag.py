"""The referee's lag is measured, and charged to nobody."""

import asyncio
import time

import pytest
import uvloop

from referee.lag import Lag, lag_meter
from referee.orders import MatchReport, Termination
from referee.room import play_room
from rooms import make_room


def test_quantiles_are_bounds_that_a_share_of_the_looks_stayed_within() -> None:
    lag = Lag()
    assert lag.quantile(0.99) == 0.0
    for _ in range(99):
        lag.add(0.001)
    lag.add(0.2)
    assert 0.001 <= lag.quantile(0.5) < 0.0013
    assert 0.001 <= lag.quantile(0.99) < 0.0013
    assert 0.2 <= lag.quantile(1.0) < 0.26


def test_a_blocked_loop_shows_as_lag() -> None:
    async def block() -> tuple[float, float]:
        meter = lag_meter()
        with meter.watch() as lag:
            await asyncio.sleep(0.03)
            time.sleep(0.15)  # the loop stands still
            overdue = meter.overdue(time.monotonic())
            await asyncio.sleep(0.03)
        assert meter.overdue(time.monotonic()) == 0.0
        return overdue, lag.quantile(1.0)

    overdue, worst = uvloop.run(block())
    assert 0.1 < overdue < 0.3
    assert worst > 0.1


@pytest.mark.parametrize("block_time", [0.5])
def test_a_referee_that_comes_late_charges_nobody(block_time: float) -> None:
    """The loop stands still for longer than the move time, again and again: no strike for the innocent."""
    reports: list[MatchReport] = []

    async def play() -> None:
        loop = asyncio.get_running_loop()

        def stand_still() -> None:
            time.sleep(block_time)
            loop.call_later(0.1, stand_still)

        loop.call_later(0.2, stand_still)
        await play_room(make_room(boards=10, move_time=0.3), reports.append)

    uvloop.run(play())
    assert [report.termination for report in reports] == [Termination.NORMAL] * 10
    assert [report.strikes for report in reports] == [(0, 0)] * 10
    assert max(report.lag_time for report in reports) > 0.1
