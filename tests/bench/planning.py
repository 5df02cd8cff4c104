"""What happens around the matches: ratings from the boards, and the schedule."""

import statistics
import time
from collections.abc import Callable, Iterator

import numpy
from figures import Figure, cpu_time

from tournament.ratings import Block, Boards, find_rating
from tournament.schedule import find_schedule

BOTS = 1000
ROUNDS = 3


def two_player_boards() -> Boards:
    """Return 499,500 boards: each two of 1,000 bots meet once, their skills spread like the prior."""
    rng = numpy.random.default_rng(1)
    first, second = numpy.triu_indices(BOTS, 1)
    skill = rng.normal(25, 25 / 3, BOTS)
    margin = skill[first] - skill[second] + rng.normal(0, 25 / 6 * 2**0.5, len(first))
    scores = numpy.stack([margin, -margin], axis=1).round()
    return Boards(bots=tuple(range(BOTS)), blocks=(Block.of(numpy.stack([first, second], axis=1), scores),))


def six_player_boards() -> Boards:
    """Return 10,000 boards of six out of 100 bots."""
    rng = numpy.random.default_rng(2)
    tables = rng.permuted(numpy.tile(numpy.arange(100), (10_000, 1)), axis=1)[:, :6]
    skill = rng.normal(25, 25 / 3, 100)
    scores = (skill[tables] + rng.normal(0, 25 / 6, tables.shape)).round()
    return Boards(bots=tuple(range(100)), blocks=(Block.of(tables, scores),))


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work, the median of several rounds."""
    times = []
    for _ in range(ROUNDS):
        started = cpu_time()
        work()
        times.append(cpu_time() - started)
    return statistics.median(times)


def measure() -> Iterator[Figure]:
    """Yield the figures."""
    rate = find_rating("trueskill")
    two, six = two_player_boards(), six_player_boards()
    yield Figure("rating 499,500 two-player boards of 1,000 bots", seconds(lambda: rate(two)), "s", 2, True, "CPU time")
    yield Figure("rating 10,000 six-player boards of 100 bots", seconds(lambda: rate(six)), "s", None, True, "CPU time")
    started = time.perf_counter()
    schedule = find_schedule("round-robin")(bots=BOTS, seats=2, seed=bytes(32))
    schedule.pairing(0)
    first = time.perf_counter() - started
    yield Figure(f"first pairing of {schedule.total:,}", first, "s", 0.1, True)
    started = time.perf_counter()
    pairings = sum(1 for g in range(schedule.total) if schedule.pairing(g))
    yield Figure("pairings a second", pairings / (time.perf_counter() - started), "/s")
