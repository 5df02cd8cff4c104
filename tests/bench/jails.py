"""What a jail costs: the start of a Python bot to its Hello beside the bare process, and a decision."""

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import grpc
import uvloop
from figures import Figure
from transport import FIRST, cost_of_room

from cardpit.v1 import referee_pb2 as pb
from referee.orders import Conduct
from referee.sandbox import JAILS, BotProcess, Launch, Scratch, find_jail
from referee.seats.stream import SERVER_OPTIONS, Stream
from referee.seats.zygote import Zygote

ROUNDS = 31
BARE = "bare"
"""A process without a jail, and without a warden."""


@asynccontextmanager
async def listening(scratch: Scratch) -> AsyncIterator[Stream]:
    """Serve one bot on its socket."""
    stream = Stream("a token", frozenset({"landlord"}), 1)
    server = grpc.aio.server(options=SERVER_OPTIONS)
    server.add_generic_rpc_handlers((stream.handler,))
    server.add_insecure_port(f"unix:{scratch.socket}")
    await server.start()
    try:
        yield stream
    finally:
        await server.stop(None)


async def start(jail: str) -> tuple[float, float]:
    """Start a bot; return the wall clock time to its Hello, and the CPU time of all processes of its short life."""
    scratch = Scratch()
    environment = {
        "CARDPIT_ADDRESS": f"unix:{scratch.socket}",
        "CARDPIT_TOKEN": "a token",
        "PATH": os.environ["PATH"],
        "HOME": str(scratch.home),
    }
    command = (sys.executable, *FIRST.command[1:])
    inside, before = 0.0, _children_cpu_time()
    async with listening(scratch) as stream:
        started = time.perf_counter()
        if jail == BARE:
            bare = subprocess.Popen(command, cwd=FIRST.folder, env=environment, stdin=subprocess.DEVNULL)
            await asyncio.wait_for(stream.hello, 30)
            passed = time.perf_counter() - started
            bare.kill()
            bare.wait()
            scratch.remove()
        else:
            launch = Launch(command, FIRST.folder, environment, scratch)
            process = BotProcess(find_jail(jail).confine(launch), scratch, 1024)
            await asyncio.wait_for(stream.hello, 30)
            passed = time.perf_counter() - started
            if jail == "bubblewrap" and process.group is not None:
                # The kernel does not count it for those that wait for bubblewrap.
                inside = process.group.cpu_time or 0.0
            await process.kill()
    return passed, _children_cpu_time() - before + inside


async def fork(jail: str, rounds: int) -> list[tuple[float, float]]:
    """Have a zygote fork a bot again and again; return the same for each. A life ends by Farewell here."""
    zygote = Zygote(FIRST, Conduct(jail=jail))
    times = []
    try:
        assert await zygote.start()
        for number in range(rounds):
            stream = Stream(str(number), frozenset({"landlord"}), 1)
            started = time.perf_counter()
            process = zygote.fork(stream)
            before = process.cpu_time
            await asyncio.wait_for(stream.hello, 30)
            passed = time.perf_counter() - started
            stream.send(pb.PlayResponse(farewell=pb.Farewell()))
            await asyncio.wait_for(process.exit_status, 30)
            times.append((passed, process.cpu_time - before))
            await process.kill()
    finally:
        await zygote.end()
    return times


def _children_cpu_time() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure() -> Iterator[Figure]:
    """Yield the figures: the fastest of many starts, each kind in turns, for whatever else runs only adds to them."""
    jails = [name for name, jail in JAILS.items() if not jail.refused() and name != "none"]
    starts: dict[str, list[tuple[float, float]]] = {name: [] for name in (BARE, *jails)}
    for number in range(ROUNDS + 1):
        for name, times in starts.items():
            both = uvloop.run(start(name))
            if number:
                times.append(both)
    bare = min(wall for wall, _ in starts[BARE])
    beside = f"bare {bare * 1e3:.0f} ms; the bar is 1.2 x that + 20 ms"
    for name in jails:
        fastest = min(wall for wall, _ in starts[name])
        yield Figure(f"start to Hello, {name}", fastest * 1e3, "ms", (1.2 * bare + 0.020) * 1e3, True, beside)
    bare_cpu = statistics.median(cpu for _, cpu in starts[BARE])
    for name in jails:
        cpu = statistics.median(cpu for _, cpu in starts[name])
        yield Figure(f"CPU of a start, {name}", cpu * 1e3, "ms", None, True, f"bare {bare_cpu * 1e3:.0f} ms; medians")
    for name in jails:
        forks = uvloop.run(fork(name, ROUNDS + 1))[1:]
        fastest = min(wall for wall, _ in forks)
        yield Figure(f"fork to Hello, {name}", fastest * 1e3, "ms", None, True, f"bare start {bare * 1e3:.0f} ms")
        cpu = statistics.median(cpu for _, cpu in forks)
        beside = f"bare start {bare_cpu * 1e3:.0f} ms; medians"
        yield Figure(f"CPU of a fork, {name}", cpu * 1e3, "ms", 30.0, True, beside)
    trips: dict[str, list[float]] = {name: [] for name in ("none", *jails)}
    for _ in range(3):
        for name, medians in trips.items():
            medians.append(statistics.median(cost_of_room(60, jail=name).round_trips))
    free = min(trips["none"])
    for name in jails:
        trip = min(trips[name])
        beside = f"{trip * 1e6:.0f} µs; without a jail {free * 1e6:.0f} µs"
        yield Figure(f"round trip of a decision, {name}", trip / free, "x", 1.2, True, beside)
