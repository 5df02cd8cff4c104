"""The ``local`` executor: referee workers on this machine, as many rooms at once as there are jobs."""

import asyncio
import itertools
import logging
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator

from referee.orders import MatchReport, Room, RoomReport
from referee.worker import Frame, read_frame, write_frame
from tournament.errors import BadConfiguration
from tournament.run.executor import RoomFailed

_log = logging.getLogger(__name__)

ROOMS_PER_WORKER = 4
"""One event loop serves so many rooms without delaying any."""
CLOSE_TIME = 10.0
"""Seconds that a worker may take to end its bots before it is killed; the bots' wardens then do the rest."""


class _WorkerProcess:
    """The coordinator's end of one referee worker."""

    def __init__(self) -> None:
        self.rooms: dict[int, asyncio.Queue[Frame | None]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._reading: asyncio.Task[None] | None = None

    @property
    def alive(self) -> bool:
        return self._reading is not None and not self._reading.done()

    async def start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "referee.worker", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                # gRPC's own library would write a line for every bot that abuses the wire.
                env={"GRPC_VERBOSITY": "NONE", **os.environ},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        reader, self._writer = await asyncio.open_unix_connection(sock=ours)
        self._reading = asyncio.create_task(self._read(reader))

    def send(self, frame: Frame) -> None:
        if self._writer is not None and self.alive:
            write_frame(self._writer, frame)

    async def close(self) -> None:
        if self._process is None or self._writer is None or self._reading is None:
            return
        self._writer.close()
        waiting = asyncio.get_running_loop().run_in_executor(None, self._process.wait)
        done, _ = await asyncio.wait({waiting}, timeout=CLOSE_TIME)
        if not done:
            self._process.kill()
            await waiting
        self._reading.cancel()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while (frame := await read_frame(reader)) is not None:
                if queue := self.rooms.get(frame[1]):
                    queue.put_nowait(frame)
        finally:
            for queue in self.rooms.values():
                queue.put_nowait(None)


class LocalExecutor:
    """Plays rooms in worker processes. A worker that dies takes only its own rooms along, and is replaced."""

    def __init__(self, jobs: int | None = None, address: str | None = None) -> None:
        if address is not None:
            raise BadConfiguration(f"--address {address}: it is for an --executor on other machines, not for local")
        self.capacity = jobs or len(os.sched_getaffinity(0))
        self._workers: list[_WorkerProcess] = []
        self._keys = itertools.count(1)
        self._choosing = asyncio.Lock()

    async def start(self) -> None:
        """Do nothing: a worker is started when the first room needs it."""

    async def play(self, room: Room) -> AsyncIterator[MatchReport | RoomReport]:
        """Play a room: the reports of its matches as they end, then the room's. Raises :class:`RoomFailed`."""
        worker, key = await self._worker(), next(self._keys)
        queue = worker.rooms[key] = asyncio.Queue()
        worker.send(("play", key, room))
        try:
            while True:
                match await queue.get():
                    case ("match", _, MatchReport() as report):
                        yield report
                    case ("done", _, RoomReport() as report):
                        yield report
                        return
                    case ("failed", _, text):
                        raise RoomFailed(str(text))
                    case None:
                        raise RoomFailed("its referee worker died")
        finally:
            del worker.rooms[key]
            worker.send(("stop", key, None))

    async def close(self) -> None:
        """End all workers and all their bots."""
        workers, self._workers = self._workers, []
        await asyncio.gather(*(worker.close() for worker in workers))

    async def _worker(self) -> _WorkerProcess:
        """Return the worker with the fewest rooms, or a new one."""
        async with self._choosing:
            dead = [worker for worker in self._workers if not worker.alive]
            for worker in dead:
                _log.error("a referee worker died")
                self._workers.remove(worker)
                await worker.close()
            free = [worker for worker in self._workers if len(worker.rooms) < ROOMS_PER_WORKER]
            if free:
                return min(free, key=lambda worker: len(worker.rooms))
            worker = _WorkerProcess()
            await worker.start()
            self._workers.append(worker)
            return worker
