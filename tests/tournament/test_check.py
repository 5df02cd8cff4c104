"""``tournament check`` finds what is wrong with a bot in the step that is about it, and passes bots that are right."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import Result

from cardpit import Turn
from cardpit.games import GAMES
from cardpit.games.seeds import board_seed, text_seed
from cardpit.practice import play
from tournament.conformance.examinee import Opponent
from tournament.registry import BASELINES, baseline

BOTS = Path(__file__).parents[1] / "bots"

Call = Callable[..., Result]

SUBTLE = (
    ("exits", "landlord", ("start",), "startup: ended without an error before its Hello"),
    ("hello-of-one", "landlord speed", ("hello", "speed"), "its bundle claims speed, its Hello only landlord"),
    ("lower-case", "landlord", ("match",), "illegal action: landlord, seat 0 of 2: strike 1 of 1: answered 'play"),
    ("twice", "landlord", ("match",), "protocol: landlord: sent "),
    ("crash-at-the-end", "landlord", ("next",), "crash: landlord, seat 1 of 2: exited with 1"),
    ("first-table", "landlord", ("next",), "timeout: landlord, seat 1 of 2: strike 1 of 1: no answer in "),
    ("own-count", "landlord", ("next",), "timeout: "),
    ("one-game", "landlord speed", ("speed",), "crash: speed, seat 0 of 2: exited with 1"),
    ("long-list", "landlord twenty-two", ("twenty-two",), "illegal action: twenty-two, seat "),
    ("one-seat", "landlord", ("tables",), "crash: landlord, seat "),
    ("last-table", "landlord", ("tables",), "timeout: "),
    ("first-turn", "landlord", ("tables",), "timeout: "),
    ("knows-all-fields", "landlord", ("later",), "crash: landlord, seat 0 of 2: exited with 1"),
    ("knows-all-kinds", "landlord", ("later",), "crash: landlord, seat 0 of 2: exited with 1"),
    ("believer", "landlord", ("late",), "crash: landlord, seat 1 of 2: exited with 1"),
    ("old-turn", "landlord", ("late",), "timeout: landlord, seat 1 of 2: no answer to turn 2 (told of a substitution"),
    ("stays", "landlord", ("farewell",), "it still ran 1 s after Farewell, and was killed"),
    ("fails-at-farewell", "landlord", ("farewell",), "it ended with exit status 1 after Farewell: 0 is wanted"),
)
"""Bots of ``tests/bots/subtle.py``: the games that they claim, the steps that they fail in, and why in the first."""


def bundle(folder: Path, name: str, games: str = "landlord", **more: Sequence[str]) -> Path:
    """Write the bundle of a bot of ``subtle.py``, and return it."""
    folder = folder / "bundle"
    folder.mkdir()
    shutil.copy(BOTS / "subtle.py", folder)
    keys = {"command": ["python", "subtle.py", name], "games": games.split(), **more}
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    (folder / "bot.toml").write_text("\n".join([f'name = "{name}"', *lines]))
    return folder


def check(call: Call, path: Path, *words: str) -> tuple[int, list[dict[str, object]]]:
    """Check a bot, and return the exit code with what each step has found."""
    done = call("check", path, "--jail", "none", "--format", "json", *words)
    return done.exit_code, json.loads(done.stdout)


@pytest.mark.parametrize(("name", "games", "steps", "detail"), SUBTLE, ids=[row[0] for row in SUBTLE])
def test_a_subtle_fault_is_found_in_the_step_that_is_about_it(
    call: Call, tmp_path: Path, name: str, games: str, steps: tuple[str, ...], detail: str
) -> None:
    code, findings = check(call, bundle(tmp_path, name, games), "--bank-time", "3")
    failed = [finding for finding in findings if not finding["passed"]]
    assert code == 1
    assert tuple(finding["name"] for finding in failed) == steps, failed
    assert detail in str(failed[0]["detail"])
    assert failed[0]["expected"]
    assert failed[0]["advice"]


def test_a_slow_start_is_found(call: Call, tmp_path: Path) -> None:
    code, findings = check(call, bundle(tmp_path, "slow-start"), "--startup-time", "0.3")
    assert code == 1
    assert [(finding["name"], finding["passed"]) for finding in findings[2:]] == [("start", False)]
    assert findings[2]["detail"] == "startup: said no Hello within its startup time of 0.3 s"


def test_a_build_that_fails_is_found_with_what_it_wrote(call: Call, tmp_path: Path) -> None:
    script = "import sys; print('no such compiler'); sys.exit(4)"
    code, findings = check(call, bundle(tmp_path, "twice", build=["python", "-c", script]))
    assert code == 1
    assert [finding["name"] for finding in findings] == ["bundle", "build"]
    assert "its build ended with exit status 4" in str(findings[1]["detail"])
    assert findings[1]["log"] == "no such compiler"


def test_a_file_that_is_no_bot_is_found(call: Call, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("class Bot(\n")
    code, findings = check(call, tmp_path / "bot.py")
    assert (code, [finding["name"] for finding in findings]) == (1, ["bundle"])
    assert "is not Python" in str(findings[0]["detail"])


def test_a_failure_is_shown_with_what_was_expected_what_to_do_and_the_bots_own_words(
    call: Call, tmp_path: Path
) -> None:
    done = call("check", bundle(tmp_path, "crash-at-the-end"), "--jail", "none")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert [line.split()[:3] for line in lines[:5]] == [
        [str(number), "ok", name] for number, name in enumerate(("bundle", "build", "start", "hello", "match"), 1)
    ]
    assert lines[5].startswith(" 6 FAILED next ")
    assert lines[6].startswith("     expected: the bot stays after TableClosed")
    assert lines[7].startswith("     what to do: ")
    assert lines[8] == "     what the bot wrote:"
    assert "       RuntimeError: this bot cannot look at a result" in lines
    assert lines[-1] == "crash-at-the-end fails: next"


@pytest.mark.parametrize("name", BASELINES)
def test_the_built_in_bots_pass(call: Call, name: str) -> None:
    code, findings = check(call, baseline(name), "--bank-time", "60")
    assert [finding for finding in findings if not finding["passed"]] == []
    assert code == 0
    games = json.loads(call("games", "--format", "json").stdout)
    played = [finding["name"] for finding in findings if finding["name"] in {game["id"] for game in games}]
    assert played == (list(GAMES) if name in ("random", "first") else [name.removesuffix("_rules").replace("_", "-")])


def test_the_searching_bot_passes_in_a_jail_and_within_the_time_that_it_is_given(call: Call) -> None:
    done = call("check", BOTS.parents[1] / "bots" / "ismcts", "--game", "landlord", "--bank-time", "2")
    assert done.exit_code == 0, done.stdout
    assert "ismcts passes all 11 steps" in done.stdout


def test_verbose_shows_what_a_bot_writes_that_passes(call: Call, tmp_path: Path) -> None:
    bot = tmp_path / "talker.py"
    bot.write_text(
        "from cardpit import Bot\n\n\nclass Talker(Bot):\n    def act(self, turn):\n"
        "        print('my turn is', turn.number)\n        return 0\n\n\nTalker.run()\n"
    )
    quiet = call("check", bot, "--jail", "none", "--game", "landlord")
    assert quiet.exit_code == 0
    assert "my turn" not in quiet.stdout
    verbose = call("check", bot, "--jail", "none", "--game", "landlord", "--verbose")
    assert "     | my turn is 1\n" in verbose.stdout


def test_the_boards_have_long_lists() -> None:
    longest = 0

    class Watcher(Opponent):
        def act(self, turn: Turn) -> int:
            nonlocal longest
            longest = max(longest, len(turn.legal_actions))
            return super().act(turn)

    for board in range(2):
        play("twenty-two", [Watcher] * (2, 4)[board], board_seed(text_seed("check"), "twenty-two", board))
    assert longest > 500


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere",), "bundle nowhere does not exist: give a folder with a bot.toml, or a Python file"),
        ((baseline("first"), "--game", "chess"), "unknown game 'chess': known are landlord, "),
        ((baseline("first"), "--jail", "castle"), "unknown jail 'castle'"),
        ((baseline("first"), "--move-time", "0"), "0.0 is not in the range x>0"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(call: Call, words: tuple[str | Path, ...], message: str) -> None:
    done = call("check", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_game_that_the_bot_does_not_claim_is_a_failure(call: Call) -> None:
    code, findings = check(call, baseline("landlord_rules"), "--game", "spit")
    assert code == 1
    assert findings[0]["detail"] == "it plays landlord: not spit, which is asked for"
