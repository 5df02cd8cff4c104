"""Bots that abuse the wire or the machine: whoever does it has the verdict, and nobody else notices."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import uvloop

from cardpit import TimeControl
from referee.orders import Board, MatchReport, Player, Room, RoomReport, Termination
from referee.room import play_room
from referee.worker import read_frame, write_frame
from rooms import BOTS, faulty, make_room
from seating import play_bots, script

T = Termination
VERDICTS = {
    "garbage": T.STARTUP,
    "preface": T.STARTUP,
    "connections": T.STARTUP,
    "compressed": T.CRASH,
    "metadata": T.PROTOCOL,
    "calls": T.PROTOCOL,
    "silent-call": T.STARTUP,
    "unread": T.PROTOCOL,
    "drip": T.TIMEOUT,
    "deaf": T.TIMEOUT,
    "huge": T.PROTOCOL,
}
"""What each bot that abuses the wire is at fault for. One that never says Hello has failed its start."""

ROOMS_AT_ONCE = 4
MOST_GROWTH = 40 * 1024
"""KiB that the referee may need more for all of them. One of them sends 100 MB, another 200 MB."""


def room_of(*players: Player, startup_time: float = 30.0, boards: int = 1) -> Room:
    """A room of Landlord with the limits of a tournament."""
    control = TimeControl(move_time=2.0, bank_time=0.0)
    room = make_room(["honest"] * len(players), boards=boards, startup_time=startup_time)
    return replace(room, players=players, conduct=replace(room.conduct, time_control=control))


def wire(name: str) -> Player:
    """A bot of ``wire.py``, or of ``faults.py``."""
    return faulty(name) if name == "huge" else script(BOTS / "wire.py", name)


class Worker:
    """A referee worker, as the coordinator has it."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "referee.worker", str(theirs.fileno())], pass_fds=(theirs.fileno(),)
            )

    async def play(self, rooms: Sequence[Room], at_once: int) -> dict[int, list[MatchReport]]:
        """Play some rooms; return the matches of each by its place."""
        reader, writer = await asyncio.open_unix_connection(sock=self._ours.dup())
        waiting = list(enumerate(rooms))
        found: dict[int, list[MatchReport]] = {key: [] for key, _ in waiting}
        running = 0
        while waiting or running:
            while waiting and running < at_once:
                write_frame(writer, ("play", *waiting.pop(0)))
                running += 1
            match await read_frame(reader):
                case ("match", key, MatchReport() as report):
                    found[key].append(report)
                case ("done", _, RoomReport()):
                    running -= 1
                case frame:
                    raise AssertionError(frame)
        writer.close()
        return found

    @property
    def peak(self) -> int:
        """The most memory that it ever had, in KiB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))

    def end(self) -> None:
        self._ours.shutdown(socket.SHUT_RDWR)
        self._ours.close()
        self.process.wait(10)


def test_whoever_abuses_the_wire_has_the_verdict_and_the_referee_stays_small() -> None:
    times = {name: 6.0 for name, termination in VERDICTS.items() if termination is T.STARTUP}

    async def play() -> None:
        honest = [room_of(faulty("honest"), faulty("honest"), boards=20)]
        await worker.play(honest, 1)
        before = worker.peak
        rooms = [room_of(wire(name), faulty("honest"), startup_time=times.get(name, 30.0)) for name in VERDICTS]
        found = await worker.play(honest + rooms, ROOMS_AT_ONCE)
        assert [(report.termination, report.strikes) for report in found[0]] == [(T.NORMAL, (0, 0))] * 20
        verdicts = {name: found[key][0].verdicts for key, name in enumerate(VERDICTS, 1)}
        assert {name: [(v.seat, v.termination) for v in seen] for name, seen in verdicts.items()} == {
            name: [(0, termination)] for name, termination in VERDICTS.items()
        }
        assert worker.peak - before < MOST_GROWTH

    worker = Worker()
    try:
        asyncio.run(asyncio.wait_for(play(), 120))
    finally:
        worker.end()


def test_a_full_machine_and_a_bot_that_burns_it_cost_the_innocent_no_strike() -> None:
    async def play() -> None:
        innocent = room_of(faulty("honest"), faulty("honest"), boards=2)
        innocent = replace(innocent, conduct=replace(innocent.conduct, time_control=TimeControl()))
        burner = replace(innocent, players=(script(BOTS / "hogs.py", "burner"), faulty("honest")))
        rooms = [burner] + [innocent] * 4 * len(os.sched_getaffinity(0))
        for reports in (await worker.play(rooms, len(rooms))).values():
            assert [(report.termination, report.strikes) for report in reports] == [(T.NORMAL, (0, 0))] * 2

    worker = Worker()
    try:
        asyncio.run(asyncio.wait_for(play(), 120))
    finally:
        worker.end()


def test_a_bot_that_does_not_end_at_farewell_is_ended() -> None:
    (report,), done = play_bots([wire("lingering"), faulty("honest")])
    assert report.termination is T.NORMAL
    assert done.logs[0] == ""


@pytest.mark.parametrize("game", ["landlord", "speed"])
def test_neither_the_seed_nor_the_numbers_of_board_and_room_are_in_any_message(game: str) -> None:
    room = room_of(wire("listening"), wire("listening"))
    conduct = replace(room.conduct, log_size=1 << 24)
    room = replace(room, game=game, parameters=make_room(game=game).parameters, conduct=conduct)
    seed = room.boards[0].seed
    elsewhere = replace(room, tournament="cup", pool=3, pairing=70_001, room=1, boards=(Board(90_001, seed),))
    here, there = (uvloop.run(asyncio.wait_for(play_room(one, lambda _: None), 60)).logs for one in (room, elsewhere))
    assert here == there
    for told in here:
        assert len(told.splitlines()) > 10
        assert seed not in bytes.fromhex(told.replace("\n", ""))
