"""What a decision costs over gRPC: the referee beside a bare ping-pong of the same bytes, in turns."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pingpong
import uvloop
from figures import Figure, cpu_time

from cardpit import Bot, TimeControl, Turn
from cardpit.games import find_game
from cardpit.games.seeds import board_seed
from cardpit.v1 import record_pb2 as pb
from referee.match import Match
from referee.orders import Board, Conduct, MatchReport, Player, Room
from referee.room import play_room
from referee.seats.inprocess import InProcessSeat

FIRST = Player("first", 0, "", Path(__file__).parents[2] / "bots" / "first", ("python", "bot.py"))
PING_SIZE, PONG_SIZE = 430, 10
"""Bytes of a mean turn of Landlord, and of an answer to it."""


def room(boards: int, tables: int = 1, game: str = "landlord", jail: str = "process") -> Room:
    """Return a room of two bots that play the first legal action."""
    rules = find_game(game)
    return Room(
        tournament="",
        pool=0,
        game=game,
        parameters=rules.settle(None),
        pairing=0,
        room=0,
        players=(FIRST,) * rules.min_seats,
        boards=tuple(Board(k, board_seed(bytes(32), game, k)) for k in range(boards)),
        conduct=Conduct(time_control=TimeControl(max_strikes=1000), tables=tables, jail=jail),
    )


@dataclass
class Cost:
    """What the decisions of a room cost, once it is warm."""

    round_trips: list[float] = field(default_factory=list)
    """Seconds, one a decision."""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    decisions: int = 0

    @property
    def cpu_microseconds(self) -> float:
        """CPU time of the referee for one decision."""
        return self.cpu_seconds / self.decisions * 1e6


def cost_of_room(boards: int, tables: int = 1, game: str = "landlord", jail: str = "process") -> Cost:
    """Play a room and count from its second quarter to where its tables begin to empty."""
    first, last = max(boards // 4, tables), boards - tables
    cost, reports = Cost(), count(1)

    def report(done: MatchReport) -> None:
        number = next(reports)
        if first < number <= last:
            cost.decisions += done.decisions
            timings = pb.Timings.FromString(done.timings)
            cost.round_trips += [time_used.ToNanoseconds() / 1e9 for time_used in timings.used_time]
        if number in (first, last):
            sign = -1 if number == first else 1
            cost.cpu_seconds += sign * cpu_time()
            cost.wall_seconds += sign * time.perf_counter()

    uvloop.run(play_room(room(boards, tables, game, jail), report))
    return cost


class First(Bot):
    """Plays the first legal action, in this process."""

    def act(self, turn: Turn) -> int:
        return 0


def decisions_per_second_in_process(boards: int) -> float:
    """Return how many decisions bots in this process make in a second, wall clock."""

    async def play(order: Room) -> int:
        matches = [Match(order, board, [InProcessSeat(First), InProcessSeat(First)]) for board in order.boards]
        return sum([(await match.play()).decisions for match in matches])

    uvloop.run(play(room(50)))
    started = time.perf_counter()
    return uvloop.run(play(room(boards))) / (time.perf_counter() - started)


def measure() -> Iterator[Figure]:
    """Yield the figures, the median of several rounds in turns."""
    pings, singles, many, ticks = [], [], [], []
    for _ in range(5):
        pings.append(pingpong.measure(bytes(PING_SIZE), bytes(PONG_SIZE), 2000))
        singles.append(cost_of_room(100))
        many.append(cost_of_room(400, tables=64))
        ticks.append(cost_of_room(60, game="speed"))
    ping = statistics.median(statistics.median(times) for times, _ in pings)
    ping_cpu = statistics.median(cpu / len(times) * 1e6 for times, cpu in pings)
    trip = statistics.median(statistics.median(cost.round_trips) for cost in singles)
    cpu = statistics.median(cost.cpu_microseconds for cost in singles)
    many_cpu = statistics.median(cost.cpu_microseconds for cost in many)
    rate = statistics.median(cost.decisions / cost.wall_seconds for cost in singles)
    beside = f"{trip * 1e6:.0f} µs; bare {ping * 1e6:.0f} µs"
    yield Figure("round trip of a decision, median", trip / ping, "x", 1.3, True, beside)
    beside = f"{cpu:.0f} µs; bare {ping_cpu:.0f} µs"
    yield Figure("referee CPU of a decision", cpu / ping_cpu, "x", 1.5, True, beside)
    beside = f"{many_cpu / ping_cpu:.2f} x bare"
    yield Figure("referee CPU of a decision, 64 tables at once", many_cpu, "µs", 40, True, beside)
    inside = decisions_per_second_in_process(300)
    yield Figure("decisions/s of seats in process", inside / rate, "x", 10, False, f"{inside:,.0f}; gRPC {rate:,.0f}")
    tick_cpu = statistics.median(cost.cpu_microseconds for cost in ticks) * 2
    beside = f"{tick_cpu:.0f} µs; a decision {cpu:.0f} µs"
    yield Figure("referee CPU of a lockstep tick, two seats", tick_cpu / cpu, "x", 1.3, True, beside)
