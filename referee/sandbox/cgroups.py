"""Control groups: limits and accounts for a bot's whole family of processes, where the kernel lets us make groups.

Three layouts are known: version 1 (a tree for each controller), version 2 (one tree), and hybrid hosts, where version 2
is mounted beside version 1 without controllers and serves to kill a whole group at once. New groups lie below the
group that this process is in, so that a limit set on the platform holds for its bots too.
"""

import contextlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.sandbox.alarm import reached_limit
from referee.sandbox.limits import Limits

PREFIX = "cardpit-"
"""How the names of all groups begin."""

_PERIOD = 100_000
"""Microseconds in which the share of the processors is measured out."""
_CONTROLLERS = ("memory", "pids", "cpu", "cpuacct")


class NoCgroups(Exception):
    """No group can be made here: the message says why."""


@dataclass(frozen=True, slots=True)
class Cgroup:
    """The group of one bot. Its processes join it before they run the bot."""

    folders: Mapping[str, Path]
    """Its folder for each controller; ``unified`` is version 2's."""

    @property
    def cpu_time(self) -> float | None:
        """CPU seconds that all processes of the group have used, also those that have ended; None if not counted."""
        with contextlib.suppress(OSError):
            if account := self.folders.get("cpuacct"):
                return int((account / "cpuacct.usage").read_text()) / 1e9
            if unified := self.folders.get("unified"):
                return _entry(unified / "cpu.stat", "usage_usec") / 1e6
        return None

    def freeze(self, frozen: bool) -> bool:
        """Stop all processes of the group, or let them go on; tell whether it can do that."""
        if unified := self.folders.get("unified"):
            with contextlib.suppress(OSError):
                (unified / "cgroup.freeze").write_text(str(int(frozen)))
                return True
        return False

    @property
    def memory(self) -> Path | None:
        """The folder of the group that limits memory; None if none does."""
        if memory := self.folders.get("memory"):
            return memory
        unified = self.folders.get("unified")
        return unified if unified is not None and (unified / "memory.max").exists() else None

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether processes of it were killed because it had reached its own limit, and not one above it."""
        folder = self.memory
        with contextlib.suppress(OSError):
            if folder is not None and "memory" in self.folders:
                return reached_limit(str(folder)) and _entry(folder / "memory.oom_control", "oom_kill") > 0
            if folder is not None:
                events = folder / "memory.events"
                return _entry(events, "oom") > 0 and _entry(events, "oom_kill") > 0
        return False

    @property
    def limits_processes(self) -> bool:
        """Whether it has a limit on processes."""
        return "pids" in self.folders or ("unified" in self.folders and (self.folders["unified"] / "pids.max").exists())

    @property
    def processes(self) -> set[int]:
        """The processes in it now."""
        found: set[int] = set()
        for folder in self.folders.values():
            with contextlib.suppress(OSError):
                found.update(map(int, (folder / "cgroup.procs").read_text().split()))
        return found

    def remove(self, patience: float = 2.0) -> bool:
        """Kill what is in it, remove it, and tell whether it is gone. ``patience`` is in seconds."""
        ends = time.monotonic() + patience
        while True:
            if unified := self.folders.get("unified"):
                with contextlib.suppress(OSError):
                    (unified / "cgroup.kill").write_text("1")
            for pid in self.processes - {os.getpid()}:
                with contextlib.suppress(OSError):
                    os.kill(pid, 9)
            for folder in self.folders.values():
                with contextlib.suppress(OSError):
                    folder.rmdir()
            if not any(folder.exists() for folder in self.folders.values()):
                return True
            if time.monotonic() > ends:
                return False
            time.sleep(0.005)


def _entry(path: Path, key: str) -> int:
    """Return the number behind a key in a file of lines with a key and a number; 0 if it is not there."""
    for line in path.read_text().splitlines():
        name, _, value = line.partition(" ")
        if name == key:
            return int(value)
    return 0


@dataclass(frozen=True, slots=True)
class Tree:
    """Where new groups go."""

    layout: str
    """``v1``, ``v2`` or ``hybrid``."""
    bases: Mapping[str, Path]
    """The folder for each controller; ``unified`` for version 2."""

    @property
    def lacks(self) -> list[str]:
        """What no group of this tree can limit: ``memory``, ``pids`` or ``cpu``."""
        if self.layout == "v2":
            offered = _words(self.bases["unified"] / "cgroup.subtree_control")
            return [name for name in ("memory", "pids", "cpu") if name not in offered]
        return [name for name in ("memory", "pids", "cpu") if name not in self.bases]

    def create(self, name: str, limits: Limits) -> Cgroup:
        """Make a group with limits. Raises :class:`NoCgroups`."""
        folders: dict[str, Path] = {}
        group = Cgroup(folders)
        try:
            for controller, base in self.bases.items():
                folder = base / f"{PREFIX}{name}"
                # Two controllers may share one tree, as cpu and cpuacct mostly do.
                folder.mkdir(exist_ok=folder in folders.values())
                folders[controller] = folder
            _limit(folders, limits)
        except OSError as error:
            group.remove(patience=0.0)
            raise NoCgroups(f"no control group can be made: {error.filename}: {error.strerror}") from None
        return group


def _limit(folders: Mapping[str, Path], limits: Limits) -> None:
    share = int(limits.cores * _PERIOD)
    memory, unified = str(limits.memory_size), folders.get("unified")
    if "memory" in folders:
        (folders["memory"] / "memory.limit_in_bytes").write_text(memory)
        _write_if_there(folders["memory"] / "memory.memsw.limit_in_bytes", memory)
    if "pids" in folders:
        (folders["pids"] / "pids.max").write_text(str(limits.processes))
    if "cpu" in folders:
        _write_if_there(folders["cpu"] / "cpu.cfs_period_us", str(_PERIOD))
        _write_if_there(folders["cpu"] / "cpu.cfs_quota_us", str(share))
    if unified is not None:
        for file, value in {
            "memory.max": memory,
            "memory.swap.max": "0",
            "memory.oom.group": "1",
            "pids.max": str(limits.processes),
            "cpu.max": f"{share} {_PERIOD}",
        }.items():
            _write_if_there(unified / file, value)


def _write_if_there(path: Path, value: str) -> None:
    """Set what not every kernel has."""
    if path.exists():
        path.write_text(value)


def _words(path: Path) -> list[str]:
    with contextlib.suppress(OSError):
        return path.read_text().split()
    return []


@cache
def find_tree() -> Tree | str:
    """Return where groups can be made, or why none can. One is made and removed to be sure."""
    try:
        tree = _tree(Path("/proc/self/mountinfo").read_text(), Path("/proc/self/cgroup").read_text())
        group = tree.create(f"probe-{os.getpid()}", Limits())
    except NoCgroups as error:
        return str(error)
    except OSError as error:
        return f"no control group can be made: {error.filename}: {error.strerror}"
    if not group.remove():
        return f"the control group {next(iter(group.folders.values()))} cannot be removed"
    return tree


def _tree(mounts: str, own: str) -> Tree:
    """Return the tree that a process's mounts and groups show."""
    unified: Path | None = None
    bases: dict[str, Path] = {}
    paths = _own_paths(own)
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        root, point = left.split()[3:5]
        kind, _, options = right.split(maxsplit=2)
        if kind == "cgroup2":
            unified = _below(Path(point), root, paths.get("", "/"))
        elif kind == "cgroup":
            for controller in set(options.split(",")) & set(_CONTROLLERS):
                bases[controller] = _below(Path(point), root, paths.get(controller, "/"))
    if bases:
        if unified is not None and os.access(unified, os.W_OK):
            return Tree("hybrid", {**bases, "unified": unified})
        return Tree("v1", bases)
    if unified is None:
        raise NoCgroups("no control groups are mounted")
    return Tree("v2", {"unified": _delegated(unified, _mount_point(mounts))})


def _mount_point(mounts: str) -> Path:
    return next(Path(line.split()[4]) for line in mounts.splitlines() if " - cgroup2 " in line)


def _own_paths(own: str) -> dict[str, str]:
    """Return the group of this process for each controller; under an empty name that of version 2."""
    paths: dict[str, str] = {}
    for line in own.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            paths[controller] = path
    return paths


def _below(point: Path, root: str, path: str) -> Path:
    """Return where a group's folder is, below a mount that shows the hierarchy from ``root`` on."""
    relative = os.path.relpath(path, root)
    return point if relative == "." or relative.startswith("..") else point / relative


def _delegated(own: Path, point: Path) -> Path:
    """Return the folder of version 2 in which groups with limits can be made.

    A group that has processes of its own cannot pass on controllers. An ordinary user's group, which was delegated to
    the user, is emptied into a group below it; the superuser makes a group at the top. Raises :class:`NoCgroups`.
    """
    if os.geteuid() == 0:
        base = point / "cardpit"
        _pass_on(point)
        base.mkdir(exist_ok=True)
        _pass_on(base)
        return base
    if not os.access(own / "cgroup.procs", os.W_OK) or not os.access(own, os.W_OK):
        raise NoCgroups(f"the control group {own} is not delegated to this user")
    platform = own / "platform"
    if own.name == "platform" and os.access(own.parent / "cgroup.procs", os.W_OK):
        # Another process of this run has moved us here.
        own, platform = own.parent, own
    platform.mkdir(exist_ok=True)
    for pid in _words(own / "cgroup.procs"):
        with contextlib.suppress(OSError):
            (platform / "cgroup.procs").write_text(pid)
    _pass_on(own)
    return own


def _pass_on(folder: Path) -> None:
    """Let the groups below a folder have the controllers that it has. Raises :class:`NoCgroups`."""
    missing = set(_words(folder / "cgroup.controllers")) - set(_words(folder / "cgroup.subtree_control"))
    for controller in ("memory", "pids", "cpu"):
        if controller in missing:
            with contextlib.suppress(OSError):
                (folder / "cgroup.subtree_control").write_text(f"+{controller}")
    if not set(_words(folder / "cgroup.subtree_control")) & {"memory", "pids"}:
        raise NoCgroups(f"the control group {folder} can pass on neither memory nor pids")


def group_shortcomings() -> list[str]:
    """Return what no control group enforces here, each as one phrase."""
    tree = find_tree()
    if not isinstance(tree, Tree):
        return [
            f"memory and processes by the kernel, only by looking ten times a second ({tree})",
            "a share of the processors",
        ]
    return [f"{', '.join(tree.lacks)} by a control group (the controllers are not there)"] if tree.lacks else []
