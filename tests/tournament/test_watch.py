"""A tournament that takes in what is submitted while it goes on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tournament.home import Home
from tournament.store.database import Store
from tournament.store.matches import finished_boards
from tournament.store.tournaments import StoredTournament, find_tournament
from tournament.watch import latecomers

Call = Callable[..., Result]

BOTS = Path(__file__).parent.parent.parent / "bots"


@pytest.fixture
def submit(cup: Call, tmp_path: Path) -> Callable[[str], None]:
    """Submit another random bot."""

    def submit(name: str) -> None:
        path = tmp_path / f"{name}.py"
        path.write_text((BOTS / "random" / "bot.py").read_text() + f"\n# {name}\n")
        assert cup("submit", path).exit_code == 0

    return submit


def boards_of(home: Home) -> set[int]:
    """The pairings of cup with a finished board."""
    with Store.open(home) as store:
        return {pairing for pairing, _ in finished_boards(store, cup_of(store).pools[0])}


def cup_of(store: Store) -> StoredTournament:
    return find_tournament(store, "cup")


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, "it has not come to pass"
        time.sleep(0.2)


def test_bots_that_are_submitted_meanwhile_are_taken_in(
    cup: Call, submit: Callable[[str], None], home: Home, tmp_path: Path
) -> None:
    submit("late")
    words = [str(Path(sys.executable).with_name("tournament")), "run", "--name", "cup", "--watch", "--plain"]
    with (tmp_path / "said").open("w") as said:
        running = subprocess.Popen(words, stdout=said, stderr=said, env=os.environ | {"CARDPIT_HOME": str(home.folder)})
    try:
        wait_for(lambda: boards_of(home) == {0, 1, 2})
        submit("later")
        wait_for(lambda: boards_of(home) == {0, 1, 2, 3, 4, 5})
        wait_for(lambda: (tmp_path / "said").read_text().count("waiting for new bots") == 2)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
    finally:
        running.kill()
        running.wait()
    text = (tmp_path / "said").read_text()
    assert "taking in late@1\n" in text
    assert "taking in later@1\n" in text
    assert "seed " not in text.replace("of the seed", "")
    with Store.open(home) as store:
        tournament = cup_of(store)
        assert (tournament.finished, latecomers(store, tournament)) == (False, [])
        assert tournament.pools[0].labels == ("random 1", "first 1", "late 1", "later 1")
    done = cup("run", "--name", "cup", "--quiet")
    assert (done.exit_code, "finished; the data lies in" in done.stderr) == (0, True)


def test_what_was_there_before_or_plays_another_game_is_no_latecomer(
    cup: Call, submit: Callable[[str], None], home: Home, tmp_path: Path
) -> None:
    path = tmp_path / "other.py"
    path.write_text(
        (BOTS / "first" / "bot.py").read_text().replace("    def act", '    games = ("spit",)\n\n    def act')
    )
    assert cup("submit", path).exit_code == 0
    with Store.open(home) as store:
        assert latecomers(store, cup_of(store)) == []
    submit("late")
    submit("random")
    with Store.open(home) as store:
        assert latecomers(store, cup_of(store)) == ["late@1", "random@2"]


@pytest.mark.parametrize("schedule", ["swiss", "knockout"])
def test_a_schedule_that_takes_no_newcomers_is_not_watched(cup: Call, schedule: str) -> None:
    words = ("--game", "landlord", "--bots", "random,first", "--boards", "1", "--schedule", schedule, "--watch")
    result = cup("run", "--name", "league", *words)
    assert result.exit_code == 2
    assert f"--watch: landlord of league is held as {schedule}: no bot can come later" in result.stderr
