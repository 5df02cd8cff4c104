"""Every wrong use: exit code 2, one line on stderr that names the thing and what was allowed, nothing half-done."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tournament.home import Home

BOTS = Path(__file__).parent.parent.parent / "bots"

Call = Callable[..., Result]

NEW = ("run", "--name", "new", "--game", "landlord", "--bots", "random,first")
CUP = ("run", "--name", "cup")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*NEW[:3], "--game", "landlrod"), "unknown game 'landlrod': did you mean landlord? known are landlord"),
        ((*NEW, "--parameter", "cop=3"), "unknown parameter of landlord 'cop': did you mean cap? known are all_pass"),
        ((*NEW, "--parameter", "cap=0"), "parameter cap cannot be 0: allowed is 1 to 65536"),
        ((*NEW, "--parameter", "cap"), "parameter 'cap' has no value: name=value is wanted"),
        ((*NEW, "--parameter", "spit.stall=3"), "unknown game of this tournament 'spit': known are landlord"),
        ((*NEW[:5], "--bots", "random,frist"), "unknown bot 'frist': did you mean first? known are"),
        ((*NEW[:5], "--bots", "random,first@9"), "unknown version '9' of bot first: known are 1"),
        ((*NEW[:5], "--bots", "random"), "landlord with 2 seats needs 2 bots or more: there are 1 (random 1)"),
        ((*NEW[:5], "--bots", "first,first@1"), "bot first 1 is named twice"),
        ((*NEW[:5], "--bots", "first,spitter"), "bot spitter 1 does not play landlord: it plays spit"),
        ((*NEW[:3], "--game", "spit", "--game", "spit"), "game spit is named twice: once is allowed"),
        ((*NEW, "--seats", "3"), "landlord is not for 3 players: allowed is 2"),
        ((*NEW, "--schedule", "swis"), "unknown schedule 'swis': did you mean swiss? known are round-robin"),
        ((*NEW, "--jail", "castle"), "unknown jail 'castle': known are"),
        ((*NEW, "--boards", "0"), "--boards 0: 1 or more is allowed"),
        ((*NEW, "--move-time", "-1"), "--move-time -1: a number of seconds above 0 is allowed"),
        ((*NEW, "--move-time", "nan"), "--move-time nan: a number of seconds above 0 is allowed"),
        ((*NEW, "--move-time", "fast"), "'fast' is not a valid float"),
        (
            (*NEW, "--clock", "realtime"),
            "--clock realtime is not for landlord, which goes in turns: it is for",
        ),
        (
            (*NEW, "--meter", "cpu", "--tables", "2"),
            "--meter cpu with --tables 2: 1 is allowed, for a process does not",
        ),
        (
            ("run", "--name", "new", "--game", "spit", "--meter", "cpu", "--clock", "realtime"),
            "--meter cpu with --clock realtime, which no bot is charged for: wall is allowed",
        ),
        (("run", "--name", "../x", "--game", "spit"), "tournament name '../x': allowed are 1 to 40 letters"),
        (("run", "--name", "new"), "tournament 'new' is new and needs a --game: known are landlord"),
        (("run", "--game", "spit"), "missing option '--name'"),
        ((*CUP, "--boards", "5"), "tournament cup is held with other settings: boards: 4, not 5"),
        ((*CUP, "--game", "spit"), "game: landlord, not spit"),
        ((*CUP, "--bots", "random,spitter"), "bots: random@1,first@1, not random@1,spitter@1"),
        ((*CUP, "--seed", "8"), "seed: another one"),
        ((*CUP, "--parameter", "cap=32"), "parameter cap: 64, not 32"),
        ((*CUP, "--move-time", "0.5", "--restart", "match"), "move-time: 0.1, not 0.5; restart: room, not match"),
        ((*CUP, "--meter", "cpu", "--ponder"), "meter: wall, not cpu; ponder: false, not true"),
        (("ratings", "cop"), "unknown tournament 'cop': did you mean cup? known are cup"),
        (("ratings", "cup", "--game", "spit"), "unknown game of tournament cup 'spit': known are landlord"),
        (("ratings", "cup", "--format", "xml"), "'xml' is not one of 'table', 'json', 'csv'"),
        (("crosstable", "cop"), "unknown tournament 'cop'"),
        (("matches", "cup", "--bot", "frist"), "unknown bot of tournament cup 'frist': did you mean"),
        (("replay", "cup"), "unknown match 'cup': a match is named tournament/game/pairing/board/room"),
        (("replay", "cup/landlord/0/9/0"), "unknown match 'cup/landlord/0/9/0': it has not been played"),
        (("replay", "cup/landlord/0/0/0", "--seat", "2"), "--seat 2: allowed are 0 to 1"),
        (("logs", "cop"), "unknown tournament or bot 'cop': did you mean cup?"),
        (("verify", "cop"), "unknown tournament 'cop'"),
        (("bots", "rondom"), "unknown bot 'rondom': did you mean random?"),
        (("games", "poker"), "unknown game 'poker': known are landlord"),
        (("submit", "nowhere"), "bundle nowhere does not exist: give a folder with a bot.toml, or a Python file"),
        (("submit", BOTS / "random" / "bot.toml"), "is no folder and no Python file"),
        (("submit", BOTS / "random", "--name", "Random"), "there is 'random' already"),
        (("submit", BOTS / "random", "--jail", "castle"), "unknown jail 'castle'"),
        (("rum",), "unknown command 'rum': did you mean run?"),
        (("ratings", "cup", "--colour"), "no such option '--colour'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(cup: Call, home: Home, words: tuple[str, ...], message: str) -> None:
    before = sorted(home.folder.rglob("*"))
    result = cup(*words)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert [row for row in cup("list", "--format", "csv").stdout.splitlines()[1:] if not row.startswith("cup,")] == []
    assert sorted(home.folder.rglob("*")) == before


def test_a_home_that_is_a_file_is_wrong_use(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    for words in (("submit", BOTS / "first"), ("run", "--name", "a", "--game", "spit"), ("ratings", "a"), ("bots",)):
        result = call(words[0], "--home", file, *words[1:])
        assert result.exit_code == 2
        assert result.stderr == f"tournament: home {file} is a file: a folder is wanted\n"


def test_a_home_that_cannot_be_made_is_wrong_use(call: Call, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = call("--home", tmp_path / "file" / "below", "submit", BOTS / "first")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
    assert "--home or CARDPIT_HOME" in result.stderr


@pytest.mark.parametrize("words", [("ratings", "cup"), ("run", "--name", "cup", "--game", "spit"), ("verify", "cup")])
def test_an_empty_home_is_named_and_not_made(call: Call, home: Home, words: tuple[str, ...]) -> None:
    result = call(*words)
    assert result.exit_code == 2
    assert f"home {home.folder} has no tournaments and no bots yet" in result.stderr
    assert not home.folder.exists()


@pytest.mark.parametrize("words", [("bots",), ("list",)])
def test_lists_of_an_empty_home_are_empty(call: Call, home: Home, words: tuple[str, ...]) -> None:
    result = call(*words, "--format", "json")
    assert (result.exit_code, result.stdout) == (0, "[]\n")
    assert not home.folder.exists()
