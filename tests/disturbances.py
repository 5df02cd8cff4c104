"""A tournament of real processes that is disturbed, beside one that is left alone."""

import json
import math
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from tournament.bundle import copy_bundle, read_bundle
from tournament.cli import cli
from tournament.home import Home
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.matches import count_matches
from tournament.store.tournaments import all_tournaments, find_tournament

BOTS = Path(__file__).parent.parent / "bots"


def command(*words: str) -> list[str]:
    """Return a command line that does what ``tournament`` does."""
    return [sys.executable, "-c", "from tournament.cli import main; main()", *words]


def cup_of(boards: int) -> tuple[str, ...]:
    """Return the command that plays a cup, or goes on with it. It has two matches for each board."""
    words = ("run", "--name", "cup", "--game", "landlord", "--bots", "random,first", "--boards", str(boards))
    return (*words, "--seed", "7", "--jobs", "2", "--quiet")


CUP = cup_of(20)


def prepare(home: Path, *more: Path) -> None:
    """Enter random, first and other bots without trying them: that is tested elsewhere."""
    place = Home(home)
    with Store.create(place) as store:
        for path in (BOTS / "random", BOTS / "first", *more):
            bundle = read_bundle(path)
            copy_bundle(bundle, place.bundles)
            add_version(store, bundle)


def output(home: Path, *words: str) -> str:
    """Return what a command prints, run in this process. It must do well."""
    done = CliRunner().invoke(cli, ["--home", str(home), *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def begin(home: Path, *words: str) -> subprocess.Popen[str]:
    """Begin a command whose messages can be read afterwards."""
    return subprocess.Popen(
        command("--home", str(home), *words),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def played(home: Path) -> int:
    """Return how many matches of the cup are stored."""
    with Store.open(Home(home)) as store:
        names = [row.name for row in all_tournaments(store)]
        return count_matches(store, find_tournament(store, "cup").pools[0]) if names else 0


def wait_for(home: Path, matches: int, process: subprocess.Popen[str], most: float = math.inf) -> None:
    """Wait until so many matches are stored, the process has ended, or ``most`` seconds have passed."""
    deadline = time.monotonic() + most
    while played(home) < matches and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)


@dataclass(frozen=True, slots=True)
class Ending:
    """What a tournament comes to: two are equal only if every decision and every rating is the same."""

    table: str
    verified: dict[str, object]
    """What ``tournament verify`` found, with the digest over all records."""


def ending(home: Path) -> Ending:
    """Return what the cup has come to."""
    verified = json.loads(output(home, "verify", "cup", "--format", "json"))
    return Ending(output(home, "ratings", "cup", "--format", "json"), verified)
