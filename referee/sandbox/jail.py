"""What a jail is: it makes of a bot's start what is run in its place, and says whether and how far it works here."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from referee.sandbox.limits import BOT, Limits
from referee.sandbox.scratch import Scratch


class JailError(Exception):
    """A jail that does not work here, or not for this."""


class NoProgram(Exception):
    """A bot's command names no program that can be run: the message is the reason."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A bot's start as it would be without a jail."""

    command: tuple[str, ...]
    folder: Path
    """Where the bundle lies, and the command runs."""
    environment: Mapping[str, str]
    scratch: Scratch
    limits: Limits = BOT
    writable: bool = False
    """Whether the command may write in its folder, as a build does."""
    network: bool = False
    """Whether it may use the network."""


def owned_folders(launch: Launch) -> tuple[Path, ...]:
    """Return the folders that a command may write in besides its home: all of its bundle, or none."""
    if not launch.writable:
        return ()
    return (launch.folder, *(path for path in launch.folder.rglob("*") if path.is_dir() and not path.is_symlink()))


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a jail makes of a start, for the warden to do."""

    command: tuple[str, ...]
    """What is run. The word ``entry.USER`` in it stands for the number of the bot's user."""
    environment: Mapping[str, str]
    folder: Path
    limits: Limits | None
    """None for no limits at all."""
    own_user: bool = False
    """Whether the socket and the home are given to a user of the bot's own."""
    drops: bool = False
    """Whether the warden itself becomes that user, or loses what makes root mighty, before it runs the command."""
    given: tuple[Path, ...] = ()
    """What else is given to that user."""
    arguments: bytes = b""
    """What the command reads from descriptor 3."""
    filter: bytes = b""
    """A system call filter; the command reads it from descriptor 4, unless ``filtered`` is set."""
    filtered: bool = False
    """Whether the warden itself puts the filter into force."""
    rules: tuple[tuple[str, int], ...] = ()
    """Paths with their Landlock rights; what is not named is out of reach."""
    landlock: tuple[int, int, int] | None = None
    """What Landlock is to handle: rights on files, on the network, and scopes."""
    connects: bool = False
    """Whether the warden connects the bot's sockets, as the filter asks it to."""
    reports: bool = False
    """Whether the command is bubblewrap, which tells on descriptor 5 how the bot in it has ended."""
    places: tuple[str, ...] = ()
    """Folders that are empty at first and that the command can write in, as it sees them."""
    forks: bool = True
    """Whether what its processes may do is the same for one that was forked."""
    watched: tuple[Path, ...] = ()
    """Folders whose size nothing but the warden limits."""


class Jail(Protocol):
    """A module of this package that is a jail."""

    def confine(self, launch: Launch) -> Confinement:
        """Return how a start is carried out. Raises :class:`NoProgram` or :class:`JailError`."""

    def refused(self) -> str:
        """Return why it does not work here, and what would help; empty if it does. It is really tried, once."""

    def lacks(self) -> list[str]:
        """Return what it does not enforce here, each as one phrase."""
