"""Bots that do not have everybody's time."""

import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol

import pytest
from click.testing import Result

from referee.orders import MatchReport, Room, RoomReport
from tournament.home import Home

BOTS = Path(__file__).parent.parent.parent / "bots"

Call = Callable[..., Result]

WORDS = ("run", "--name", "odds", "--game", "landlord", "--bots", "random,first", "--boards", "1", "--seed", "7")
LINE = "time of random 1: 0.05 s for each decision, bank 5 s (everybody else 0.1 s, 10 s)"


class Trusted(Protocol):
    """What the fixture ``executor`` gives."""

    rooms: list[Room]

    def play(self, room: Room) -> AsyncIterator[MatchReport | RoomReport]: ...


def test_a_bot_with_time_odds_plays_with_its_own_time_and_the_table_says_so(cup: Call, executor: Trusted) -> None:
    result = cup(*WORDS, "--time", "random=0.05,5")
    assert result.exit_code == 0, result.output
    assert LINE in result.stderr
    assert LINE in result.stdout
    assert LINE in cup("ratings", "odds").stdout
    assert "time of" not in cup("ratings", "cup").stdout
    for room in executor.rooms:
        times = {p.bot: (t.move_time, t.bank_time) for p, t in zip(room.players, room.time_controls, strict=True)}
        assert times == {"random": (0.05, 5.0), "first": (0.1, 10.0)}
    held = json.loads(cup("show", "odds", "--format", "json").stdout)["configuration"]["pools"][0]["bots"]
    assert [(bot["bot"], bot["time_odds"]) for bot in held] == [("random", [0.05, 5.0]), ("first", None)]
    assert cup("verify", "odds").exit_code == 0


def test_a_tournament_with_time_odds_goes_on_with_the_same_only(cup: Call) -> None:
    assert cup(*WORDS, "--time", "random@1=0.05,5").exit_code == 0
    assert cup("run", "--name", "odds").exit_code == 0
    assert cup(*WORDS, "--time", "random=0.05,5").exit_code == 0
    changed = cup(*WORDS, "--time", "first=0.05,5")
    assert changed.exit_code == 2
    assert "time of random@1: 0.05,5.0, not everybody's; time of first@1: everybody's, not 0.05,5.0" in changed.stderr


def test_a_file_gives_time_odds_and_show_prints_them(cup: Call, tmp_path: Path) -> None:
    path = tmp_path / "tournament.toml"
    path.write_text(
        'name = "odds"\nboards = 1\nbots = ["random", "first"]\n[games.landlord]\n[time]\n"first@1" = [0.2, 0]\n'
    )
    result = cup("run", "--config", path)
    assert result.exit_code == 0, result.output
    assert "time of first 1: 0.2 s for each decision, bank 0 s" in result.stdout
    shown = cup("show", "odds").stdout
    assert '[time]\n"first@1" = [0.2, 0.0]\n' in shown
    path.write_text(shown)
    assert cup("run", "--config", path).exit_code == 0


def test_verify_finds_a_match_that_was_held_with_another_time(cup: Call, home: Home) -> None:
    with sqlite3.connect(home.database) as connection:
        connection.execute(
            "UPDATE tournaments SET configuration = replace(configuration, '\"move_time\":0.1', '\"move_time\":0.2')"
        )
    result = cup("verify", "cup")
    assert result.exit_code == 1
    assert "its record differs from the schedule in time_controls" in result.stdout


@pytest.mark.parametrize(
    ("odds", "message"),
    [
        ("random", "--time random: BOT=move,bank with both in seconds is allowed, such as greedy=0.05,5"),
        ("random=0.1", "--time random=0.1: BOT=move,bank"),
        ("random=fast,1", "--time random=fast,1: BOT=move,bank"),
        ("random=0,1", "--time random=0,1: a move time above 0 and a bank of 0 or more is allowed"),
        ("random=0.1,nan", "--time random=0.1,nan: a move time above 0"),
        ("rondom=0.1,1", "unknown bot of --time 'rondom': did you mean random@1? known are random@1, first@1"),
        ("random@2=0.1,1", "unknown bot of --time 'random@2'"),
    ],
)
def test_wrong_time_odds_are_refused(cup: Call, odds: str, message: str) -> None:
    result = cup(*WORDS, "--time", odds)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert "odds" not in cup("list").stdout


def test_a_bot_has_one_time_odds_and_of_two_versions_one_is_named(cup: Call, tmp_path: Path) -> None:
    twice = cup(*WORDS, "--time", "random=0.1,1", "--time", "random@1=0.2,1")
    assert "--time names bot random@1 twice: once is allowed" in twice.stderr
    (tmp_path / "random.py").write_text((BOTS / "first" / "bot.py").read_text())
    assert cup("submit", tmp_path / "random.py").exit_code == 0
    both = ("run", "--name", "odds", "--game", "landlord", "--bots", "random@1,random@2", "--boards", "1")
    refused = cup(*both, "--time", "random=0.1,1")
    assert "--time random: random@1 and random@2 take part: name the version" in refused.stderr
    assert cup(*both, "--time", "random@2=0.1,1").exit_code == 0
