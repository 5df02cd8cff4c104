"""Users of their own for bots, where the platform runs as root: so many bots, so many users, none of them known.

A bot's user has the number of its warden's process on top of a base, so that no two that live at once share one and
nothing has to be kept or given back.
"""

import os
from functools import cache
from pathlib import Path

BASE = 1 << 30
"""Far above the numbers that systems and containers give out."""

_SPAN = 1 << 22
"""More process numbers than a kernel has."""


@cache
def users_refused() -> str:
    """Return why bots cannot have users of their own; empty if they can."""
    if os.geteuid() != 0:
        return "the platform does not run as root"
    for table in ("uid_map", "gid_map"):
        if not _maps(Path("/proc/self", table).read_text()):
            return f"this container has no users from {BASE} on"
    return ""


def _maps(table: str) -> bool:
    """Tell whether a user namespace has all the numbers."""
    spans = (tuple(map(int, line.split())) for line in table.splitlines())
    return any(first <= BASE and first + count >= BASE + _SPAN for first, _, count in spans)


def open_to_all(path: Path) -> bool:
    """Tell whether every user may read a path: all folders above it included."""
    path = path.resolve()
    needed = 0o005 if path.is_dir() else 0o004
    return path.stat().st_mode & needed == needed and all(p.stat().st_mode & 0o001 for p in path.parents)
