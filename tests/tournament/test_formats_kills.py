"""A swiss with real processes, killed in the middle of rounds: it ends in the records of an undisturbed run."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

BOTS = Path(__file__).parent.parent.parent / "bots"
NAMES = ("one", "two", "three", "four")
RUN = ("run", "--name", "league", "--game", "landlord", "--schedule", "swiss", "--rounds", "3", "--boards", "6")
ARGUMENTS = (*RUN, "--bots", ",".join(NAMES), "--seed", "7", "--jobs", "2", "--quiet")
MATCHES = 2 * 3 * 6 * 2
KILLS = 3


def command(home: Path, *words: str) -> list[str]:
    return [sys.executable, "-c", "from tournament.cli import main; main()", "--home", str(home), *words]


def output(home: Path, *words: str) -> str:
    done = subprocess.run(command(home, *words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def prepare(home: Path) -> None:
    """Enter four bots without trying them: that is tested elsewhere."""
    from tournament.bundle import copy_bundle, read_bundle
    from tournament.home import Home
    from tournament.store.bots import add_version
    from tournament.store.database import Store

    place = Home(home)
    with Store.create(place) as store:
        for number, name in enumerate(NAMES):
            bundle = read_bundle(BOTS / ("random" if number % 2 else "first"), name)
            copy_bundle(bundle, place.bundles)
            add_version(store, bundle)


def played(home: Path) -> int:
    with closing(sqlite3.connect(home / "cardpit.db", timeout=10)) as connection:
        count: int = connection.execute("SELECT count(*) FROM matches").fetchone()[0]
    return count


@pytest.mark.timeout(300)
def test_kills_in_the_middle_of_rounds_change_no_pairing_and_double_no_board(tmp_path: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    prepare(undisturbed)
    output(undisturbed, *ARGUMENTS)
    prepare(killed)
    for kill in range(KILLS):
        # Spread over all three rounds, and not at their ends.
        target = MATCHES * (2 * kill + 1) // (2 * KILLS)
        with subprocess.Popen(
            command(killed, *ARGUMENTS), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            while played(killed) < target and process.poll() is None:
                time.sleep(0.01)
            assert process.poll() is None
            os.kill(process.pid, signal.SIGKILL)
        assert target <= played(killed) < MATCHES
    output(killed, *ARGUMENTS)
    assert played(killed) == MATCHES
    found, expected = (
        json.loads(output(home, "verify", "league", "--format", "json")) for home in (killed, undisturbed)
    )
    assert found == expected
    assert found["matches"] == MATCHES
