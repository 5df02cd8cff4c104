"""A small process that starts one bot in its jail, and sees to it that nothing the bot started outlives it.

It runs with the interpreter's ``-I -S`` and uses the standard library and five modules beside it alone. Its arguments
are open descriptors: ``ORDERS CONTROL STATUS OUTPUT LOCK [INPUT]``. From the first it reads what
:class:`referee.sandbox.bot_process.BotProcess` orders; the fifth holds the lock of the bot's scratch folder; the last,
if there is one, is the bot's standard input. The bot inherits the environment and the working folder.

On ``STATUS`` it writes a line each: ``pid N`` when the bot runs, ``exit N`` when the bot's first process has ended (by
signal N if negative), ``error TEXT`` if it could not be started, ``jail TEXT`` if the jail could not be built,
``excess WHAT N`` when the bot has used more of something than it may. When ``CONTROL`` reaches its end, by the
referee's will or by its death, all descendants are killed: the warden is their sub-reaper, so that an orphan becomes
its child whatever session or group it chose.
"""

from __future__ import annotations

import os
import select
import sys
import time

from referee.sandbox import kernel
from referee.sandbox.alarm import MemoryAlarm
from referee.sandbox.connections import answer_connect
from referee.sandbox.entry import Orders, become, fork
from referee.sandbox.family import descendants, excess
from referee.sandbox.kernel import Ignored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_WATCH_TIME = 0.1
"""Seconds between two looks at what a bot uses."""
_WATCH_SHARE = 20
"""The time between two looks is at least so many times what a look takes."""
_PATIENCE = 5.0
"""Seconds for which the removal of control groups is tried."""


def kill_all(bot: int, cgroups: Iterable[str], ended: dict[int, int]) -> None:
    """Kill every descendant: by the control group, by the end of bubblewrap, then one by one.

    They are stopped first, in rounds, so that none can start another meanwhile.
    """
    for folder in cgroups:
        with Ignored(OSError), open(f"{folder}/cgroup.kill", "w") as file:  # noqa: PTH123
            file.write("1")
    if bot and bot not in ended:
        with Ignored(ProcessLookupError):
            os.kill(bot, kernel.SIGKILL)
    stopped: set[int] = set()
    while new := [pid for pid in descendants() if pid not in stopped]:
        for pid in new:
            with Ignored(ProcessLookupError, PermissionError):
                os.kill(pid, kernel.SIGSTOP)
        stopped.update(new)
    while alive := descendants():
        for pid in alive:
            with Ignored(ProcessLookupError, PermissionError):
                os.kill(pid, kernel.SIGKILL)
        reap(ended)
        time.sleep(0.001)
    # The first thread of a process may have ended before the others.
    ends = time.monotonic() + _PATIENCE
    while reap(ended) and time.monotonic() < ends:
        time.sleep(0.001)


def reap(ended: dict[int, int]) -> bool:
    """Collect ended children: add their wait statuses by pid, and tell whether some go on."""
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return True
            ended[pid] = status
    except ChildProcessError:
        return False


def remove(folder: str) -> None:
    """Remove a folder with all that is in it."""
    with Ignored(OSError):
        os.chmod(folder, 0o700)  # noqa: PTH101
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                remove(entry.path)
            else:
                os.unlink(entry.path)  # noqa: PTH108
        os.rmdir(folder)  # noqa: PTH106


def remove_cgroups(folders: list[str]) -> None:
    """Remove control groups as soon as the kernel has let go of the processes that were in them."""
    ends = time.monotonic() + _PATIENCE
    left = list(dict.fromkeys(folders))
    while left and time.monotonic() < ends:
        for folder in list(left):
            try:
                os.rmdir(folder)  # noqa: PTH106
            except FileNotFoundError:
                left.remove(folder)
            except OSError:
                continue
            else:
                left.remove(folder)
        if left:
            time.sleep(0.002)


class Warden:
    """Starts one bot and stays until it shall end."""

    def __init__(self, orders: Orders, control: int, status: int, output: int, source: int) -> None:
        self._orders = orders
        self._control = control
        self._status = status
        self._output = output
        self._input = source
        self._bot = 0
        self._report = -1
        self._listener = -1
        self._told = False
        self._looks = bool(orders.watched)

    def tell(self, line: str) -> None:
        """Tell the referee something."""
        with Ignored(BrokenPipeError):
            os.write(self._status, f"{line}\n".encode())

    def start(self) -> None:
        """Start the bot in a session of its own."""
        orders = self._orders
        for path in orders.given:
            with Ignored(FileNotFoundError):
                os.chown(path, orders.user, orders.user, follow_symlinks=False)
        failed, failure = os.pipe2(os.O_CLOEXEC)
        self._report, report = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        ours = theirs = None
        if orders.connects:
            from _socket import socketpair

            ours, theirs = socketpair()
        warden = os.getpid()
        self._bot = fork(orders.cgroups)
        if self._bot == 0:
            try:
                become(orders, warden, (self._input, self._output, failure, report), theirs)
            finally:
                os._exit(127)
        for descriptor in (failure, report, self._input, self._output):
            os.close(descriptor)
        if ours is not None and theirs is not None:
            theirs.close()
            _, extra, _, _ = ours.recvmsg(1, 64)
            if extra:
                self._listener = int.from_bytes(extra[0][2][:4], sys.byteorder)
            ours.close()
        if error := os.read(failed, 4096):
            self.tell(error.decode().strip())
        else:
            self.tell(f"pid {self._bot}")
        os.close(failed)

    def hear_of(self, ended: dict[int, int]) -> None:
        """Tell how the bot has ended, if it has."""
        if self._told or self._bot not in ended:
            return
        self._told = True
        code = os.waitstatus_to_exitcode(ended[self._bot])
        if self._orders.reports and code > 0:
            with Ignored(BlockingIOError):
                if b"exit-code" not in os.read(self._report, 4096):
                    self.tell("jail bubblewrap could not build it")
            # As shells do, bubblewrap adds 128 to the signal that has ended a command.
            code = 128 - code if 128 < code <= 192 else code
        self.tell(f"exit {code}")

    def end_for(self, used: str, ended: dict[int, int]) -> None:
        """End the bot because it has used too much of something, and look no more."""
        self.tell(f"excess {used}")
        self._looks = False
        kill_all(self._bot, self._orders.cgroups, ended)
        self.hear_of(ended)

    def watch(self, wake: int) -> None:
        """Stay until the control pipe has ended."""
        orders = self._orders
        poll = select.poll()
        for descriptor in (self._control, wake, *([self._listener] if self._listener >= 0 else [])):
            poll.register(descriptor, select.POLLIN)
        alarm = None
        if orders.memory:
            with Ignored(OSError):
                alarm = MemoryAlarm(orders.memory)
                poll.register(alarm.descriptor, alarm.events)
        ended: dict[int, int] = {}
        next_look = time.monotonic() + _WATCH_TIME
        while True:
            left = max(0.0, next_look - time.monotonic()) * 1000 if self._looks else None
            ready = {descriptor for descriptor, _ in poll.poll(left)}
            if alarm is not None and alarm.descriptor in ready and alarm.rings():
                poll.unregister(alarm.descriptor)
                alarm = None
                self.end_for("memory", ended)
            if wake in ready:
                with Ignored(BlockingIOError):
                    os.read(wake, 4096)
                reap(ended)
                self.hear_of(ended)
            if self._control in ready:
                break
            if self._listener in ready and not answer_connect(self._listener, orders.socket):
                poll.unregister(self._listener)
                self._listener = -1
            if self._looks and (started := time.monotonic()) >= next_look:
                if used := excess(orders.watched, orders.folders):
                    self.end_for(used, ended)
                next_look = time.monotonic() + max(_WATCH_TIME, (time.monotonic() - started) * _WATCH_SHARE)
        kill_all(self._bot, orders.cgroups, ended)
        remove_cgroups(orders.cgroups)
        remove(orders.folder)


def main() -> None:
    """Guard one bot from its start to its sweep."""
    descriptors = list(map(int, sys.argv[2:]))
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    orders, control, status, output, _, *given = descriptors
    source = given[0] if given else os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    wake = kernel.catch_signals(kernel.CAUGHT)
    warden = Warden(Orders(orders), control, status, output, source)
    warden.start()
    warden.watch(wake)
