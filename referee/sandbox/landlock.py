"""The ``landlock`` jail: the kernel lets a bot reach only what is named. For machines without namespaces.

A bot sees the machine's processes and file names, but opens nothing of them, writes in its home alone, signals nobody,
and is connected to its referee only. No program needs to be installed for it, and nobody needs to be root.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import cardpit
from referee.sandbox import kernel, process, seccomp
from referee.sandbox.jail import Confinement, JailError, Launch
from referee.sandbox.system import compile_sdk, readable

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15
"""Rights that a file can have: with truncating (from version 3 on) and control of devices (from 5 on)."""
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_DEVICE_CONTROL = 1 << 15
_LAST_RIGHT = {1: 12, 2: 13, 3: 14, 4: 14}
"""The number of the last right on files by version; from 5 on it is 15."""
_NETWORK = 0b11
"""Binding and connecting TCP sockets, from version 4 on."""
_SCOPES = 0b11
"""Abstract Unix sockets and signals, from version 6 on."""
_SIGNALS_SCOPED = 6

_MACHINE = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/self", "/sys/devices/system/cpu")
"""What runtimes ask about the machine. ``/proc/self`` is the bot's first process alone."""
_DEVICES = ("null", "zero", "full", "random", "urandom")


@cache
def version() -> int:
    """Return the version of Landlock that the kernel has; 0 without."""
    try:
        return kernel.syscall(kernel.LANDLOCK_CREATE_RULESET, 0, 0, 1)
    except OSError:
        return 0


def _rights() -> int:
    return (2 << _LAST_RIGHT.get(version(), 15)) - 1


def confine(launch: Launch) -> Confinement:
    """Return how a start is carried out. Raises :class:`NoProgram` or :class:`JailError`."""
    address = launch.environment.get("CARDPIT_ADDRESS", "")
    if address and not address.startswith("unix:"):
        raise JailError("jail landlock has no network: transport unix is allowed, not tcp")
    compile_sdk()
    confinement = process.confine(launch)
    old = version()
    return replace(
        confinement,
        filter=seccomp.program(
            network=launch.network, shared_view=not launch.writable, own_signals=old < _SIGNALS_SCOPED
        ),
        filtered=True,
        # The old filter lets a process signal only the one that it was put into force for.
        forks=old >= _SIGNALS_SCOPED,
        connects=not launch.network,
        landlock=(
            _rights(),
            0 if launch.network or old < 4 else _NETWORK,
            _SCOPES if old >= _SIGNALS_SCOPED else 0,
        ),
        rules=tuple(_rules(launch)),
    )


def _rules(launch: Launch) -> Iterator[tuple[str, int]]:
    everything = _rights()
    written = everything & ~_EXECUTE & ~_DEVICE_CONTROL
    path = launch.environment.get("PATH", os.defpath)
    for item in readable(launch.command[0], path, network=launch.network):
        yield _rule(item, _READ)
    for package in cardpit.__path__:
        # To find a package, Python lists the folder that it lies in.
        yield str(Path(package).parent), _READ_DIR
    for name in _MACHINE:
        yield _rule(Path(name), _READ & ~_EXECUTE)
    for name in _DEVICES:
        yield f"/dev/{name}", _READ_FILE | _WRITE_FILE
    yield str(launch.scratch.home), written
    yield str(launch.folder.resolve()), everything if launch.writable else _READ


def _rule(path: Path, rights: int) -> tuple[str, int]:
    return str(path), rights if path.is_dir() else rights & _OF_FILES


@cache
def refused() -> str:
    """Return why it does not work here; empty if it does."""
    if version() == 0:
        return "the kernel has no Landlock, or it is off: Linux 5.13 or newer with lsm=landlock,... is needed"
    try:
        seccomp.program()
    except OSError as error:
        return str(error)
    return ""


def lacks() -> list[str]:
    """Return what it does not enforce here, each as one phrase."""
    return [
        *process.lacks_limits(),
        "names, sizes and numbers of the machine's files and processes stay visible",
    ]
