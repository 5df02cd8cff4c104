"""A process that has imported what every Python bot imports, and forks one bot after another.

The referee starts it in a bot's jail where each match is to have a new process: a fork takes a tenth of the time of a
start. It runs none of the bot's own code, only its children do; and it tells whether one of them has left anything
that the next could find.

Standard input is a socket for packets. In: a JSON object with the ``token`` for Hello and the ``places`` where a bot
can write, and with it the descriptor of the bot's output. Out: ``ready`` or ``unfit NAME`` at first, then ``ended
STATUS CLEAN`` for each bot.
"""

import builtins
import ctypes
import gc
import json
import os
import resource
import socket
import sys
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36
_MOST_BYTES = 64 * 1024


class Start(NamedTuple):
    """A bot to become."""

    token: str
    output: int
    """The descriptor for what it writes."""


def main() -> None:
    """Serve the referee; in each child, become the bot whose script and arguments are those of this process."""
    channel = socket.socket(fileno=os.dup(0))
    _connect(0, os.devnull)
    import_all()
    script = sys.argv[1]
    # Nobody else may look into this process or change it, its own children included.
    _prctl(_PR_SET_DUMPABLE, 0)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    if name := shadowed_module(Path(script).resolve().parent):
        channel.send(f"unfit {name}".encode())
        return
    gc.collect()
    gc.freeze()
    channel.send(b"ready")
    start = _serve(channel)
    channel.close()
    if start is not None:
        _become(start, script, sys.argv[2:])


def import_all() -> None:
    """Import what a bot needs, and make nothing of it: gRPC can be forked until its first channel."""
    import asyncio  # noqa: F401
    import tempfile

    import grpc.aio  # noqa: F401

    import cardpit.client  # noqa: F401
    from cardpit.v1 import referee_pb2_grpc  # noqa: F401

    # To find its folder it makes a file there, which would be a trace of each bot.
    tempfile.gettempdir()


def shadowed_module(folder: Path) -> str:
    """Return a module that has been imported and that a bot's script would find in its own folder; empty if none."""
    loaded = {name.partition(".")[0] for name in sys.modules}
    names = {path.name.partition(".")[0] for path in folder.iterdir() if path.is_dir() or ".py" in path.suffixes}
    return min(loaded & names, default="")


def _serve(channel: socket.socket) -> Start | None:
    """Fork for each request. Return what to become in a child, and None in this process when the referee is gone."""
    before = None
    while True:
        data, descriptors, _, _ = socket.recv_fds(channel, _MOST_BYTES, 1)
        if not data:
            return None
        request = json.loads(data)
        before = before or traces(request["places"])
        pid = os.fork()
        if pid == 0:
            return Start(request["token"], descriptors[0])
        os.close(descriptors[0])
        _, status = os.waitpid(pid, 0)
        clean = not _has_children() and traces(request["places"]) == before
        channel.send(f"ended {os.waitstatus_to_exitcode(status)} {int(clean)}".encode())


def traces(places: Sequence[str]) -> tuple[object, ...]:
    """Return everything that a bot could change and its successor would find: folders, and what is inherited.

    A folder that has been empty all along has still the same times. To be looked into changes one of them, once.
    """
    for place in places:
        os.listdir(place)  # noqa: PTH208
    limits = (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_CPU, resource.RLIMIT_STACK)
    return (
        *(tuple(getattr(os.stat(place), name) for name in _STATUS) for place in places),  # noqa: PTH116
        *(resource.getrlimit(limit) for limit in limits),
        os.getpriority(os.PRIO_PROCESS, 0),
        os.sched_getscheduler(0),
        frozenset(os.sched_getaffinity(0)),
    )


_STATUS = ("st_mode", "st_uid", "st_gid", "st_nlink", "st_size", "st_atime_ns", "st_mtime_ns", "st_ctime_ns")


def _has_children() -> bool:
    """Tell whether a process that a bot has started goes on."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _become(start: Start, script: str, arguments: Sequence[str]) -> None:
    """Do in this process what the interpreter does with a script."""
    _prctl(_PR_SET_DUMPABLE, 1)
    _prctl(_PR_SET_CHILD_SUBREAPER, 0)
    os.setsid()
    os.dup2(start.output, 1)
    os.dup2(start.output, 2)
    os.close(start.output)
    os.environ["CARDPIT_TOKEN"] = start.token
    path = os.path.abspath(script)  # noqa: PTH100 - the interpreter follows no link here
    sys.argv = [script, *arguments]
    sys.path.insert(0, str(Path(path).resolve().parent))
    module = ModuleType("__main__")
    module.__file__ = path
    module.__loader__ = SourceFileLoader("__main__", path)
    module.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = module
    try:
        exec(compile(Path(path).read_bytes(), path, "exec"), module.__dict__)
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - shown as the interpreter does, without the frames of this module
        trace = error.__traceback__
        sys.excepthook(type(error), error, trace.tb_next if trace is not None else None)
        sys.exit(1)


def _connect(descriptor: int, path: str) -> None:
    opened = os.open(path, os.O_RDWR)
    os.dup2(opened, descriptor)
    os.close(opened)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0))) < 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}")
