"""The command ``referee match``, as a bot's author uses it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cardpit.games.seeds import commitment
from referee.record import check, parse

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "bots"


def referee(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", "from referee.cli import main; main()", "match", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_one_match_by_hand_shows_a_line_a_seat() -> None:
    done = referee("--game", "landlord", BOTS / "first", BOTS / "random", "--seed", 3)
    assert done.returncode == 0
    first, second = done.stdout.splitlines()
    assert "seat 0  first" in first
    assert "seat 1  random" in second
    assert ("place 1" in first) != ("place 1" in second)
    # On a busy machine the match may be marked.
    assert [line for line in done.stderr.splitlines() if "marked for lag" not in line] == []


def test_the_same_seed_is_the_same_match_and_rotations_share_the_deal() -> None:
    arguments = ("--game", "landlord", BOTS / "first", BOTS / "first", "--seed", "x", "--moves", "--rotate")
    once, again = referee(*arguments), referee(*arguments)
    moves = [line for line in once.stdout.splitlines() if "place" not in line]
    assert moves == [line for line in again.stdout.splitlines() if "place" not in line]
    assert moves[: len(moves) // 2] == moves[len(moves) // 2 :]


def test_json_has_what_a_script_needs() -> None:
    done = referee("--game", "twenty-two", *[BOTS / "random"] * 3, "--seed", 1, "--format", "json")
    match = json.loads(done.stdout)
    assert match["termination"] == "normal"
    assert match["lagged"] == (match["lag_time"] > 0.1 / 4)
    assert [seat["bot"] for seat in match["seats"]] == ["random"] * 3
    assert sorted(seat["place"] for seat in match["seats"])[0] == 1


def test_a_record_is_written_with_its_seed_revealed(tmp_path: Path) -> None:
    file = tmp_path / "match.pb"
    assert referee("--game", "speed", BOTS / "first", BOTS / "random", "--seed", 4, "--record", file).returncode == 0
    record = parse(file.read_bytes())
    assert commitment(record.header.seed) == record.header.seed_commitment
    assert check(record, record.header.seed) == []


def test_a_board_of_a_tournament_is_played_again_by_its_seed(tmp_path: Path) -> None:
    first, again = tmp_path / "first.pb", tmp_path / "again.pb"
    bots = ("--game", "speed", BOTS / "first", BOTS / "random")
    assert referee(*bots, "--seed", 4, "--boards", 2, "--record", first).returncode == 0
    record = parse(first.read_bytes())
    assert referee(*bots, "--board-seed", record.header.seed.hex(), "--record", again).returncode == 0
    assert [*parse(again.read_bytes()).steps] == [*record.steps]


def test_a_bot_at_fault_gives_exit_code_1_and_its_own_words(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text("from cardpit import Bot\nclass Broken(Bot):\n    pass\nBroken.run()\n")
    done = referee("--game", "landlord", bot, BOTS / "first", "--seed", 4)
    assert done.returncode == 1
    assert "crash: exited with 1" in done.stdout
    assert "broken: NotImplementedError: Broken has no act(turn)" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--game", "chess", "bots/first", "bots/first"), "unknown game 'chess': known are landlord, "),
        (("--game", "speed", "bots/first", "bots/first", "--boards", "0"), "invalid value for '--boards': 0 is not in"),
        (("--game", "speed", "bots/first", "bots/first", "--board-seed", "ab"), "--board-seed 'ab': 64 hexadecimal"),
        (("--game", "landlord", "bots/first"), "landlord is not for 1 players: allowed is 2"),
        (
            ("--game", "landlord", "bots/first", "bots/nobody"),
            "bots/nobody does not exist: give a folder",
        ),
        (("--game", "landlord", "bots/first", "README.md"), "README.md is no folder and no Python file"),
        (("--game", "landlord", "bots/first", "docs"), "docs has no bot.toml: it needs one"),
        (("--game", "speed", "bots/first", "bots/landlord_rules"), "bots/landlord_rules plays landlord: not speed"),
        (("--game", "landlord", "bots/first", "bots/first", "--parameter", "cap=0"), "parameter cap cannot be 0"),
        (("--game", "landlord", "bots/first", "bots/first", "--parameter", "cap"), "'cap' is no NAME=VALUE"),
        (("--game", "landlord", "bots/first", "bots/first", "--parameter", "x=1"), "landlord has no parameter 'x'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    done = referee(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
