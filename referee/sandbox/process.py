"""The ``process`` jail: a session of its own, resource limits, and no privileges. For one's own bots.

It hides nothing from them but what a user of their own cannot read.
"""

import os
import sys
from functools import cache
from pathlib import Path

from referee.sandbox.cgroups import group_shortcomings
from referee.sandbox.jail import Confinement, Launch, NoProgram, owned_folders
from referee.sandbox.system import find_program
from referee.sandbox.users import open_to_all, users_refused


def confine(launch: Launch) -> Confinement:
    """Return how a start is carried out. Raises :class:`NoProgram`."""
    program = find_program(launch.command, launch.folder, launch.environment.get("PATH", os.defpath))
    if program is None:
        raise NoProgram(f"{launch.command[0]}: no such program")
    home = str(launch.scratch.home)
    return Confinement(
        command=launch.command,
        environment={**launch.environment, "HOME": home, "TMPDIR": home},
        folder=launch.folder,
        limits=launch.limits,
        own_user=not _user_refused(launch.folder, Path(program)),
        drops=True,
        given=owned_folders(launch),
        places=(home,),
        watched=(launch.scratch.home, *((launch.folder,) if launch.writable else ())),
    )


@cache
def _user_refused(*needed: Path) -> str:
    """Return why a bot cannot have a user of its own that can still read what it needs; empty if it can."""
    if refusal := users_refused():
        return refusal
    for path in (Path(sys.prefix), Path(sys.base_prefix), *needed):
        if not open_to_all(path):
            return f"{path} is closed to other users"
    return ""


def refused() -> str:
    """Return an empty text: it works everywhere."""
    return ""


def lacks_limits() -> list[str]:
    """Return which limits are not kept by the kernel, or not at all."""
    missing = []
    if refusal := _user_refused():
        missing.append(f"a user of its own for each seat ({refusal})")
    missing += group_shortcomings()
    missing.append("temporary files by the kernel, only by looking ten times a second")
    return missing


def lacks() -> list[str]:
    """Return what it does not enforce here, each as one phrase."""
    return [*lacks_limits(), "anything about files, network, other processes or system calls"]
