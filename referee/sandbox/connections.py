"""Connects a bot to its referee, and to nobody else, in place of its own ``connect``. The warden uses it.

Landlock does not cover connections to Unix sockets by path: a bot that shares the machine's files could talk to every
service there. So its system call filter hands each ``connect`` to the warden, which asks the kernel for the bot's
socket and connects that to the referee, whatever address the bot gave.
"""

import fcntl
import os
import sys

from referee.sandbox.family import descendants
from referee.sandbox.kernel import LIBC, PIDFD_GETFD, PIDFD_OPEN, Ignored, failure, syscall

_RECEIVE, _SEND = 0xC050_2100, 0xC018_2101
"""SECCOMP_IOCTL_NOTIF_RECV and SECCOMP_IOCTL_NOTIF_SEND."""
_QUESTION_SIZE = 80
"""Bytes of ``struct seccomp_notif``: id at 0, thread at 8, the first argument at 32."""


def answer_connect(listener: int, address: str) -> bool:
    """Connect a bot that asks to be connected to its referee, wherever it wanted; tell whether more may ask.

    The bot's own socket is fetched and connected here: nothing that the bot does meanwhile can change the address.
    """
    question = bytearray(_QUESTION_SIZE)
    try:
        fcntl.ioctl(listener, _RECEIVE, question)
    except FileNotFoundError:
        return bool(descendants())
    except OSError:
        return False
    thread = int.from_bytes(question[8:12], sys.byteorder)
    descriptor = int.from_bytes(question[32:36], sys.byteorder)
    error = 0
    try:
        with open(f"/proc/{thread}/status") as file:  # noqa: PTH123
            process = int(next(line for line in file if line.startswith("Tgid:")).split()[1])
        handle = syscall(PIDFD_OPEN, process, 0)
        try:
            mine = syscall(PIDFD_GETFD, handle, descriptor, 0)
        finally:
            os.close(handle)
        try:
            connect(mine, address)
        finally:
            os.close(mine)
    except OSError as refusal:
        error = refusal.errno or 1
    reply = bytes(question[:8]) + bytes(8) + (-error).to_bytes(4, sys.byteorder, signed=True) + bytes(4)
    with Ignored(OSError):
        fcntl.ioctl(listener, _SEND, reply)
    return True


def connect(descriptor: int, address: str) -> None:
    """Connect a Unix socket without waiting. Raises OSError."""
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    try:
        name = (1).to_bytes(2, sys.byteorder) + os.fsencode(address) + b"\0"
        if LIBC.connect(descriptor, name, len(name)) < 0:
            raise failure()
    finally:
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags)
