"""The processes of a bot as the referee sees them: what they have used, and how they are stopped for a while.

For machines on which no control group can be made; where one can, it knows better.
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterator

from referee.sandbox.family import descendants

_TICKS = os.sysconf("SC_CLK_TCK")
_MOST_ROUNDS = 8
"""After so many looks for new processes a bot that forks faster than it is stopped is left alone."""


def offspring(pid: int) -> list[int]:
    """Return the processes below a process, parents first."""
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):  # noqa: PTH110 - for each decision
        return descendants(pid)
    found = list(_children(pid))
    for child in found:
        found.extend(_children(child))
    return found


def cpu_time(pid: int) -> float:
    """Return the CPU seconds of all processes below a process, and of those that had ended and were waited for."""
    family = offspring(pid)
    return _ended_children(pid) + sum(_own(child) + _ended_children(child) for child in family)


def stop(pid: int) -> None:
    """Stop every process below a process."""
    stopped: set[int] = set()
    for _ in range(_MOST_ROUNDS):
        new = [child for child in offspring(pid) if child not in stopped]
        if not new:
            return
        _signal(new, signal.SIGSTOP)
        stopped.update(new)


def resume(pid: int) -> None:
    """Let every process below a process go on."""
    _signal(offspring(pid), signal.SIGCONT)


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _children(pid: int) -> Iterator[int]:
    """Yield the children of all threads of a process; nothing if it has ended."""
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                yield from map(int, file.read().split())


def _own(pid: int) -> float:
    """Return the CPU seconds of a process with all its threads; 0 if it has ended."""
    try:
        # The number of a process's clock, as clock_getcpuclockid(3) makes it.
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0.0


def _ended_children(pid: int) -> float:
    """Return the CPU seconds of the children that a process has waited for."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        words = file.read().rpartition(b")")[2].split()
        return (int(words[13]) + int(words[14])) / _TICKS
    return 0.0
