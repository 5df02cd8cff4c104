"""What a jail costs: the start of a Python bot to its Hello beside the bare process, and a decision."""

import asyncio
import os
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

from referee.sandbox import JAILS, BotProcess, Launch, Scratch, find_jail
from referee.seats.stream import SERVER_OPTIONS, Stream

ROUNDS = 21
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


async def seconds_to_hello(jail: str) -> float:
    """Return the wall clock time from a bot's start to its Hello."""
    scratch = Scratch()
    environment = {
        "CARDPIT_ADDRESS": f"unix:{scratch.socket}",
        "CARDPIT_TOKEN": "a token",
        "PATH": os.environ["PATH"],
        "HOME": str(scratch.home),
    }
    command = (sys.executable, *FIRST.command[1:])
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
            await process.kill()
    return passed


def measure() -> Iterator[Figure]:
    """Yield the figures: the fastest of many starts, each kind in turns, for whatever else runs only adds to them."""
    jails = [name for name, jail in JAILS.items() if not jail.refused()]
    starts: dict[str, list[float]] = {name: [] for name in (BARE, *jails)}
    for number in range(ROUNDS + 1):
        for name, times in starts.items():
            passed = uvloop.run(seconds_to_hello(name))
            if number:
                times.append(passed)
    bare = min(starts[BARE])
    bar = 1.2 * bare + 0.020
    for name in jails:
        start = min(starts[name])
        beside = f"bare {bare * 1e3:.0f} ms; the bar is 1.2 x that + 20 ms"
        yield Figure(f"start to Hello, jail {name}", start * 1e3, "ms", bar * 1e3, True, beside)
    trips: dict[str, list[float]] = {name: [] for name in jails}
    for _ in range(3):
        for name, times in trips.items():
            times.append(statistics.median(cost_of_room(60, jail=name).round_trips))
    free = statistics.median(trips["none"])
    for name in (name for name in jails if name != "none"):
        trip = statistics.median(trips[name])
        beside = f"{trip * 1e6:.0f} µs; without a jail {free * 1e6:.0f} µs"
        yield Figure(f"round trip of a decision, jail {name}", trip / free, "x", 1.2, True, beside)
