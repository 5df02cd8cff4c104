"""The folder of one bot process: its socket and its temporary files. Its end is seen to even if all is killed.

The folder holds a ``run`` file that its owner, the referee, and then the bot's warden keep locked as long as they
live. A later run that finds such a folder with the lock free removes what was left: processes, groups and the folder.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from referee.sandbox.cgroups import PREFIX, Cgroup
from referee.sandbox.users import BASE

_NAME = "cardpit-bot-"
_MARK = "scratch of a bot"
"""How a ``run`` file begins. A folder that somebody has only called so has none, and is left alone."""


class Scratch:
    """A new folder for one bot process. Its path is short, as sockets need."""

    def __init__(self) -> None:
        _sweep_once()
        self.folder = Path(tempfile.mkdtemp(prefix=_NAME))
        # Others may pass through to what is theirs: the bot's socket and home.
        self.folder.chmod(0o711)
        self.lock = os.open(self.folder / "run", os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        """The descriptor that holds the lock; a warden inherits it."""
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        os.write(self.lock, f"{_MARK}\n".encode())
        self.home = self.folder / "home"
        """Where the bot may write."""
        self.home.mkdir(mode=0o700)
        self.socket = self.folder / "referee.sock"
        """Where the referee listens."""

    def note(self, word: str, value: object) -> None:
        """Write down what a sweep must know: ``cgroup`` with a folder, or ``user`` with a number."""
        os.write(self.lock, f"{word} {value}\n".encode())

    def release(self) -> None:
        """Let go of the lock in this process: the warden has it."""
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1

    def remove(self) -> None:
        """Remove the folder and let go of it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()


@cache
def _sweep_once() -> None:
    sweep()


def sweep() -> int:
    """Remove what earlier runs of this user left when they were killed; return how many bots that concerned."""
    found = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{_NAME}*"):
        with contextlib.suppress(OSError):
            found += _sweep_folder(folder)
    return found


def _sweep_folder(folder: Path) -> bool:
    """Remove a folder with all that belongs to it, unless it is in use or another user's."""
    if folder.lstat().st_uid != os.geteuid() or folder.is_symlink():
        return False
    lock = os.open(folder / "run", os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        mark, *lines = os.read(lock, 64 * 1024).decode(errors="replace").splitlines() or [""]
        if mark != _MARK:
            return False
        notes = [line.split(maxsplit=1) for line in lines]
        groups = {str(n): Path(path) for n, (word, path) in enumerate(filter(_is_group, notes)) if word == "cgroup"}
        _kill(_survivors(folder, {int(value) for word, value in notes if word == "user"}))
        Cgroup(groups).remove()
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
    return True


def _is_group(note: list[str]) -> bool:
    """Tell whether a note names one of our groups. A bot without a jail could have written anything."""
    if note[0] != "cgroup":
        return False
    path = Path(note[1])
    return path.name.startswith(PREFIX) and path.is_relative_to("/sys/fs/cgroup") and ".." not in path.parts


def _survivors(folder: Path, users: set[int]) -> Iterable[int]:
    """Return the processes that belong to a folder: by their user, or by their environment."""
    mark = os.fsencode(folder) + b"/"
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                user = entry.stat().st_uid
                if (user >= BASE and user in users) or mark in (entry / "environ").read_bytes():
                    yield int(entry.name)


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
