"""Jails: how bots are confined. Each is a module that makes of a bot's start what is run in its place."""

from types import MappingProxyType

from referee.sandbox import bubblewrap, landlock, process, unconfined
from referee.sandbox.bot_process import BotProcess
from referee.sandbox.build import build
from referee.sandbox.jail import Confinement, Jail, JailError, Launch, NoProgram
from referee.sandbox.scratch import Scratch, sweep

__all__ = [
    "CHOICES",
    "JAILS",
    "STRONG",
    "BotProcess",
    "Confinement",
    "Jail",
    "JailError",
    "Launch",
    "NoProgram",
    "Scratch",
    "UnknownJail",
    "build",
    "choose_jail",
    "find_jail",
    "shortcomings",
    "sweep",
]

JAILS: MappingProxyType[str, Jail] = MappingProxyType(
    {"bubblewrap": bubblewrap, "landlock": landlock, "process": process, "none": unconfined}
)
"""Every jail by its name, the strictest first."""

STRONG = ("bubblewrap", "landlock")
"""The jails that hold a bot whose author is not trusted."""

CHOICES = ("auto", "require", *JAILS)
"""What may be asked for: ``auto`` is the strictest that works here, ``require`` the same, but a strong one."""


class UnknownJail(ValueError):
    """No jail has this name."""


def find_jail(name: str) -> Jail:
    """Return the jail with this name. Raises :class:`UnknownJail`, which lists the known ones."""
    try:
        return JAILS[name]
    except KeyError:
        raise UnknownJail(f"unknown jail {name!r}: known are {', '.join(JAILS)}") from None


def shortcomings(name: str) -> str:
    """Return one line that names what a jail does not enforce here; empty if it enforces all."""
    missing = find_jail(name).lacks()
    return f"jail {name} does not enforce here: {'; '.join(missing)}" if missing else ""


def choose_jail(wanted: str) -> str:
    """Return the name of the jail that an entry of ``CHOICES`` means here.

    Raises :class:`JailError` with what would help if it does not work here, and :class:`UnknownJail`.
    """
    if wanted in ("auto", "require"):
        refusals = []
        for name in STRONG:
            refusal = JAILS[name].refused()
            if not refusal:
                return name
            refusals.append(f"{name}: {refusal}")
        if wanted == "auto":
            return "process"
        raise JailError(f"jail require: no jail that holds works here: {'; '.join(refusals)}")
    if refusal := find_jail(wanted).refused():
        raise JailError(f"jail {wanted} does not work here: {refusal}")
    return wanted
