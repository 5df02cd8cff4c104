"""What a jail is: a way to start a bot's process, to hear how it ended, and to end it with all that it started."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from referee.sandbox.output import Output

_WARDEN = Path(__file__).with_name("warden.py")


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a jail makes of a command."""

    command: tuple[str, ...]
    limits: Mapping[str, int]
    """Resource limits by the name that ``setrlimit`` has for them, without ``RLIMIT_``."""


class BotProcess:
    """A bot's process and everything it starts, under a warden."""

    def __init__(
        self, confinement: Confinement, folder: Path, environment: Mapping[str, str], scratch: Path, log_size: int
    ) -> None:
        """Start a command in a folder, with just this environment.

        ``scratch`` is a folder for this process alone; the warden removes it at the end.
        """
        loop = asyncio.get_running_loop()
        self._scratch = scratch
        self.exit_status: asyncio.Future[int] = loop.create_future()
        """Done when the bot's first process has ended: its exit code, negative for a signal."""
        self.start_error = ""
        """Why the command could not be run."""
        self.pid = 0
        control, self._control = os.pipe()
        self._status, status = os.pipe()
        pipe, output = os.pipe()
        self._empty: asyncio.Future[None] = loop.create_future()
        self._lines = bytearray()
        limits = ",".join(f"{name}={value}" for name, value in confinement.limits.items())
        arguments = [str(control), str(status), str(output), str(scratch), limits, *confinement.command]
        try:
            self._warden = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_WARDEN), *arguments],
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(control, status, output),
                start_new_session=True,
            )
        except BaseException:
            for descriptor in (self._control, self._status, pipe):
                os.close(descriptor)
            raise
        finally:
            for descriptor in (control, status, output):
                os.close(descriptor)
        self._output = Output(loop, pipe, log_size)
        os.set_blocking(self._status, False)
        loop.add_reader(self._status, self._hear, loop)

    @property
    def log(self) -> str:
        """What the bot has written so far, head and tail."""
        return self._output.text

    async def kill(self) -> None:
        """Kill the bot and all that it started, and wait until nothing is left."""
        if self._control >= 0:
            os.close(self._control)
            self._control = -1
        await self._empty
        self._output.close()
        if self._warden.wait() != 0:
            # A bot without a jail can kill its warden: then the folder is left to us.
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _hear(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            data = os.read(self._status, 4096)
        except BlockingIOError:
            return
        self._lines += data
        while (end := self._lines.find(b"\n")) >= 0:
            word, _, rest = self._lines[:end].decode().partition(" ")
            del self._lines[: end + 1]
            if word == "pid":
                self.pid = int(rest)
            elif word == "error":
                self.start_error = rest
            elif word == "exit" and not self.exit_status.done():
                self.exit_status.set_result(int(rest))
        if not data:
            loop.remove_reader(self._status)
            os.close(self._status)
            if not self.exit_status.done():
                self.exit_status.set_result(-9)
            self._empty.set_result(None)


def make_scratch() -> Path:
    """Make a new folder for one bot process: its socket and its temporary files. Its path is short, as sockets need."""
    return Path(tempfile.mkdtemp(prefix="cardpit-"))
