"""A bot that thinks between its turns is stopped then; one that rests notices nothing."""

import time
from typing import NamedTuple

import pytest

from cardpit.v1 import referee_pb2 as pb
from referee.orders import MatchReport, Termination
from referee.record import parse
from referee.sandbox import bot_process
from referee.seats import grpc
from referee.seats.restraint import Restraint
from rooms import BOTS, Hosted
from seating import play_bots, script

PONDERER, DELIBERATE = (script(BOTS / "thinkers.py", name) for name in ("ponderer", "deliberate"))
HONEST = script(BOTS / "faults.py", "honest")


@pytest.fixture(params=["control groups", "none"])
def groups(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play with and without control groups, where some can be made."""
    if request.param == "none":
        monkeypatch.setattr(bot_process, "find_tree", lambda: "none for this test")


def pondered(done: Hosted) -> list[float]:
    """How many CPU seconds the ponderer in seat 0 says it used before each of its turns but a match's first."""
    return [float(line.split()[1]) for line in done[1].logs[0].splitlines() if line.startswith("pondered")]


def actions(report: MatchReport) -> list[list[str]]:
    return [[action.action for action in step.actions] for step in parse(report.record).steps]


class Stretch(NamedTuple):
    """A time between two turns of the ponderer, in seconds."""

    wall_time: float
    cpu_time: float
    caught: bool


@pytest.fixture
def stretches(monkeypatch: pytest.MonkeyPatch) -> list[Stretch]:
    """What the ponderer uses of the processor between its turns, by the counters of its processes."""
    found: list[Stretch] = []

    class Measured(Restraint):
        since: tuple[float, float] | None = None

        def rest(self, now: float, *, answered: bool) -> None:
            super().rest(now, answered=answered)
            if self.since is None:
                self.since = time.monotonic(), self._process.cpu_time

        def wake(self, now: float) -> None:
            if self.since is not None and self._label == "ponderer":
                started, before = self.since
                found.append(Stretch(time.monotonic() - started, self._process.cpu_time - before, self.caught))
            self.since = None
            super().wake(now)

    monkeypatch.setattr(grpc, "Restraint", Measured)
    return found


@pytest.fixture(scope="module")
def allowed() -> Hosted:
    """A match in which bots may think between their turns."""
    return play_bots([PONDERER, DELIBERATE], move_time=2.0, ponder=True)


def test_a_bot_that_thinks_between_its_turns_is_stopped_from_then_on(
    groups: None, allowed: Hosted, stretches: list[Stretch]
) -> None:
    held = play_bots([PONDERER, DELIBERATE], move_time=2.0, boards=2)
    assert max(pondered(allowed)) > 0.04
    assert max(stretch.cpu_time for stretch in stretches if not stretch.caught) > 0.04
    still = [stretch for stretch in stretches if stretch.caught]
    assert len(still) > 5
    assert sum(stretch.cpu_time for stretch in still) < 0.05 * sum(stretch.wall_time for stretch in still)
    assert held[1].logs[0].count("[the referee: the bot thinks between its turns") == 1
    assert "the referee" not in held[1].logs[1] + allowed[1].logs[0]
    assert [report.termination for report in held[0]] == [Termination.NORMAL] * 2
    assert [report.strikes for report in held[0]] == [(0, 0)] * 2
    assert actions(held[0][0]) == actions(allowed[0][0])


def test_bots_that_rest_between_their_turns_are_left_alone() -> None:
    _, done = play_bots([HONEST, DELIBERATE], move_time=2.0)
    assert done.logs == ("", "")


@pytest.mark.parametrize(
    "options", [{"game": "speed", "max_strikes": 50}, {"tables": 2, "boards": 4}, {"restart": "match", "boards": 2}]
)
def test_a_bot_that_is_stopped_now_and_then_plays_every_match_to_its_end(options: dict[str, object]) -> None:
    slow = script(BOTS / "faults.py", "hesitate")
    reports, _ = play_bots([PONDERER, slow], None, move_time=2.0, bank_time=20.0, **options)
    assert {report.termination for report in reports} == {Termination.NORMAL}
    assert {report.strikes for report in reports} == {(0, 0)}
    substituted = {a.substituted for r in reports for step in parse(r.record).steps for a in step.actions}
    assert substituted == {pb.SUBSTITUTION_REASON_UNSPECIFIED}


def test_a_bot_that_is_stopped_is_ended_with_its_room(groups: None) -> None:
    players = [script(BOTS / "thinkers.py", "deaf"), DELIBERATE]
    (report,), done = play_bots(players, move_time=2.0)
    assert report.termination is Termination.NORMAL
    assert pondered(([report], done))
