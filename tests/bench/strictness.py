"""How strict the referee is and what it costs to hold matches: deadlines, memory, rooms at once, many bots."""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import uvloop
from figures import Figure, cpu_time
from rivals import KAGGLE, kaggle_match
from transport import First, cost_of_room, room

from cardpit import TimeControl
from cardpit.v1 import record_pb2
from referee.match import Match
from referee.orders import MatchReport, Player, Room, RoomReport
from referee.room import play_room
from referee.seats.inprocess import InProcessSeat
from tournament.bundle import copy_bundle, read_bundle
from tournament.home import Home
from tournament.request import Request, settle
from tournament.run.coordinator import Coordinator
from tournament.run.local import LocalExecutor
from tournament.run.sittings import Sitting
from tournament.sequential import SequentialTest
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.tournaments import StoredPool, add_tournament

ROOT = Path(__file__).parents[2]
FAULTS = ROOT / "tests" / "bots"
LIMIT = 0.03
"""Seconds that a decision may take where deadlines are measured."""
WINDOW = 4.0
"""Seconds for which boards are counted."""
HOSTED = 10_000
"""Matches of a process like a worker."""
COUNTED = 3000
"""Matches that are stored where the cost of many bots is measured."""


def faulty(name: str) -> Player:
    """Return a bot that misbehaves."""
    return Player(name, 0, "", FAULTS, ("python", "faults.py", name))


def late_by() -> list[float]:
    """Return by how many seconds after its deadline each decision of a stuck bot was decided, two spinning at once."""
    found: list[float] = []

    def report(done: MatchReport) -> None:
        used = [time_used.ToNanoseconds() / 1e9 for time_used in record_pb2.Timings.FromString(done.timings).used_time]
        found.extend(seconds - LIMIT for seconds in used if seconds > LIMIT / 2)

    order = room(25)
    control = TimeControl(move_time=LIMIT, bank_time=0.0, max_strikes=10_000)
    conduct = replace(order.conduct, time_control=control, grace_time=0.0)
    uvloop.run(play_room(replace(order, players=(faulty("spin"),) * 2, conduct=conduct), report))
    return found


def bare_timer() -> list[float]:
    """Return by how much the event loop's own timer is late with as many spinning processes, and nothing else."""

    async def wait() -> list[float]:
        found = []
        for _ in range(200):
            due = time.monotonic() + LIMIT
            await asyncio.sleep(LIMIT)
            found.append(time.monotonic() - due)
        return found

    spinning = [subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) for _ in range(2)]
    try:
        return uvloop.run(wait())
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def boards_per_second(rooms: int) -> float:
    """Return how fast boards end while so many rooms are played at once, each by two bot processes."""

    async def play(executor: LocalExecutor, number: int) -> None:
        async for _ in executor.play(room(5000)):
            ended[number] += 1

    async def play_all() -> float:
        executor = LocalExecutor(rooms)
        playing = [asyncio.create_task(play(executor, number)) for number in range(rooms)]
        while not all(ended):
            await asyncio.sleep(0.05)
        started, before = time.perf_counter(), sum(ended)
        await asyncio.sleep(WINDOW)
        rate = (sum(ended) - before) / (time.perf_counter() - started)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await executor.close()
        return rate

    ended = [0] * rooms
    return asyncio.run(play_all())


class CannedExecutor:
    """Reports the same match for every board at once, so that only the coordinator works."""

    capacity = 4

    def __init__(self, report: MatchReport) -> None:
        self._report = report

    async def start(self) -> None:
        """Do nothing."""

    async def play(self, order: Room) -> AsyncIterator[MatchReport | RoomReport]:
        """Yield a report for every board."""
        for board in order.boards:
            await asyncio.sleep(0)
            yield replace(self._report, pairing=order.pairing, board=board.number, room=order.room)

    async def close(self) -> None:
        """Do nothing."""


class Stopwatch:
    """Ends a run after some matches, and knows what they cost."""

    def __init__(self) -> None:
        self.matches = 0
        self.started = self.cost = 0.0
        self.coordinator: Coordinator | None = None

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        """Count."""
        self.matches += 1
        if self.matches == 1:
            self.started = cpu_time()
        if self.matches == COUNTED and self.coordinator is not None:
            self.cost = (cpu_time() - self.started) / (COUNTED - 1)
            self.coordinator.drain()

    def room_failed(self, pool: StoredPool, sitting: Sitting, detail: str, last: bool) -> None:
        """Do nothing."""

    def bot_benched(self, pool: StoredPool, entrant: int, planned: int) -> None:
        """Do nothing."""

    def test_ended(self, pool: StoredPool, test: SequentialTest, planned: int) -> None:
        """Do nothing."""


def cost_of_match(bots: int, report: MatchReport) -> float:
    """Return what the coordinator pays for a match, in CPU seconds, where so many bots take part."""
    with tempfile.TemporaryDirectory() as folder:
        home, stopwatch = Home(Path(folder)), Stopwatch()
        with Store.create(home) as store:
            for number in range(bots):
                add_version(store, bundle := read_bundle(ROOT / "bots" / "first", f"b{number}"))
                copy_bundle(bundle, home.bundles)
            request = Request("cup", games=("landlord",), boards=40, seed=bytes(32))
            tournament = add_tournament(store, settle(request, store), bytes(32))
            coordinator = stopwatch.coordinator = Coordinator(
                home, store, tournament, CannedExecutor(report), stopwatch
            )
            asyncio.run(coordinator.run())
    return stopwatch.cost


def one_match() -> MatchReport:
    """Play a match in this process."""
    order = room(1)
    return uvloop.run(Match(order, order.boards[0], [InProcessSeat(First), InProcessSeat(First)]).play())


def hosted() -> list[float]:
    """Return the memory of a process like a worker, in MB, after each tenth of its matches."""
    command = [sys.executable, str(Path(__file__).with_name("hosting.py")), str(HOSTED)]
    found: list[float] = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return found


def measure() -> Iterator[Figure]:
    """Yield the figures."""
    yield from beside_kaggle()
    late, bare = sorted(late_by()), sorted(bare_timer())
    beside = f"{len(late)} deadlines, two bots spinning; a bare timer {bare[int(0.99 * len(bare))] * 1e3:.2f} ms"
    yield Figure("a deadline is acted on, 99 % within", late[int(0.99 * len(late))] * 1e3, "ms", 5, True, beside)
    yield Figure("a deadline is acted on, never before", late[0] * 1e3, "ms", 0, False, "the earliest")
    memory = hosted()
    beside = f"{HOSTED:,} matches, 16 of them at once at bot processes"
    yield Figure("memory of a worker", memory[-1], "MB", 150, True, beside)
    yield Figure("memory after all matches", memory[-1] / memory[4], "x", 1.1, True, "after half of them")
    cost = cost_of_room(150)
    yield Figure(
        "matches a second beside their decisions", sum(cost.round_trips) / cost.wall_seconds, "x", 0.7, False,
        "decisions of one room, one after the other",
    )  # fmt: skip
    rates = {rooms: boards_per_second(rooms) for rooms in (1, 2, 4, 8)}
    grown = [rates[2 * rooms] / rates[rooms] for rooms in (1, 2, 4)]
    beside = ", ".join(f"{rooms}: {rate:.0f}/s" for rooms, rate in rates.items())
    yield Figure("boards a second with twice as many rooms at once", min(grown), "x", 0.9, False, beside)
    report = one_match()
    few, many = (statistics.median(cost_of_match(bots, report) for _ in range(3)) for bots in (10, 200))
    beside = f"{many * 1e6:.0f} µs; of 10 bots {few * 1e6:.0f} µs"
    yield Figure("CPU of the coordinator for a match of 200 bots", many / few, "x", 1.2, True, beside)


def beside_kaggle() -> Iterator[Figure]:
    """Yield what two faulty bots come to here and with another referee, if that can be installed."""
    theirs = kaggle_match()
    hung, imported = ("could not be installed here",) * 2
    if theirs is not None:
        hung = f"{KAGGLE}: {theirs.late_time * 1e3:.0f} ms, for it looks when the call has returned"
        imported = f"{KAGGLE}: {theirs.import_verdict} at the first move, for the import counts as its time"
    control = TimeControl(move_time=0.3, bank_time=0.0, max_strikes=100)

    def play(bot: str) -> MatchReport:
        order, reports = room(1), list[MatchReport]()
        conduct = replace(order.conduct, time_control=control)
        players = (faulty(bot), faulty("honest"))
        uvloop.run(play_room(replace(order, players=players, conduct=conduct), reports.append))
        return reports[0]

    used = record_pb2.Timings.FromString(play("late").timings).used_time
    first = next(seconds for time_used in used if (seconds := time_used.ToNanoseconds() / 1e9) > control.move_time)
    yield Figure("a bot that hangs is late by", (first - control.move_time) * 1e3, "ms", 5, True, hung)
    yield Figure("strikes of a bot that imports for 2 s", sum(play("slow-start").strikes), "", 0, True, imported)
