"""Real processes, killed at random moments: the tournament goes on and ends in the same table."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

BOTS = Path(__file__).parent.parent.parent / "bots"
KILLS = 20
RUN = ("run", "--name", "cup", "--game", "landlord", "--bots", "random,first", "--boards", "60", "--seed", "7")


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from tournament.cli import main; main()", *words]


def output(home: Path, *words: str) -> str:
    done = subprocess.run(command("--home", str(home), *words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def prepare(home: Path) -> None:
    """Enter two bots without trying them: that is tested elsewhere."""
    from tournament.bundle import copy_bundle, read_bundle
    from tournament.home import Home
    from tournament.store.bots import add_version
    from tournament.store.database import Store

    place = Home(home)
    with Store.create(place) as store:
        for name in ("random", "first"):
            bundle = read_bundle(BOTS / name)
            copy_bundle(bundle, place.bundles)
            add_version(store, bundle)


def played(home: Path) -> int:
    """Return how many matches are stored."""
    with closing(sqlite3.connect(home / "cardpit.db", timeout=10)) as connection:
        count: int = connection.execute("SELECT count(*) FROM matches").fetchone()[0]
    return count


def children_of(pid: int) -> set[int]:
    """Return all processes that descend from one."""
    parents: dict[int, int] = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                stat = (path / "stat").read_text()
            except OSError:
                continue
            parents[int(path.name)] = int(stat.rpartition(")")[2].split()[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.timeout(600)
def test_twenty_kills_end_in_the_table_of_an_undisturbed_run(tmp_path: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    prepare(undisturbed)
    output(undisturbed, *RUN, "--quiet")
    expected = output(undisturbed, "ratings", "cup", "--format", "json")
    assert json.loads(expected)[0]["boards"] == 60

    prepare(killed)
    moments = random.Random(5)
    kills = 0
    orphans: set[int] = set()
    while kills < KILLS:
        with subprocess.Popen(
            command("--home", str(killed), *RUN, "--quiet", "--jobs", "2"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            if kills % 2:
                # While it starts, or goes through what is done.
                time.sleep(moments.uniform(0.05, 1.0))
            else:
                # In the middle of matches, whatever the speed of the machine.
                target = played(killed) + moments.randint(1, 4)
                while played(killed) < target and process.poll() is None:
                    time.sleep(0.01)
                time.sleep(moments.uniform(0.0, 0.03))
            if process.poll() is not None:
                assert process.returncode == 0, process.stderr and process.stderr.read()
                break
            orphans |= children_of(process.pid)
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
    output(killed, *RUN, "--quiet")
    assert output(killed, "ratings", "cup", "--format", "json") == expected
    assert kills == KILLS
    found = json.loads(output(killed, "verify", "cup", "--format", "json"))
    reference = json.loads(output(undisturbed, "verify", "cup", "--format", "json"))
    assert found == reference
    assert found["matches"] == 120
    deadline = time.monotonic() + 15
    while any(alive(pid) for pid in orphans) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not [pid for pid in orphans if alive(pid)]
