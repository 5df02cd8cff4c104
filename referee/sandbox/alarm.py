"""An alarm that rings when a control group has used up its memory. The warden uses it.

The kernel ends one process of the group then; the warden ends the others.
"""

import os
import select

_MARGIN = 1024 * 1024
"""Bytes within which a group has reached its limit: the kernel counts in portions."""


def reached_limit(folder: str) -> bool:
    """Tell whether a group of version 1 has reached its own limit: an alarm may come from one above it, too."""
    values = []
    for name in ("memory.max_usage_in_bytes", "memory.limit_in_bytes"):
        with open(f"{folder}/{name}") as file:  # noqa: PTH123
            values.append(int(file.read()))
    return values[0] + _MARGIN >= values[1]


class MemoryAlarm:
    """Watches one group's memory. Raises OSError where that is not possible."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        flags = os.O_RDONLY | os.O_CLOEXEC
        try:
            self.descriptor = os.open(f"{folder}/memory.events", flags)
            """What to poll, for ``events``."""
            self.events = select.POLLPRI
        except FileNotFoundError:
            self.descriptor = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
            self.events = select.POLLIN
            watched = os.open(f"{folder}/memory.oom_control", flags)
            registry = os.open(f"{folder}/cgroup.event_control", os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(registry, f"{self.descriptor} {watched}".encode())
            finally:
                os.close(registry)
                os.close(watched)

    def rings(self) -> bool:
        """Tell whether the group's own limit was reached, when the descriptor says that something was."""
        if self.events == select.POLLIN:
            os.eventfd_read(self.descriptor)
            return reached_limit(self._folder)
        os.lseek(self.descriptor, 0, os.SEEK_SET)
        counts = dict(line.split() for line in os.read(self.descriptor, 4096).decode().splitlines())
        return int(counts.get("oom", 0)) > 0
