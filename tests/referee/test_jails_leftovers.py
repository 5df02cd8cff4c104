"""Nothing of a jailed bot is left, whatever ends it: no process, folder, mount or control group."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from jailing import needs, run_jailed
from referee.sandbox import STRONG, Scratch, cgroups, sweep
from referee.worker import write_frame
from rooms import make_room

JAILS = (*STRONG, "process")


class Traces:
    """All that the processes of a test leave: they are known by a time zone that nobody else has."""

    def __init__(self, folder: Path, mark: str) -> None:
        self.folder = folder
        self._mark = f"TZ={mark}".encode() + b"\0"
        self._mounts = self.mounts()
        self._names: set[str] = set()

    def processes(self) -> list[int]:
        """Every process with the mark, but for this one."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with contextlib.suppress(OSError):
                    if self._mark in (entry / "environ").read_bytes():
                        found.append(int(entry.name))
        return found

    def wardens(self) -> list[int]:
        """Those that watch over a bot."""
        return [
            pid for pid in self.processes() if b"referee.sandbox.warden" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]

    def mounts(self) -> int:
        """How many mounts this machine has."""
        return len(Path("/proc/self/mountinfo").read_text().splitlines())

    def folders(self) -> list[Path]:
        """The folders of bots; control groups are called as they are."""
        found = list(self.folder.glob("cardpit-*"))
        self._names.update(folder.name for folder in found)
        return found

    def groups(self) -> list[Path]:
        """The control groups of all bots whose folders have been seen."""
        tree = cgroups.find_tree()
        bases = tree.bases.values() if isinstance(tree, cgroups.Tree) else ()
        return [base / name for base in bases for name in self._names if (base / name).exists()]

    def are_gone_within(self, seconds: float) -> bool:
        """Wait until nothing is left."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            left = [self.processes(), list(self.folder.iterdir()), self.groups()]
            if not any(left) and self.mounts() == self._mounts:
                return True
            time.sleep(0.05)
        return False


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Traces]:
    tmp_path.chmod(0o755)
    with tempfile.TemporaryDirectory(prefix="left-") as folder:
        mark = f"UTC{os.getpid()}-{Path(folder).name}"
        monkeypatch.setenv("TZ", mark)
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        traces = Traces(Path(folder), mark)
        yield traces
        for pid in traces.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@contextlib.asynccontextmanager
async def playing(traces: Traces, jail: str) -> AsyncIterator[subprocess.Popen[bytes]]:
    """Start a worker with a room, wait until its bots have families, and at the end for its end."""
    ours, theirs = socket.socketpair()
    worker = subprocess.Popen(
        [sys.executable, "-m", "referee.worker", str(theirs.fileno())], pass_fds=(theirs.fileno(),)
    )
    theirs.close()
    _, writer = await asyncio.open_unix_connection(sock=ours)
    write_frame(writer, ("play", 1, make_room(("family", "spin"), move_time=30.0, boards=2, jail=jail)))
    while len(traces.processes()) < 12:
        await asyncio.sleep(0.05)
    yield worker
    await asyncio.to_thread(worker.wait, 10)
    writer.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("jail", STRONG)
def test_the_end_of_a_worker_leaves_nothing(traces: Traces, jail: str, how: signal.Signals) -> None:
    needs(jail)

    async def end() -> None:
        async with playing(traces, jail) as worker:
            assert len(traces.folders()) == 2
            assert bool(traces.groups()) == isinstance(cgroups.find_tree(), cgroups.Tree)
            worker.send_signal(how)

    asyncio.run(asyncio.wait_for(end(), 60))
    assert traces.are_gone_within(8)


@pytest.mark.parametrize("jail", JAILS)
def test_a_sweep_removes_what_is_left_when_the_wardens_are_killed_too(traces: Traces, jail: str) -> None:
    needs(jail)

    async def kill() -> None:
        async with playing(traces, jail) as worker:
            wardens = traces.wardens()
            assert len(wardens) == len(traces.folders()) == 2
            for pid in (*wardens, worker.pid):
                os.kill(pid, signal.SIGSTOP)
            for pid in (*wardens, worker.pid):
                os.kill(pid, signal.SIGKILL)

    asyncio.run(asyncio.wait_for(kill(), 60))
    assert list(traces.folder.iterdir())
    time.sleep(0.2)
    assert sweep() == 2
    assert traces.are_gone_within(5)


def test_a_sweep_leaves_what_is_in_use_and_what_is_only_called_so(traces: Traces) -> None:
    mine = Scratch()
    checkout = traces.folder / "cardpit-bot-of-mine"
    checkout.mkdir()
    (checkout / "bot.py").touch()
    os.utime(checkout, (1, 1))
    script = traces.folder / "cardpit-bot-script"
    script.mkdir()
    (script / "run").write_text("#!/bin/sh\necho hello\n")
    assert sweep() == 0
    assert mine.folder.exists()
    assert (checkout / "bot.py").exists()
    assert (script / "run").exists()
    mine.remove()


@pytest.mark.parametrize("jail", STRONG)
def test_nothing_is_left_after_an_ordinary_end(traces: Traces, jail: str, tmp_path: Path) -> None:
    needs(jail)
    ended = run_jailed(
        jail, tmp_path, "sh", "-c", "mkdir -p $HOME/a/b; echo x > $HOME/a/b/c; chmod 0 $HOME/a/b; sleep 100 &"
    )
    assert ended.status == 0, ended
    assert traces.are_gone_within(0.5)
