"""The few things for which Python has no function, and those whose modules take long to import. The warden uses it.

A warden is started for every bot. Without ``contextlib``, ``signal`` and ``typing`` it is there in half the time.
"""

import ctypes
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG = 1
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

LANDLOCK_CREATE_RULESET = 444
LANDLOCK_ADD_RULE = 445
LANDLOCK_RESTRICT_SELF = 446
CLONE3 = 435
PIDFD_OPEN = 434
PIDFD_GETFD = 438
"""Numbers that are the same on every architecture."""

KEYCTL = {"x86_64": 250, "aarch64": 219}
SECCOMP = {"x86_64": 317, "aarch64": 277}
"""Numbers that are not."""


SIGHUP, SIGINT, SIGKILL, SIGPIPE, SIGTERM, SIGCHLD, SIGSTOP = 1, 2, 9, 13, 15, 17, 19
CAUGHT = (SIGCHLD, SIGTERM, SIGINT, SIGHUP)
"""What a warden wakes up for, and does not die of."""

_SIG_BLOCK, _SIG_UNBLOCK = 0, 1
_SIGNAL_SET_SIZE = 128
_CLONE_INTO_CGROUP = 0x2_0000_0000


class Ignored:
    """What ``contextlib.suppress`` does."""

    def __init__(self, *errors: type[BaseException]) -> None:
        self._errors = errors

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> bool:
        return kind is not None and issubclass(kind, self._errors)


def failure(what: str = "") -> OSError:
    """Return the error of the last call."""
    error = ctypes.get_errno()
    return OSError(error, f"{what}: {os.strerror(error)}" if what else os.strerror(error))


def syscall(number: int, *arguments: "int | bytes | ctypes.Array[ctypes.c_uint64]") -> int:
    """Make a system call. Raises OSError."""
    words = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    result: int = LIBC.syscall(ctypes.c_long(number), *words)
    if result < 0:
        raise failure()
    return result


def prctl(option: int, value: int = 0) -> None:
    """Change something about this process. Raises OSError."""
    if LIBC.prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0))) < 0:
        raise failure(f"prctl {option}")


def fork_into(group: str) -> int:
    """Fork as ``os.fork`` does, with the child in a control group of version 2 from its first moment.

    To move it there afterwards would take as long as all processors need to come to rest. Raises OSError.
    """
    folder = os.open(group, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        arguments = (ctypes.c_uint64 * 11)(_CLONE_INTO_CGROUP, 0, 0, 0, SIGCHLD, 0, 0, 0, 0, 0, folder)
        return syscall(CLONE3, arguments, ctypes.sizeof(arguments))
    finally:
        os.close(folder)


def _signal_set(numbers: "Iterable[int]") -> "ctypes.Array[ctypes.c_char]":
    signals = ctypes.create_string_buffer(_SIGNAL_SET_SIZE)
    LIBC.sigemptyset(signals)
    for number in numbers:
        LIBC.sigaddset(signals, number)
    return signals


def catch_signals(numbers: "Iterable[int]") -> int:
    """Hold signals back; return a descriptor on which they can be read instead."""
    signals = _signal_set(numbers)
    LIBC.sigprocmask(_SIG_BLOCK, signals, None)
    descriptor: int = LIBC.signalfd(-1, signals, os.O_NONBLOCK | os.O_CLOEXEC)
    if descriptor < 0:
        raise failure("signalfd")
    return descriptor


def release_signals(numbers: "Iterable[int]") -> None:
    """Let signals do again what they do by themselves."""
    numbers = tuple(numbers)
    for number in numbers:
        LIBC.signal(number, None)
    LIBC.sigprocmask(_SIG_UNBLOCK, _signal_set(numbers), None)
