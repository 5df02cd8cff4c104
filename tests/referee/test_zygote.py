"""A new process for each match is forked where that is the same as a start: nothing is left, verdicts are equal."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cardpit.zygote import shadowed_module, traces
from jailing import needs
from referee.orders import Player, Termination
from referee.seats.zygote import Zygote
from rooms import BOTS, Hosted, faulty
from seating import play_bots, script

HONEST = faulty("honest")
JAILS = ("bubblewrap", "landlock", "process")


def keeper(name: str) -> Player:
    return script(BOTS / "keepers.py", name)


def play(players: Sequence[Player], **options: object) -> Hosted:
    return play_bots(players, None, **{"move_time": 2.0, "restart": "match", **options})


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bots that were forked, one entry for each process."""
    made: list[str] = []
    fork = Zygote.fork

    def counted(zygote: Zygote, *arguments: object) -> object:
        made.append(zygote._player.bot)
        return fork(zygote, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Zygote, "fork", counted)
    return made


@pytest.mark.parametrize("jail", JAILS)
def test_every_match_has_a_new_process_and_a_new_token_and_nothing_of_the_bot_survives(
    jail: str, forks: list[str]
) -> None:
    needs(jail)
    reports, done = play([keeper("in-modules"), HONEST], jail=jail, boards=4)
    assert [report.termination for report in reports] == [Termination.NORMAL] * 4
    words = [line.split() for line in done.logs[0].splitlines() if line]
    shown = [word for word in words if word[0] == "process"]
    assert words.count(["fresh"]) == 4
    assert len({word[5] for word in shown}) == 4
    assert len({word[1] for word in shown}) == 4
    assert len({word[3] for word in shown}) == 1
    assert forks.count("in-modules") == 4
    if jail == "process":
        assert not any(Path("/proc", word[place]).exists() for word in shown for place in (1, 3))


@pytest.mark.parametrize("jail", JAILS)
@pytest.mark.parametrize("name", ["in-files", "in-process", "in-parent"])
def test_a_bot_that_leaves_something_is_started_afresh_and_does_not_find_it(
    jail: str, name: str, forks: list[str]
) -> None:
    needs(jail)
    reports, done = play([keeper(name), HONEST], jail=jail, boards=3)
    assert [report.termination for report in reports] == [Termination.NORMAL] * 3
    lines = done.logs[0].splitlines()
    assert lines.count("fresh") == 3
    # Landlock's filter refuses what would change another process: nothing was left then.
    assert forks.count(name) == (3 if (jail, name) == ("landlock", "in-parent") else 1)
    assert forks.count("honest") == 3


@pytest.mark.parametrize("jail", JAILS)
def test_a_bot_cannot_reach_into_what_forks_it(jail: str) -> None:
    needs(jail)
    _, done = play([keeper("snoop"), HONEST], jail=jail, boards=2)
    assert done.logs[0].splitlines().count("fresh") == 2


def test_a_bot_that_kills_what_forks_it_ends_itself_alone() -> None:
    reports, _ = play([keeper("rebel"), HONEST], boards=2)
    for report in reports:
        (verdict,) = report.verdicts
        assert (verdict.seat, verdict.termination) == (0, Termination.CRASH)


@pytest.mark.parametrize("bot", ["crash", "segfault", "quit", "exit-early", "wrong-index", "large"])
def test_verdicts_are_those_of_a_process_that_was_started(bot: str, forks: list[str]) -> None:
    ends = []
    for restart in ("match", "room"):
        (report,), _ = play([faulty(bot), HONEST], restart=restart)
        (verdict,) = report.verdicts
        # Where the interpreter shows a source line of its own there is none for a fork.
        log = [line for line in verdict.log.splitlines() if "Current thread" not in line]
        ends.append((verdict.termination, verdict.detail, log))
    assert ends[0] == ends[1]
    assert sorted(forks) == sorted([bot, "honest"])


def test_a_bot_that_takes_too_much_memory_has_its_verdict() -> None:
    (report,), _ = play([script(BOTS / "hogs.py", "memory"), HONEST], move_time=5.0, bank_time=0.0)
    (verdict,) = report.verdicts
    assert (verdict.seat, verdict.termination) == (0, Termination.MEMORY)


def test_a_script_beside_a_module_of_the_same_name_as_one_of_pythons_is_started(
    tmp_path: Path, forks: list[str]
) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "bot.py").write_bytes((BOTS / "faults.py").read_bytes())
    (tmp_path / "random.py").write_text("from _random import Random\n")
    shadow = replace(HONEST, bot="shadow", folder=tmp_path, command=("python", "bot.py", "honest"))
    (report,), _ = play([shadow, HONEST])
    assert report.termination is Termination.NORMAL
    assert forks == ["honest"]


def test_a_bot_of_another_command_is_started(forks: list[str]) -> None:
    other = replace(HONEST, bot="other", command=("sh", "-c", f"exec {sys.executable} faults.py honest"))
    reports, _ = play([other, HONEST], boards=2)
    assert [report.termination for report in reports] == [Termination.NORMAL] * 2
    assert forks == ["honest"] * 2


def test_modules_that_a_folder_would_shadow_are_found(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    (tmp_path / "json.txt").touch()
    assert shadowed_module(tmp_path) == ""
    (tmp_path / "json").mkdir()
    assert shadowed_module(tmp_path) == "json"


def test_a_file_that_comes_and_goes_leaves_a_trace(tmp_path: Path) -> None:
    before = traces([str(tmp_path)])
    assert traces([str(tmp_path)]) == before
    (tmp_path / "left").touch()
    (tmp_path / "left").unlink()
    assert traces([str(tmp_path)]) != before
