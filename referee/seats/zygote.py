"""A new process for each match at a tenth of the cost of a start: forked, in the bot's jail, by ``cardpit.zygote``.

It serves Python bots as long as they leave nothing behind. At the first trace of one, as at every fault, the whole jail
is ended, and the bot's processes are started in the ordinary way from then on.
"""

import asyncio
import json
import logging
import os
import socket
import sys
from typing import Any

from referee.manifest import resolve_command
from referee.orders import Conduct, Player
from referee.sandbox import BotProcess, JailError, NoProgram
from referee.sandbox.output import Output
from referee.seats.lodging import Lodging
from referee.seats.stream import Stream

_log = logging.getLogger(__name__)

_MOST_BYTES = 4096


class Zygote:
    """A player's zygote."""

    def __init__(self, player: Player, conduct: Conduct) -> None:
        self._player = player
        self._conduct = conduct
        self._command = resolve_command(player.command, player.folder)
        self._lodging = Lodging()
        self._process: BotProcess | None = None
        self._channel: socket.socket | None = None
        self._said: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
        """What it says next."""

    @property
    def alive(self) -> bool:
        """Whether it can fork."""
        return self._process is not None and not self._process.exit_status.done()

    async def start(self) -> bool:
        """Start it and wait until it is ready; tell whether it serves this player. Else it has ended again.

        What is wrong with a bot that cannot be started shows when it is started in the ordinary way.
        """
        if self._command[0] != sys.executable or not self._command[1:2] or not self._command[1].endswith(".py"):
            return False
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        self._channel = ours
        # -P, for nothing of the bundle may be imported here.
        start = (sys.executable, "-P", "-c", "from cardpit.zygote import main; main()", *self._command[1:])
        try:
            self._process = await self._lodging.start(start, self._player.folder, self._conduct, {}, theirs.fileno())
        except (NoProgram, JailError):
            return False
        finally:
            theirs.close()
        asyncio.get_running_loop().add_reader(ours, self._hear, ours)
        waited_for: set[asyncio.Future[Any]] = {self._said, self._process.exit_status}
        await asyncio.wait(waited_for, timeout=self._conduct.startup_time, return_when=asyncio.FIRST_COMPLETED)
        said = self._said.result() if self._said.done() else ["it does not start"]
        confinement = self._lodging.confinement
        if said == ["ready"] and confinement is not None and confinement.forks:
            return True
        _log.info("%s is not forked: %s", self._player.label, " ".join(said))
        await self.end()
        return False

    def fork(self, stream: Stream) -> "Fork":
        """Have a bot's process forked that is served by a stream."""
        process, channel, confinement = self._process, self._channel, self._lodging.confinement
        assert process is not None
        assert channel is not None
        assert confinement is not None
        self._lodging.stream = stream
        self._said = asyncio.get_running_loop().create_future()
        request = {"token": stream.token, "places": confinement.places}
        pipe, output = os.pipe()
        try:
            socket.send_fds(channel, [json.dumps(request).encode()], [output])
        except OSError:
            # It has just died: its exit status says how.
            pass
        finally:
            os.close(output)
        return Fork(self, process, Output(asyncio.get_running_loop(), pipe, self._conduct.log_size), self._said)

    async def end(self) -> None:
        """End it with all that is in its jail."""
        channel, self._channel = self._channel, None
        if channel is not None:
            asyncio.get_running_loop().remove_reader(channel)
            channel.close()
        process, self._process = self._process, None
        if process is not None:
            await process.kill()
        await self._lodging.close()

    def _hear(self, channel: socket.socket) -> None:
        try:
            data = channel.recv(_MOST_BYTES)
        except (BlockingIOError, ConnectionError):
            data = b""
        if data and not self._said.done():
            self._said.set_result(data.decode().split())
        elif not data:
            asyncio.get_running_loop().remove_reader(channel)


class Fork:
    """A bot's process that was forked, with what :class:`referee.sandbox.BotProcess` has of one that was started."""

    def __init__(self, zygote: Zygote, process: BotProcess, output: Output, said: asyncio.Future[list[str]]) -> None:
        self.exit_status: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Done when it has ended: its exit code, negative for a signal."""
        self._zygote = zygote
        self._process = process
        self._output = output
        self._clean = False
        self._waiting = asyncio.create_task(self._wait(said))

    @property
    def start_error(self) -> str:
        """Why the zygote could not be run."""
        return self._process.start_error

    @property
    def jail_error(self) -> str:
        """Why the jail could not be built."""
        return self._process.jail_error

    @property
    def excess(self) -> str:
        """Which of its limits the bot has exceeded."""
        return self._process.excess

    @property
    def log(self) -> str:
        """What it has written so far, head and tail."""
        return self._process.log + self._output.text

    @property
    def cpu_time(self) -> float:
        """CPU seconds that everything in its jail has used so far."""
        return self._process.cpu_time

    def freeze(self) -> None:
        """Stop it and all that it started."""
        self._process.freeze()

    def thaw(self) -> None:
        """Let it go on."""
        self._process.thaw()

    async def kill(self) -> None:
        """See to it that nothing of it is left: where it has left anything, the whole jail is ended."""
        if not self._clean:
            await self._zygote.end()
        self._waiting.cancel()
        self._output.close()

    async def _wait(self, said: asyncio.Future[list[str]]) -> None:
        waited_for: set[asyncio.Future[Any]] = {said, self._process.exit_status}
        await asyncio.wait(waited_for, return_when=asyncio.FIRST_COMPLETED)
        if said.done():
            _, status, clean = said.result()
            self._process.look_for_excess(int(status))
            self._clean = clean == "1" and status == "0" and not self._process.excess
            self.exit_status.set_result(int(status))
        else:
            self.exit_status.set_result(self._process.exit_status.result())
