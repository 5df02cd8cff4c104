"""Jails: how bots are confined. Each makes of a command what is run in its place."""

from collections.abc import Callable, Sequence
from types import MappingProxyType

from referee.sandbox import process, unconfined
from referee.sandbox.jail import BotProcess, Confinement, make_scratch

__all__ = ["JAILS", "BotProcess", "Confinement", "UnknownJail", "find_jail", "make_scratch"]

Jail = Callable[[Sequence[str]], Confinement]

JAILS: MappingProxyType[str, Jail] = MappingProxyType({"process": process.confine, "none": unconfined.confine})
"""Every jail by its name, the strictest first."""


class UnknownJail(ValueError):
    """No jail has this name."""


def find_jail(name: str) -> Jail:
    """Return the jail with this name. Raises :class:`UnknownJail`, which lists the known ones."""
    try:
        return JAILS[name]
    except KeyError:
        raise UnknownJail(f"unknown jail {name!r}: known are {', '.join(JAILS)}") from None
