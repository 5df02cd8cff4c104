"""A referee worker: a process of its own that plays several rooms at once, told so over a socket.

Frames go both ways: 4 bytes of length, big end first, then a pickled tuple. In: ``("play", key, room)`` and
``("stop", key)``. Out: ``("match", key, report)``, ``("done", key, report)`` and ``("failed", key, text)``. At the end
of the socket, by the coordinator's will or by its death, the worker ends all bots and then itself.
"""

import asyncio
import logging
import pickle
import resource
import signal
import socket
import struct
import sys
from functools import partial

import uvloop

from referee.orders import MatchReport, Room
from referee.room import play_room

_log = logging.getLogger(__name__)

_LENGTH = struct.Struct(">I")

Frame = tuple[str, int, object]


async def read_frame(reader: asyncio.StreamReader) -> Frame | None:
    """Return the next frame, or None at the end of the socket."""
    try:
        (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
        frame: Frame = pickle.loads(await reader.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return frame


def write_frame(writer: asyncio.StreamWriter, frame: Frame) -> None:
    """Queue a frame."""
    data = pickle.dumps(frame)
    writer.write(_LENGTH.pack(len(data)) + data)


class Worker:
    """Plays what it is told to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._rooms: dict[int, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Work until the socket ends."""
        while (frame := await read_frame(self._reader)) is not None:
            match frame:
                case ("play", key, Room() as room):
                    self._rooms[key] = asyncio.create_task(self._play(key, room))
                case ("stop", key, _) if key in self._rooms:
                    self._rooms[key].cancel()
                case (word, _, _):
                    _log.debug("nothing to do for %s", word)
        await self.stop()

    async def stop(self) -> None:
        """End all rooms and their bots."""
        rooms = list(self._rooms.values())
        for room in rooms:
            room.cancel()
        await asyncio.gather(*rooms, return_exceptions=True)

    async def _play(self, key: int, room: Room) -> None:
        report = partial(self._report, key)
        try:
            done = await play_room(room, report)
        except Exception as error:  # noqa: BLE001 - the room fails, the worker goes on
            _log.exception("room %d of pairing %d failed", room.room, room.pairing)
            write_frame(self._writer, ("failed", key, f"{type(error).__name__}: {error}"))
        else:
            write_frame(self._writer, ("done", key, done))
        finally:
            del self._rooms[key]

    def _report(self, key: int, report: MatchReport) -> None:
        write_frame(self._writer, ("match", key, report))


async def _main(descriptor: int) -> None:
    reader, writer = await asyncio.open_unix_connection(sock=socket.socket(fileno=descriptor))
    worker = Worker(reader, writer)
    serving = asyncio.create_task(worker.serve())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
    try:
        await serving
    except asyncio.CancelledError:
        await worker.stop()


def main() -> None:
    """Serve the socket whose descriptor is the first argument."""
    logging.basicConfig(level=logging.ERROR, format="referee: %(message)s")
    # However many connections its bots open, the referee has descriptors left for the others.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(_main(int(sys.argv[1])))


if __name__ == "__main__":
    main()
