"""Matches in which the referee itself was late are marked, wherever matches are shown."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

BOT = """\
import time
from cardpit import Bot

class Blocker(Bot):
    games = ("landlord",)

    def act(self, turn):
        time.sleep({pause})
        return 0
"""
"""In this process a bot that takes its time keeps the referee from looking at the clock."""


def run(cup: Callable[..., Result], folder: Path, pause: float, *options: str) -> Result:
    path = folder / "blocker.py"
    path.write_text(BOT.format(pause=pause))
    assert cup("submit", path).exit_code == 0
    words = ("--game", "landlord", "--bots", "first,blocker", "--boards", "1", "--seed", "7", *options)
    result = cup("run", "--name", "slow", *words)
    assert result.exit_code == 0, result.output
    return result


def test_a_match_in_which_the_referee_was_late_is_marked(cup: Callable[..., Result], tmp_path: Path) -> None:
    result = run(cup, tmp_path, 0.04)
    assert "landlord: 2 of 2 matches are marked for lag" in result.stderr
    rows = json.loads(cup("matches", "slow", "--format", "json").stdout)
    assert [row["lagged"] for row in rows] == [True, True]
    assert all(0.04 <= row["lag_time"] < 2.0 for row in rows)
    assert [row["strikes"] for row in rows] == [[0, 0]] * 2
    listed = list(csv.DictReader(io.StringIO(cup("matches", "slow", "--lagged", "--format", "csv").stdout)))
    assert [row["match"] for row in listed] == [row["match"] for row in rows]
    assert cup("matches", "slow").stdout.count("  marked") == 2
    assert "marked for lag: the referee itself was up to" in cup("logs", rows[0]["match"]).stdout


def test_a_match_is_not_marked_where_the_move_time_allows_for_the_lag(
    cup: Callable[..., Result], tmp_path: Path
) -> None:
    result = run(cup, tmp_path, 0.04, "--move-time", "8")
    assert "marked for lag" not in result.stderr
    assert json.loads(cup("matches", "slow", "--lagged", "--format", "json").stdout) == []
    assert "  marked" not in cup("matches", "slow").stdout
    (name, *_) = (row["match"] for row in json.loads(cup("matches", "slow", "--format", "json").stdout))
    assert "marked for lag" not in cup("logs", name).stdout


def test_the_shortest_move_time_in_a_pool_is_what_counts(cup: Callable[..., Result], tmp_path: Path) -> None:
    result = run(cup, tmp_path, 0.04, "--move-time", "8", "--time", "first=0.1,5")
    assert "landlord: 2 of 2 matches are marked for lag" in result.stderr
