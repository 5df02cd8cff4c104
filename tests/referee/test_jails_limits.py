"""A bot that takes too much ends itself, and nobody else."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from jailing import needs, run_jailed
from referee.orders import MatchReport, Termination
from referee.sandbox import JailError, Launch, NoProgram, Scratch, bot_process, find_jail
from referee.sandbox.limits import MIB, Limits
from rooms import BOTS
from seating import play_bots, script

BOUNDED = ("bubblewrap", "landlock")


def play_against_honest(jail: str, hog: str) -> MatchReport:
    """Play a match against a hog; the honest side must not be harmed."""
    needs(jail)
    players = [script(BOTS / "hogs.py", hog), script(BOTS / "hogs.py", "honest")]
    (report,), _ = play_bots(players, jail=jail, move_time=5.0, bank_time=0.0, max_strikes=1)
    assert report.places == (2, 1)
    assert report.strikes[1] == 0
    assert [verdict.seat for verdict in report.verdicts] == [0]
    return report


@pytest.mark.parametrize("jail", BOUNDED)
@pytest.mark.parametrize("hog", ["memory", "family"])
def test_too_much_memory_is_a_verdict_of_its_own(jail: str, hog: str) -> None:
    report = play_against_honest(jail, hog)
    assert report.termination is Termination.MEMORY
    assert "memory: allowed are 512 MiB" in report.verdicts[0].detail


@pytest.mark.parametrize("jail", BOUNDED)
def test_a_fork_bomb_harms_nobody_else(jail: str) -> None:
    report = play_against_honest(jail, "bomb")
    assert report.termination not in (Termination.NORMAL, Termination.PLATFORM)


@pytest.mark.parametrize("jail", BOUNDED)
def test_a_bot_that_fills_its_disk_ends(jail: str) -> None:
    report = play_against_honest(jail, "disk")
    (verdict,) = report.verdicts
    if verdict.termination is Termination.MEMORY:
        assert "of temporary files: allowed are 64" in verdict.detail
    else:
        assert verdict.termination is Termination.CRASH
        assert "No space left on device" in verdict.log


@pytest.mark.parametrize("jail", BOUNDED)
def test_a_file_has_a_largest_size(jail: str) -> None:
    report = play_against_honest(jail, "wide")
    assert report.termination in (Termination.CRASH, Termination.MEMORY)


@pytest.mark.parametrize("jail", BOUNDED)
def test_a_bot_that_opens_everything_ends(jail: str) -> None:
    report = play_against_honest(jail, "files")
    assert report.termination in (Termination.CRASH, Termination.PROTOCOL)


@pytest.mark.parametrize("jail", [*BOUNDED, "process"])
@pytest.mark.parametrize(
    ("code", "excess"),
    [
        ("x = b'x' * (180 << 20)\ntime.sleep(30)", "memory: allowed are 128 MiB"),
        ("[os.fork() for _ in range(6)]\ntime.sleep(3)", "processes and threads: allowed are 16"),
    ],
)
def test_limits_hold_without_control_groups(
    jail: str, code: str, excess: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs(jail)
    monkeypatch.setattr(bot_process, "find_tree", lambda: "a test has taken them away")
    tmp_path.chmod(0o755)
    (tmp_path / "bot.py").write_text(f"import os, time\n{code}\n")
    ended = run_jailed(
        jail, tmp_path, "python", "bot.py", limits=Limits(memory_size=128 * MIB, processes=16), environment={}
    )
    # The kernel may have been faster, where it counts a user's processes.
    assert excess in ended.excess or "BlockingIOError" in ended.log


@pytest.mark.parametrize("jail", BOUNDED)
def test_temporary_files_that_have_no_name_count_too(jail: str, tmp_path: Path) -> None:
    needs(jail)
    tmp_path.chmod(0o755)
    (tmp_path / "bot.py").write_text(
        "import tempfile, time\n"
        "kept = [tempfile.TemporaryFile(buffering=0) for _ in range(20)]\n"
        "[file.write(bytes(8 << 20)) for file in kept]\n"
        "time.sleep(30)\n"
    )
    ended = run_jailed(jail, tmp_path, "python", "bot.py")
    assert "of temporary files: allowed are 64" in ended.excess or "No space left" in ended.log


@pytest.mark.parametrize("jail", BOUNDED)
@pytest.mark.parametrize(
    "command",
    [
        ("node", "-e", "require('fs').writeFileSync(process.env.TMPDIR + '/x', 'hello'); console.log('node version')"),
        ("java", "-version"),
    ],
)
def test_other_languages_start_under_the_same_limits(jail: str, command: tuple[str, ...], tmp_path: Path) -> None:
    needs(jail)
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    tmp_path.chmod(0o755)
    ended = run_jailed(jail, tmp_path, *command)
    assert ended.status == 0, ended
    assert "version" in ended.log


def test_a_bot_as_root_has_a_user_of_its_own(tmp_path: Path) -> None:
    needs("bubblewrap")
    if os.geteuid() != 0:
        pytest.skip("only root can give users away")
    tmp_path.chmod(0o755)
    first = run_jailed("bubblewrap", tmp_path, "id", "-u").log
    second = run_jailed("bubblewrap", tmp_path, "id", "-u").log
    assert int(first) > 1 << 30
    assert first != second


def test_a_program_that_is_not_there_is_a_failed_start() -> None:
    player = replace(script(BOTS / "hogs.py", "honest"), command=("no-such-program",))
    (report,), _ = play_bots([player, player], jail="process")
    assert [verdict.termination for verdict in report.verdicts] == [Termination.STARTUP] * 2
    assert report.verdicts[0].detail == "could not be started: no-such-program: no such program"


def test_the_strong_jails_refuse_tcp_and_programs_that_are_not_there(tmp_path: Path) -> None:
    scratch = Scratch()
    tmp_path.chmod(0o755)
    try:
        for jail in BOUNDED:
            launch = Launch(("true",), tmp_path, {"PATH": "/bin", "CARDPIT_ADDRESS": "127.0.0.1:1"}, scratch)
            with pytest.raises(JailError, match="transport unix is allowed, not tcp"):
                find_jail(jail).confine(launch)
            with pytest.raises(NoProgram, match="no-such-program: no such program"):
                find_jail(jail).confine(replace(launch, command=("no-such-program",), environment={"PATH": "/bin"}))
    finally:
        scratch.remove()
