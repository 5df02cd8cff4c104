"""Real processes, killed at random moments: the tournament goes on and ends in the same table."""

import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from disturbances import begin, cup_of, ending, output, played, prepare, wait_for

KILLS = 50
BOARDS = 150
CUP = cup_of(BOARDS)


def processes() -> dict[int, tuple[int, str]]:
    """Return the parent and the command line of every process that lives."""
    found = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            with suppress(OSError):
                state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
                if state != "Z":
                    found[int(path.name)] = (int(parent), (path / "cmdline").read_text().replace("\0", " "))
    return found


def children_of(pid: int) -> dict[int, str]:
    """Return all processes that descend from one, with their command lines."""
    every = processes()
    found = {pid}
    while more := {child for child, (parent, _) in every.items() if parent in found} - found:
        found |= more
    return {child: every[child][1] for child in found - {pid} if child in every}


def kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def the_coordinator(process: subprocess.Popen[str]) -> list[int]:
    """Return the process that stores results; its workers end with it."""
    return [process.pid]


def everything(process: subprocess.Popen[str]) -> list[int]:
    """Return the coordinator, then its workers, their bots and whatever stands between them, as they come."""
    return [process.pid, *children_of(process.pid)]


def a_worker(process: subprocess.Popen[str]) -> list[int]:
    """Return a worker, if there is one: its rooms are played again by another, without an end of the run."""
    workers = [pid for pid, words in children_of(process.pid).items() if "referee.worker" in words]
    return [min(workers, default=process.pid)]


@pytest.mark.timeout(600)
def test_fifty_kills_end_in_the_table_of_an_undisturbed_run(tmp_path: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    prepare(undisturbed)
    output(undisturbed, *CUP)
    expected = ending(undisturbed)
    assert expected.verified["matches"] == 2 * BOARDS

    prepare(killed)
    moments = random.Random(5)
    orphans: set[int] = set()
    process = begin(killed, *CUP)
    for number in range(KILLS):
        if number % 2:
            # While it starts, or goes through what is done.
            wait_for(killed, played(killed) + 3, process, moments.uniform(0.05, 0.9))
        else:
            # In the middle of matches, whatever the speed of the machine.
            wait_for(killed, played(killed) + moments.randint(1, 3), process)
            time.sleep(moments.uniform(0.0, 0.03))
        orphans |= children_of(process.pid).keys()
        victims = moments.choice((the_coordinator, everything, a_worker))(process)
        for pid in victims:
            kill(pid)
        if process.pid in victims or process.poll() is not None:
            _, err = process.communicate()
            # Of itself it may only have ended because of a room in which three workers were killed.
            assert process.returncode in (-signal.SIGKILL, 1), err
            process = begin(killed, *CUP)
    _, err = process.communicate()
    assert process.returncode in (0, 1), err
    output(killed, *CUP)
    assert ending(killed) == expected
    deadline = time.monotonic() + 15
    while orphans & processes().keys() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not orphans & processes().keys()
