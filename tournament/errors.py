"""What can go wrong in a tournament, and the exit code that tells it.

Errors::

    TournamentError
    ├── WrongUse             exit code 2: something was asked for that cannot be; nothing was done
    │   ├── UnknownName      no bot, tournament, match or game of this name
    │   ├── BadBundle        what was submitted is no bundle
    │   ├── BadConfiguration no tournament can be held like this
    │   ├── BadHome          the home cannot be used
    │   ├── BadDatabase      the database is not one that can be used
    │   └── Busy             another process runs this tournament
    └── Failure              exit code 1: it was tried and did not work
        ├── BuildFailed      a bundle's build command
        ├── Refused          a bot that did not get through its qualification
        └── StoreFailed      the database: a full disk, a lock, a lost file
            └── StoreLost    its server cannot be reached; it may come back
"""

from collections.abc import Iterable
from difflib import get_close_matches


class TournamentError(Exception):
    """Something that ends a command with one line on stderr."""

    exit_code = 1


class WrongUse(TournamentError):
    """Something was asked for that cannot be; nothing was done."""

    exit_code = 2


class UnknownName(WrongUse):
    """No bot, tournament, match or game has this name."""


class BadBundle(WrongUse):
    """What was submitted is no bundle."""


class BadConfiguration(WrongUse):
    """No tournament can be held like this."""


class BadHome(WrongUse):
    """The home cannot be used."""


class BadDatabase(WrongUse):
    """The database is not one that can be used."""


class Busy(WrongUse):
    """Another process runs this tournament now."""


class Failure(TournamentError):
    """It was tried and did not work."""


class BuildFailed(Failure):
    """A bundle's build command failed."""


class Refused(Failure):
    """A bot did not get through its qualification."""


class StoreFailed(Failure):
    """The database could not be used."""


class StoreLost(StoreFailed):
    """The server of the database cannot be reached; it may come back."""


def unknown(kind: str, name: str, known: Iterable[str], none: str = "there are none yet") -> UnknownName:
    """Return the error for a name that nothing has: with the likeliest one that was meant, and some that exist."""
    names = list(known)
    if not names:
        return UnknownName(f"unknown {kind} {name!r}: {none}")
    guess = get_close_matches(name.lower(), [n.lower() for n in names], n=1, cutoff=0.6)
    meant = next((f"did you mean {n}? " for n in names if guess and n.lower() == guess[0]), "")
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return UnknownName(f"unknown {kind} {name!r}: {meant}known are {', '.join(names[:12])}{more}")
