"""Nothing that a bot has started outlives it, whatever ends it."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import uvloop

from referee.room import play_room
from referee.worker import read_frame, write_frame
from rooms import BOTS, HostRoom, make_room
from seating import script


class Scratch:
    """A folder for temporary files, by which all that a test started can be told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def processes(self) -> list[int]:
        """Everything with the folder in its environment, but for this process."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with contextlib.suppress(OSError):
                    if os.fsencode(self.folder / "cardpit-") in (entry / "environ").read_bytes():
                        found.append(int(entry.name))
        return found

    def is_clean_within(self, seconds: float) -> bool:
        """Wait until there is no process and no file."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if not self.processes() and not list(self.folder.iterdir()):
                return True
            time.sleep(0.05)
        return False


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scratch]:
    with tempfile.TemporaryDirectory(prefix="left-") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        left = Scratch(Path(folder))
        yield left
        for pid in left.processes():
            os.kill(pid, signal.SIGKILL)


def test_a_room_that_ends_leaves_no_process_and_no_folder(scratch: Scratch, host: HostRoom) -> None:
    host("family", "honest")
    assert scratch.processes() == []
    assert list(scratch.folder.iterdir()) == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, None])
def test_a_worker_that_ends_leaves_no_process_and_no_folder(scratch: Scratch, how: signal.Signals | None) -> None:
    async def play_and_end() -> int:
        ours, theirs = socket.socketpair()
        worker = subprocess.Popen(
            [sys.executable, "-m", "referee.worker", str(theirs.fileno())], pass_fds=(theirs.fileno(),)
        )
        theirs.close()
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        write_frame(writer, ("play", 1, make_room(("family", "spin"), move_time=30.0, boards=2)))
        while len(scratch.processes()) < 10:
            await asyncio.sleep(0.05)
        if how is not None:
            worker.send_signal(how)
            assert await read_frame(reader) is None
        writer.close()
        return await asyncio.to_thread(worker.wait, 10)

    status = asyncio.run(asyncio.wait_for(play_and_end(), 60))
    assert status == (-signal.SIGKILL if how is signal.SIGKILL else 0)
    assert scratch.is_clean_within(5)


def test_a_bot_process_that_kills_its_warden_dies_too(scratch: Scratch, host: HostRoom) -> None:
    (report,), _ = host("patricide", "honest")
    assert report.places == (2, 1)
    assert scratch.is_clean_within(5)


def test_a_room_that_is_cancelled_twice_still_ends_its_bots(scratch: Scratch) -> None:
    async def play_and_cancel() -> None:
        room = asyncio.create_task(play_room(make_room(("family", "spin"), move_time=30.0), lambda _: None))
        while len(scratch.processes()) < 10:
            await asyncio.sleep(0.05)
        room.cancel()
        await asyncio.sleep(0)
        room.cancel()
        await asyncio.wait({room})
        assert room.cancelled()
        assert scratch.processes() == []

    uvloop.run(asyncio.wait_for(play_and_cancel(), 60))
    assert list(scratch.folder.iterdir()) == []


def test_a_room_that_is_cancelled_while_its_bots_start_ends_them(scratch: Scratch) -> None:
    async def play_and_cancel() -> None:
        room = asyncio.create_task(play_room(make_room(("no-hello", "no-hello")), lambda _: None))
        while len(scratch.processes()) < 4:
            await asyncio.sleep(0.05)
        room.cancel()
        await asyncio.wait({room})
        assert scratch.processes() == []

    uvloop.run(asyncio.wait_for(play_and_cancel(), 60))
    assert list(scratch.folder.iterdir()) == []


def test_a_room_that_is_cancelled_while_a_bot_ends_leaves_nothing_of_it(scratch: Scratch) -> None:
    async def play_and_cancel() -> None:
        played = asyncio.Event()
        room = make_room(boards=3, restart="match")
        room = replace(room, players=(script(BOTS / "wire.py", "lingering"), room.players[1]))
        playing = asyncio.create_task(play_room(room, lambda _: played.set()))
        await played.wait()
        # The bot that does not end at Farewell has its grace time now.
        await asyncio.sleep(0.1)
        playing.cancel()
        await asyncio.wait({playing})
        assert scratch.processes() == []

    uvloop.run(asyncio.wait_for(play_and_cancel(), 60))
    assert list(scratch.folder.iterdir()) == []
