"""Tournaments that are described by a file."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from click.testing import Result

from referee.orders import Room
from tournament.configuration import ConductConfiguration, Configuration
from tournament.request import BENCH_AFTER, BOARDS, SCHEDULE
from tournament.settings import TEMPLATE, Settings, read_settings

Call = Callable[..., Result]


class Trusted(Protocol):
    """The executor of the fixture ``executor``."""

    rooms: list[Room]


FILE = """
name = "filed"
bots = ["random", "first@1"]
boards = 2
bench_after = 5
seed = "7"
jobs = 1

[matches]
move_time = 0.5
bank_time = 3

[games.landlord]
cap = 32
bomb_x2 = false

[games.spit]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tournament.toml"
    path.write_text(FILE)
    return path


def configuration_of(result: Result) -> Configuration:
    assert result.exit_code == 0, result.output
    return Configuration.model_validate(json.loads(result.stdout)["configuration"])


def test_a_file_says_how_a_tournament_is_held(cup: Call, file: Path) -> None:
    result = cup("run", "--config", file)
    assert result.exit_code == 0, result.output
    held = configuration_of(cup("show", "filed", "--format", "json"))
    assert [pool.game for pool in held.pools] == ["landlord", "spit"]
    assert [bot.label for bot in held.pools[0].bots] == ["random@1", "first@1"]
    assert (held.pools[0].parameters["cap"], held.pools[0].parameters["bomb_x2"]) == (32, False)
    assert (held.pools[1].boards, held.bench_after) == (2, 5)
    assert (held.conduct.move_time, held.conduct.bank_time) == (0.5, 3.0)
    assert cup("run", "--config", file).exit_code == 0
    changed = cup("run", "--config", file, "--boards", "3")
    assert changed.exit_code == 2
    assert "landlord boards: 2, not 3" in changed.stderr


def test_options_override_the_file(cup: Call, file: Path) -> None:
    words = ("--name", "other", "--game", "landlord", "--parameter", "cap=16", "--boards", "1", "--move-time", "0.25")
    assert cup("run", "--config", file, *words, "--bench-after", "0").exit_code == 0
    held = configuration_of(cup("show", "other", "--format", "json"))
    (pool,) = held.pools
    assert (pool.parameters["cap"], pool.parameters["bomb_x2"], pool.boards) == (16, False, 1)
    assert (held.conduct.move_time, held.conduct.bank_time, held.bench_after) == (0.25, 3.0, 0)


def test_what_show_prints_begins_the_same_tournament_again(cup: Call, file: Path, tmp_path: Path) -> None:
    shown = cup("show", "cup")
    assert "the seed" not in shown.stdout + shown.stderr
    assert "seed " in shown.stderr
    again = tmp_path / "again.toml"
    again.write_text(shown.stdout)
    assert cup("run", "--config", again, "--name", "again").exit_code == 0
    first, second = (configuration_of(cup("show", name, "--format", "json")) for name in ("cup", "again"))
    assert second == first.model_copy(update={"name": "again"})
    assert cup("run", "--config", file).exit_code == 0
    mixed = tomllib.loads(cup("show", "filed").stdout)
    assert "max_strikes" not in mixed["matches"]
    assert Settings.model_validate(mixed).games.keys() == {"landlord", "spit"}


def test_the_meter_and_what_bots_may_do_between_their_turns_reach_the_referee(
    cup: Call, executor: Trusted, tmp_path: Path
) -> None:
    path = tmp_path / "strict.toml"
    path.write_text('name = "strict"\nboards = 1\n[matches]\nmeter = "cpu"\n[games.landlord]\n')
    result = cup("run", "--config", path, "--ponder")
    assert result.exit_code == 0, result.output
    assert "cpu meter, pondering allowed" in result.stderr
    conduct = executor.rooms[-1].conduct
    assert (conduct.time_control.meter, conduct.ponder) == ("cpu", True)
    assert cup("run", "--name", "strict", "--no-ponder").exit_code == 2


def test_init_writes_a_file_that_can_be_read_and_touches_no_other(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("init").exit_code == 0
    assert read_settings(Path("tournament.toml")) == Settings(name="cup", games={"landlord": {}})
    again = call("init")
    assert (again.exit_code, again.stderr.count("\n")) == (2, 1)
    assert "tournament.toml exists already: give another path" in again.stderr
    assert call("init", "other.toml").exit_code == 0


def test_the_defaults_that_init_writes_are_the_defaults() -> None:
    content = tomllib.loads(re.sub(r"^# (?=[a-z_]+ =|\[)", "", TEMPLATE, flags=re.MULTILINE))
    told = Settings.model_validate(content)
    assert set(content) == set(Settings.model_fields)
    assert set(content["matches"]) == {*ConductConfiguration.model_fields, "max_strikes"}
    assert (told.boards, told.schedule, told.bench_after) == (BOARDS, SCHEDULE, BENCH_AFTER)
    held = told.matches.model_dump(exclude={"max_strikes", "jail"})
    assert held == ConductConfiguration().model_dump(exclude={"jail"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bords = 3", "unknown key 'bords': did you mean boards? known are name, games, bots"),
        ("[matches]\nmove_tim = 3", "unknown key 'matches.move_tim': did you mean matches.move_time?"),
        ("boards = 0", "boards = 0: greater than or equal to 1 is allowed"),
        ('boards = "many"', "boards = 'many': a valid integer is allowed"),
        ("boards = true", "boards = true: a valid integer is allowed"),
        ("bots = [1]", "bots.0 = 1: a valid string is allowed"),
        ("[matches]\nclock = 'sun'", "matches.clock = 'sun': 'lockstep' or 'realtime' is allowed"),
        ("[matches]\nmove_time = -1", "matches.move_time = -1: greater than 0 is allowed"),
        ("[matches]\nmove_time = nan", "matches.move_time = nan: "),
        ("[games.landlord]\ncap = 1.5", "games.landlord.cap = 1.5: a whole number, a text, true or false is allowed"),
        ("games = 3", "games = 3: a valid dictionary is allowed"),
        ("boards 3", "is not TOML: "),
        ("[games.landlrod]", "unknown game 'landlrod': did you mean landlord?"),
        ("[games.landlord]\ncop = 3", "unknown parameter of landlord 'cop': did you mean cap?"),
        ("[games.landlord]\ncap = 0", "parameter cap cannot be 0: allowed is 1 to 65536"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_what_is_allowed(
    cup: Call, tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(f'name = "new"\n{text}\n')
    result = cup("run", "--config", path)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert "new" not in cup("list").stdout


def test_a_file_without_a_name_or_that_is_not_there_is_wrong_use(cup: Call, tmp_path: Path) -> None:
    assert "cannot be read (No such file or directory)" in cup("run", "--config", tmp_path / "none.toml").stderr
    (tmp_path / "a.toml").write_text("boards = 1")
    assert "missing option '--name', or --config with a name" in cup("run", "--config", tmp_path / "a.toml").stderr
