"""Submitting, with real bot processes where a bot misbehaves."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tournament.bundle import read_bundle
from tournament.home import Home
from tournament.registry import BASELINES, baseline

BOTS = Path(__file__).parent.parent.parent / "bots"

Call = Callable[..., Result]

HEAD = 'from cardpit import Bot\n\n\nclass Tester(Bot):\n    games = ("landlord",)\n\n    def act(self, turn):\n'
TAIL = '\n\nif __name__ == "__main__":\n    Tester.run()\n'


def bundles(home: Home) -> list[str]:
    return sorted(path.name for path in home.bundles.iterdir())


@pytest.mark.usefixtures("executor")
def test_a_bot_gets_version_after_version_and_identical_content_changes_nothing(
    call: Call, home: Home, tmp_path: Path
) -> None:
    path = tmp_path / "tester.py"
    path.write_text(HEAD + "        return 0\n")
    first = call("submit", path)
    assert first.stdout == "submitted tester 1: plays landlord; 2 matches tried\n"
    assert call("submit", path).stdout == "tester 1 has just this content: nothing changed\n"
    path.write_text(HEAD + "        return -1 % len(turn.legal_actions)\n")
    assert call("submit", path).stdout.startswith("submitted tester 2: ")
    rows = json.loads(call("bots", "tester", "--format", "json").stdout)
    assert [(row["version"], row["games"]) for row in rows] == [(1, ["landlord"]), (2, ["landlord"])]
    assert sorted(row["bundle_hash"] for row in rows) == bundles(home)
    assert [row["version"] for row in json.loads(call("bots", "--format", "json").stdout)] == [2]


def test_a_bot_is_tried_in_every_game_that_it_claims_and_in_every_seat(
    call: Call, executor: "object", tmp_path: Path
) -> None:
    path = tmp_path / "tester.py"
    path.write_text((HEAD + "        return 0\n").replace('("landlord",)', '("landlord", "twenty-two", "speed")'))
    assert call("submit", path).exit_code == 0
    tried = {(room.game, [p.bot for p in room.players].index("tester")) for room in executor.rooms}  # type: ignore[attr-defined]
    assert tried == {(game, seat) for game in ("landlord", "twenty-two", "speed") for seat in (0, 1)}


@pytest.mark.usefixtures("executor")
def test_a_name_can_be_given(call: Call) -> None:
    assert "submitted other 1" in call("submit", BOTS / "first", "--name", "other").stdout


@pytest.mark.parametrize(
    ("act", "verdict"),
    [
        ('        raise ValueError("oh no")', "ValueError: oh no"),
        ('        return "fly away"', "illegal action: strike 3 of 3: answered 'fly away'"),
        ("        import os\n        os._exit(7)", "crash: "),
    ],
)
def test_a_faulty_bot_is_refused_with_its_verdict_and_leaves_nothing(
    call: Call, home: Home, tmp_path: Path, act: str, verdict: str
) -> None:
    path = tmp_path / "tester.py"
    path.write_text(HEAD + act + TAIL)
    result = call("submit", path, "--jobs", "1")
    assert result.exit_code == 1, result.output
    assert "tournament: bot tester is refused in seat 0 of landlord" in result.stderr
    assert verdict in result.stderr
    assert "what to do: " in result.stderr
    assert result.stdout == ""
    assert bundles(home) == []
    assert json.loads(call("bots", "--format", "json").stdout) == []


@pytest.mark.usefixtures("executor")
def test_a_bot_that_is_at_fault_in_one_of_its_games_is_refused(call: Call, home: Home, tmp_path: Path) -> None:
    path = tmp_path / "tester.py"
    act = "        return 0 if turn.table.game == 'landlord' else 'fly away'"
    path.write_text(HEAD.replace('("landlord",)', '("landlord", "twenty-two")') + act + TAIL)
    result = call("submit", path)
    assert result.exit_code == 1, result.output
    assert "bot tester is refused in seat 0 of twenty-two: illegal action: strike 3 of 3" in result.stderr
    assert bundles(home) == []
    assert call("bots", "--format", "json").stdout == "[]\n"


def test_a_file_that_does_not_run_its_bot_is_refused_as_a_failed_start(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "tester.py"
    path.write_text(HEAD + "        return 0\n")
    result = call("submit", path, "--jobs", "1")
    assert result.exit_code == 1
    assert "is refused in seat 0 of landlord: " in result.stderr


def test_a_working_bot_gets_through_as_a_process(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "tester.py"
    path.write_text(HEAD + "        print('thinking')\n        return 0" + TAIL)
    result = call("submit", path, "--jobs", "2")
    assert result.exit_code == 0, result.output
    assert result.stdout == "submitted tester 1: plays landlord; 2 matches tried\n"


def test_a_failing_build_is_exit_code_1(call: Call, home: Home, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "b"\ncommand = ["./bot"]\nbuild = ["sh", "-c", "echo no compiler; exit 4"]\n'
    )
    result = call("submit", tmp_path)
    assert result.exit_code == 1
    assert "its build ended with exit status 4" in result.stderr
    assert "no compiler" in result.stderr
    assert bundles(home) == []


def test_an_installation_has_the_built_in_bots_and_the_pages() -> None:
    project = tomllib.loads((BOTS.parent / "pyproject.toml").read_text())
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    bots = {f"bots/{name}": f"share/cardpit/bots/{name}" for name in BASELINES}
    assert shared == {**bots, "docs": "share/cardpit/docs"}
    assert all(read_bundle(baseline(name)).name == name for name in BASELINES)
