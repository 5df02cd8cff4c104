"""The few things for which Python has no function: system calls made directly. The warden uses it."""

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

LANDLOCK_CREATE_RULESET = 444
LANDLOCK_ADD_RULE = 445
LANDLOCK_RESTRICT_SELF = 446
PIDFD_OPEN = 434
PIDFD_GETFD = 438
"""Numbers that are the same on every architecture."""

KEYCTL = {"x86_64": 250, "aarch64": 219}
SECCOMP = {"x86_64": 317, "aarch64": 277}
"""Numbers that are not."""


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
