"""How a process becomes a jailed bot, between fork and exec. The warden uses it."""

from __future__ import annotations

import ctypes
import fcntl
import marshal
import os
import resource
import sys

from referee.sandbox import kernel
from referee.sandbox.kernel import Ignored, prctl, syscall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Iterable

USER = "@user@"
"""Stands for the number of the bot's user in its command."""

PID_WORD = 0x7E57_B075
"""Stands for the bot's process in its system call filter."""

_NO_ROOT = 0b1111
"""SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP and their locks: being user 0 gives no capabilities."""
_LAST_CAPABILITY = 63
_SLACK = 512
"""How many processes a bot may add to those that there are, where they are only counted for all together."""
_CAPABILITY_VERSION = 0x2008_0522


class Orders:
    """What the warden is told."""

    command: list[str]
    limits: dict[str, int]
    processes: int
    cgroups: list[str]
    memory: str
    folder: str
    folders: list[str]
    user: int
    given: list[str]
    drops: bool
    arguments: bytes
    filter: bytes
    filtered: bool
    socket: str
    landlock: tuple[int, int, int] | None
    rules: tuple[tuple[str, int], ...]
    connects: bool
    reports: bool
    watched: dict[str, int]

    def __init__(self, descriptor: int) -> None:
        with open(descriptor, "rb") as file:
            self.__dict__.update(marshal.load(file))
        if self.user:
            self.user += os.getpid()
        self.command = [str(self.user) if word == USER else word for word in self.command]


def fork(cgroups: list[str]) -> int:
    """Fork, into the control group of version 2 if there is one and the kernel can do that."""
    for folder in cgroups:
        if os.access(f"{folder}/cgroup.kill", os.F_OK):
            with Ignored(OSError):
                return kernel.fork_into(folder)
    return os.fork()


def join(cgroups: list[str]) -> None:
    """Enter control groups, unless this process is there already.

    In version 1 a process with a single thread enters through ``tasks``: nobody has to wait for it.
    """
    own = str(os.getpid())
    for folder in cgroups:
        tasks = f"{folder}/tasks"
        path = tasks if os.access(tasks, os.F_OK) else f"{folder}/cgroup.procs"
        with open(path, "r+") as file:  # noqa: PTH123
            if own not in file.read().split():
                file.seek(0)
                file.write("0")


def limit(orders: Orders) -> None:
    """Set resource limits."""
    limits = dict(orders.limits)
    if orders.user and limits:
        # Nobody else has this user: the count is the bot's own.
        limits["NPROC"] = orders.processes
    elif limits:
        # The count is that of all the user's processes. This only bounds how many there are before the warden looks.
        limits["NPROC"] = _tasks() + _SLACK
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        most = resource.getrlimit(kind)[1]
        wanted = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (wanted, wanted))


def _tasks() -> int:
    """Return how many processes and threads this machine has."""
    with open("/proc/loadavg") as file:  # noqa: PTH123
        return int(file.read().split()[3].partition("/")[2])


def drop_privileges(user: int) -> None:
    """Become a user of the bot's own, or, where there is none, lose what makes user 0 mighty."""
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    elif os.geteuid() == 0:
        for capability in range(_LAST_CAPABILITY + 1):
            with Ignored(OSError):
                prctl(kernel.PR_CAPBSET_DROP, capability)
        prctl(kernel.PR_SET_SECUREBITS, _NO_ROOT)
        header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
        if kernel.LIBC.capset(header, (ctypes.c_uint32 * 6)()) < 0:
            raise kernel.failure("capset")


def restrict_files(handled: tuple[int, int, int], rules: Iterable[tuple[str, int]]) -> None:
    """Put everything out of reach but for some paths, by Landlock."""
    size = 24 if handled[2] else 16 if handled[1] else 8
    ruleset = syscall(kernel.LANDLOCK_CREATE_RULESET, (ctypes.c_uint64 * 3)(*handled), size, 0)
    for path, rights in rules:
        with Ignored(FileNotFoundError):
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            rule = rights.to_bytes(8, sys.byteorder) + opened.to_bytes(4, sys.byteorder)
            syscall(kernel.LANDLOCK_ADD_RULE, ruleset, 1, rule, 0)
            os.close(opened)
    syscall(kernel.LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def filter_calls(program: bytes, listens: bool) -> int:
    """Put a system call filter into force; return the descriptor on which its questions come, if it asks any."""
    program = program.replace(PID_WORD.to_bytes(4, "little"), os.getpid().to_bytes(4, "little"))
    text = ctypes.create_string_buffer(program, len(program))
    header = (ctypes.c_uint64 * 2)(len(program) // 8, ctypes.addressof(text))
    return syscall(kernel.SECCOMP[os.uname().machine], 1, 8 if listens else 0, header)


def become(orders: Orders, warden: int, pipes: tuple[int, int, int, int], listener: socket | None) -> None:
    """Turn this process into the bot. It returns if that fails.

    ``warden`` is the parent; ``pipes`` give the bot's input, and take its output, the reason of a failure, and what
    bubblewrap tells; over ``listener`` goes the descriptor on which the filter's questions come.
    """
    source, output, failure, report = pipes
    word = "jail"
    try:
        os.setsid()
        join(orders.cgroups)
        with Ignored(OSError), open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
            file.write("500")
        with Ignored(OSError, KeyError):
            # An empty ring of keys in the place of the platform's.
            syscall(kernel.KEYCTL[os.uname().machine], 1, 0)
        limit(orders)
        sources = [source, output, output]
        for content in filter(None, (orders.arguments, b"" if orders.filtered else orders.filter)):
            sources.append(os.memfd_create("cardpit"))
            os.write(sources[-1], content)
            os.lseek(sources[-1], 0, os.SEEK_SET)
        sources += [report] if orders.reports else []
        # None of them may lie where another one goes.
        sources = [fcntl.fcntl(source, fcntl.F_DUPFD_CLOEXEC, 64) for source in sources]
        for target, source in enumerate(sources):
            os.dup2(source, target)
        kernel.release_signals((*kernel.CAUGHT, kernel.SIGPIPE))
        if orders.drops:
            drop_privileges(orders.user)
        # Whoever changes its user loses this.
        prctl(kernel.PR_SET_PDEATHSIG, kernel.SIGKILL)
        if os.getppid() != warden:
            os._exit(127)
        if orders.landlock is not None or orders.filtered:
            prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        if orders.landlock is not None:
            restrict_files(orders.landlock, orders.rules)
        if orders.filtered:
            asked = filter_calls(orders.filter, listener is not None)
            if listener is not None:
                listener.sendmsg([b"."], [(1, 1, asked.to_bytes(4, sys.byteorder))])
                os.close(asked)
        word = "error"
        os.execvp(orders.command[0], orders.command)
    except Exception as error:  # noqa: BLE001 - whatever it is, the referee must hear of it
        reason = getattr(error, "strerror", None) or error
        os.write(failure, f"{word} {orders.command[0]}: {reason}\n".encode())
