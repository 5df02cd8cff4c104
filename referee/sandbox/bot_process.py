"""A bot's process with everything that it starts, under a warden."""

import asyncio
import contextlib
import marshal
import os
import subprocess
import sys
from pathlib import Path

from referee.sandbox import offspring
from referee.sandbox.cgroups import Cgroup, NoCgroups, Tree, find_tree
from referee.sandbox.jail import Confinement
from referee.sandbox.limits import MIB
from referee.sandbox.output import Output
from referee.sandbox.scratch import Scratch
from referee.sandbox.users import BASE

_START = """
import sys
from types import ModuleType
for name, folder in (("referee", sys.argv[1]), ("referee.sandbox", sys.argv[1] + "/sandbox")):
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [folder]
from referee.sandbox.warden import main
main()
"""
"""Starts the warden out of compiled modules, and without running what the packages themselves import."""


class BotProcess:
    """A bot's process and everything it starts."""

    def __init__(self, confinement: Confinement, scratch: Scratch, log_size: int, channel: int = -1) -> None:
        """Start a bot as a jail has it. ``scratch`` is for this process alone; it is removed at the end.

        ``channel`` is the descriptor that the bot has as its standard input; by default there is nothing to read.
        """
        loop = asyncio.get_running_loop()
        self._scratch = scratch
        self._limits = confinement.limits
        self.exit_status: asyncio.Future[int] = loop.create_future()
        """Done when the bot's first process has ended, or is being killed for an excess: its exit code, negative for a
        signal."""
        self.start_error = ""
        """Why the command could not be run."""
        self.jail_error = ""
        """Why the jail could not be built: no fault of the bot's."""
        self.excess = ""
        """Which of its limits the bot has exceeded, so that it was ended."""
        self.pid = 0
        """The process that the warden started: the bot's, or that of bubblewrap."""
        self.group = self._make_group()
        """The control group of all its processes; None where none can be made."""
        self._empty: asyncio.Future[None] = loop.create_future()
        self._lines = bytearray()
        orders, orders_in = os.pipe()
        control, self._control = os.pipe()
        self._status, status = os.pipe()
        pipe, output = os.pipe()
        theirs = (orders, control, status, output, scratch.lock, *((channel,) if channel >= 0 else ()))
        try:
            self._warden = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _START, str(Path(__file__).parents[1]), *map(str, theirs)],
                cwd=confinement.folder,
                env=dict(confinement.environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=theirs,
                start_new_session=True,
            )
        except BaseException:
            for descriptor in (orders_in, self._control, self._status, pipe):
                os.close(descriptor)
            if self.group is not None:
                self.group.remove()
            raise
        finally:
            for descriptor in (orders, control, status, output):
                os.close(descriptor)
        if confinement.own_user:
            scratch.note("user", BASE + self._warden.pid)
        scratch.release()
        # A pipe holds more than the orders for any bot: this never waits.
        with contextlib.suppress(BrokenPipeError), os.fdopen(orders_in, "wb") as file:
            marshal.dump(self._orders(confinement), file)
        self._output = Output(loop, pipe, log_size)
        os.set_blocking(self._status, False)
        loop.add_reader(self._status, self._hear, loop)

    def _make_group(self) -> Cgroup | None:
        tree = find_tree()
        if self._limits is None or not isinstance(tree, Tree):
            return None
        try:
            group = tree.create(self._scratch.folder.name.removeprefix("cardpit-"), self._limits)
        except NoCgroups:
            return None
        for folder in dict.fromkeys(group.folders.values()):
            self._scratch.note("cgroup", folder)
        return group

    def _orders(self, confinement: Confinement) -> dict[str, object]:
        limits, group, scratch = confinement.limits, self.group, self._scratch
        watched: dict[str, int] = {}
        if limits is not None:
            if group is None or group.memory is None:
                watched["memory"] = limits.memory_size
            if group is None or not group.limits_processes:
                watched["processes"] = limits.processes
            if confinement.watched:
                watched["disk"] = limits.scratch_size
        own_user = BASE if confinement.own_user else 0
        return {
            "command": confinement.command,
            "limits": {} if limits is None else limits.resources,
            "processes": 0 if limits is None else limits.processes,
            "cgroups": [str(folder) for folder in group.folders.values()] if group is not None else [],
            "memory": str(group.memory) if group is not None and group.memory is not None else "",
            "folder": str(scratch.folder),
            "folders": [str(folder) for folder in confinement.watched],
            "user": own_user,
            "given": [str(path) for path in (scratch.home, scratch.socket, *confinement.given)] if own_user else [],
            "drops": confinement.drops,
            "arguments": confinement.arguments,
            "filter": confinement.filter,
            "filtered": confinement.filtered,
            "socket": str(scratch.socket),
            "landlock": confinement.landlock,
            "rules": confinement.rules,
            "connects": confinement.connects,
            "reports": confinement.reports,
            "watched": watched,
        }

    @property
    def log(self) -> str:
        """What the bot has written so far, head and tail."""
        return self._output.text

    @property
    def cpu_time(self) -> float:
        """CPU seconds that the bot and all that it started have used so far.

        Without a control group, processes that have ended are left out where nobody has waited for them.
        """
        counted = self.group.cpu_time if self.group is not None else None
        return counted if counted is not None else offspring.cpu_time(self._warden.pid)

    def freeze(self) -> None:
        """Stop the bot and all that it started. They can be killed all the same."""
        if self.group is None or not self.group.freeze(True):
            offspring.stop(self._warden.pid)

    def thaw(self) -> None:
        """Let the bot and all that it started go on."""
        if self.group is None or not self.group.freeze(False):
            offspring.resume(self._warden.pid)

    async def kill(self) -> None:
        """Kill the bot and all that it started, and wait until nothing is left."""
        if self._control >= 0:
            os.close(self._control)
            self._control = -1
        await self._empty
        self._output.close()
        if self._warden.wait() != 0:
            # A bot without a jail can kill its warden: then the rest is left to us.
            if self.group is not None:
                await asyncio.to_thread(self.group.remove)
            self._scratch.remove()

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
            elif word == "jail":
                self.jail_error = rest
            elif word == "excess":
                self.excess = self._excess_text(*rest.split())
                if not self.exit_status.done():
                    self._end(-9)
            elif word == "exit" and not self.exit_status.done():
                self._end(int(rest))
        if not data:
            loop.remove_reader(self._status)
            os.close(self._status)
            if not self.exit_status.done():
                self._end(-9)
            self._empty.set_result(None)

    def look_for_excess(self, status: int) -> None:
        """Find out whether a process of the bot that has ended with this status did so for want of memory."""
        if not self.excess and status != 0 and self.group is not None and self.group.ran_out_of_memory:
            self.excess = self._excess_text("memory")

    def _end(self, status: int) -> None:
        self.look_for_excess(status)
        self.exit_status.set_result(status)

    def _excess_text(self, what: str, used: str = "") -> str:
        limits = self._limits
        if limits is None:
            return ""
        if what == "processes":
            return f"had {used} processes and threads: allowed are {limits.processes}"
        if what == "disk":
            return f"wrote {int(used) // MIB} MiB of temporary files: allowed are {limits.scratch_size // MIB}"
        amount = f"{int(used) // MIB} MiB of memory" if used else "all its memory"
        return f"used {amount}: allowed are {limits.memory_size // MIB} MiB"
