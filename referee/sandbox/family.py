"""All the processes below one, and what they use. The warden uses it."""

from __future__ import annotations

import os
import stat

from referee.sandbox.kernel import Ignored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MOST_FILES = 20_000
"""So many files are too many, however small."""


def descendants(root: int = 0) -> list[int]:
    """Return the processes below a process, or below this one, parents first, zombies left out."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - pathlib would double the start-up time
        with Ignored(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
            state, parent = file.read().rpartition(b")")[2].split()[:2]
            if state != b"Z":
                children.setdefault(int(parent), []).append(int(name))
    found = list(children.get(root or os.getpid(), ()))
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


def excess(watched: Mapping[str, int], folders: Iterable[str]) -> str:
    """Return what the family uses more of than is allowed, as a word and an amount; empty if nothing.

    ``watched`` has the limits: ``processes``; ``memory`` in bytes; ``disk`` in bytes for all files below ``folders``.
    """
    family = descendants()
    if (most := watched.get("processes")) is not None:
        count = sum(len(_list(f"/proc/{pid}/task")) for pid in family)
        if count > most:
            return f"processes {count}"
    if (most := watched.get("memory")) is not None:
        used = _memory(family, ("RssAnon:", "RssShmem:"), "status")
        if used > most:
            # Pages that a fork shares were counted once for each process.
            used = _memory(family, ("Pss_Anon:", "Pss_Shmem:"), "smaps_rollup") or used
        if used > most:
            return f"memory {used}"
    if (most := watched.get("disk")) is not None:
        sizes: dict[tuple[int, int], int] = {}
        for folder in folders:
            sizes.update(_files(folder))
        for pid in family:
            sizes.update(_deleted_files(pid))
        if (used := sum(sizes.values())) > most or len(sizes) > _MOST_FILES:
            return f"disk {used}"
    return ""


def _list(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []


def _memory(family: list[int], keys: tuple[str, ...], name: str) -> int:
    """Return bytes of memory, from lines with kilobytes in a file of each process."""
    total = 0
    for pid in family:
        with Ignored(OSError), open(f"/proc/{pid}/{name}") as file:  # noqa: PTH123
            total += sum(int(line.split()[1]) for line in file if line.startswith(keys))
    return total * 1024


def _files(folder: str) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield device and number of each file below a folder, with the bytes that it takes."""
    with Ignored(OSError):
        for entry in os.scandir(folder):
            with Ignored(OSError):
                status = entry.stat(follow_symlinks=False)
                yield (status.st_dev, status.st_ino), status.st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    yield from _files(entry.path)


def _deleted_files(pid: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the same for the files that a process holds open though they have no name any more."""
    for name in _list(f"/proc/{pid}/fd"):
        with Ignored(OSError):
            status = os.stat(f"/proc/{pid}/fd/{name}")  # noqa: PTH116
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                yield (status.st_dev, status.st_ino), status.st_blocks * 512
