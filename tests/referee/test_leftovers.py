"""Nothing that a bot has started outlives it, whatever ends it."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.worker import read_frame, write_frame
from rooms import HostRoom, make_room


def family() -> list[int]:
    """The processes of the family bot, by what their command lines say."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                command = (entry / "cmdline").read_bytes()
                if b"sleep 1000" in command or b"faults.py" in command:
                    found.append(int(entry.name))
    return found


def scratch_folders() -> set[Path]:
    return set(Path("/tmp").glob("cardpit-*"))


def wait_until_gone(seconds: float) -> list[int]:
    ends = time.monotonic() + seconds
    while (left := family()) and time.monotonic() < ends:
        time.sleep(0.05)
    return left


@pytest.fixture(autouse=True)
def no_family_before() -> Iterator[None]:
    assert family() == []
    yield
    for pid in family():
        os.kill(pid, signal.SIGKILL)


def test_a_room_that_ends_leaves_no_process_and_no_folder(host: HostRoom) -> None:
    before = scratch_folders()
    host("family", "honest")
    assert family() == []
    assert scratch_folders() <= before


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, None])
def test_a_worker_that_dies_leaves_no_process_and_no_folder(how: signal.Signals | None) -> None:
    before = scratch_folders()

    async def play_and_kill() -> int:
        ours, theirs = socket.socketpair()
        worker = subprocess.Popen(
            [sys.executable, "-m", "referee.worker", str(theirs.fileno())], pass_fds=(theirs.fileno(),)
        )
        theirs.close()
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        write_frame(writer, ("play", 1, make_room(("family", "spin"), move_time=30.0, boards=2)))
        while len(family()) < 8:
            await asyncio.sleep(0.05)
        if how is None:
            writer.close()
        else:
            worker.send_signal(how)
            assert await read_frame(reader) is None
            writer.close()
        return await asyncio.to_thread(worker.wait, 10)

    status = asyncio.run(play_and_kill())
    assert status == (-signal.SIGKILL if how is signal.SIGKILL else 0)
    assert wait_until_gone(5) == []
    ends = time.monotonic() + 5
    while scratch_folders() - before and time.monotonic() < ends:
        time.sleep(0.05)
    assert scratch_folders() <= before
