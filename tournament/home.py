"""The home: the folder in which bundles, results and locks lie."""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tournament.errors import BadHome, Busy, WrongUse

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
"""What a bot or a tournament may be called."""


def check_name(kind: str, name: str) -> str:
    """Return the name of a bot or a tournament. Raises :class:`WrongUse` where it has other characters."""
    if not NAME.fullmatch(name):
        raise WrongUse(
            f"{kind} name {name!r}: allowed are 1 to 40 letters a-z A-Z, digits, - and _, a letter or digit first"
        )
    return name


class Home:
    """The folder that holds everything of one organiser."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    @classmethod
    def find(cls, given: str | None) -> "Home":
        """Return the home: the one given, else ``CARDPIT_HOME``, else ``.cardpit`` in the working folder."""
        home = cls(Path(given or os.environ.get("CARDPIT_HOME") or ".cardpit"))
        if home.folder.exists() and not home.folder.is_dir():
            raise BadHome(f"home {home.folder} is a file: a folder is wanted")
        return home

    @property
    def database(self) -> Path:
        """Where the results lie."""
        return self.folder / "cardpit.db"

    @property
    def bundles(self) -> Path:
        """Where the bundles lie, each under its hash."""
        return self.folder / "bundles"

    def prepare(self) -> None:
        """Make the folders. Raises :class:`BadHome` where nothing can be written."""
        try:
            self.bundles.mkdir(parents=True, exist_ok=True)
            probe = self.folder / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> BadHome:
        return BadHome(
            f"home {self.folder} cannot be written ({error.strerror}): "
            "give a folder of yours with --home or CARDPIT_HOME"
        )

    @contextmanager
    def locked(self, tournament: str) -> Iterator[None]:
        """Hold a tournament for this process alone. Raises :class:`Busy` where another process holds it.

        The kernel lets go of the lock when the process ends, however it ends; workers that it forked do not inherit it.
        """
        path = self.folder / "locks" / f"{tournament}.lock"
        try:
            path.parent.mkdir(exist_ok=True)
            opened = path.open("a+")
        except OSError as error:
            raise self._unwritable(error) from None
        with opened as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                holder = file.read().strip() or "unknown"
                raise Busy(
                    f"tournament {tournament} is being run by process {holder}: "
                    "wait for its end or stop it, then run the same command again"
                ) from None
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield
