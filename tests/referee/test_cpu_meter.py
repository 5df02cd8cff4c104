"""On the CPU meter a decision costs what it took of the processor, whatever else the machine does."""

import asyncio
import os
import sys

import pytest

from cardpit.v1 import record_pb2
from cardpit.v1 import referee_pb2 as pb
from jailing import needs
from referee.orders import MatchReport, Termination
from referee.record import parse
from referee.sandbox import BotProcess, Launch, Scratch, bot_process, find_jail
from rooms import BOTS, HostRoom
from seating import play_bots, script

HONEST = script(BOTS / "faults.py", "honest")


@pytest.fixture(params=["control groups", "none"])
def groups(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play with and without control groups, where some can be made."""
    if request.param == "none":
        monkeypatch.setattr(bot_process, "find_tree", lambda: "none for this test")


def play(bot: str, *, meter: str = "cpu", jail: str = "process") -> MatchReport:
    players = [script(BOTS / "thinkers.py", bot), HONEST]
    (report,), _ = play_bots(players, meter=meter, jail=jail, move_time=0.3, bank_time=0.0, max_strikes=9)
    assert report.termination is Termination.NORMAL
    assert report.strikes[1] == 0
    return report


def test_a_bot_that_waits_pays_a_third_of_the_clock(groups: None) -> None:
    assert play("sleeper", meter="wall").timeouts == (1, 0)
    report = play("sleeper")
    assert report.timeouts == (0, 0)
    assert 0.5 / 3 <= report.used_times[0] < 0.5


def test_a_bot_that_computes_pays_for_it(groups: None) -> None:
    report = play("burner")
    assert report.timeouts[0] >= 1
    assert report.used_times[0] >= 0.3


@pytest.mark.parametrize("work", ["oneself", "ended child", "living child", "orphan"])
@pytest.mark.parametrize("jail", ["bubblewrap", "landlock", "process"])
def test_the_processor_time_of_all_processes_of_a_bot_is_known(groups: None, jail: str, work: str) -> None:
    needs(jail)

    async def measure() -> float:
        scratch = Scratch()
        command = (sys.executable, "burners.py", work)
        launch = Launch(command, BOTS, {"PATH": os.environ["PATH"]}, scratch)
        process = BotProcess(find_jail(jail).confine(launch), scratch, 1024)
        try:
            for _ in range(500):
                if "done" in process.log or process.exit_status.done():
                    break
                await asyncio.sleep(0.02)
            assert "done" in process.log
            return process.cpu_time
        finally:
            await process.kill()

    assert 0.2 <= asyncio.run(measure()) < 1.5


def test_a_bot_that_stands_still_is_waited_for_three_times_as_long_and_no_longer(host: HostRoom) -> None:
    (report,), _ = host("stop", "honest", meter="cpu", move_time=0.2)
    (verdict,) = report.verdicts
    assert (verdict.seat, verdict.termination) == (0, Termination.TIMEOUT)
    assert "s on the CPU meter, beyond the move time of 0.2 s" in verdict.detail
    assert 3 * 0.2 <= report.used_times[0] < 3 * 0.2 + 0.6


def test_the_record_says_what_was_charged() -> None:
    report = play("sleeper")
    assert [control.meter for control in parse(report.record).header.time_controls] == [pb.METER_CPU] * 2
    charged = [time.ToTimedelta().total_seconds() for time in record_pb2.Timings.FromString(report.timings).used_time]
    assert sum(charged) == pytest.approx(sum(report.used_times), abs=1e-4)
    assert max(charged) < 0.5
