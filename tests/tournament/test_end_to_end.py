"""Tournaments between real bot processes."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardpit.games import GAMES
from serving import enter
from tournament.home import Home

BOTS = Path(__file__).parent.parent.parent / "bots"

Call = Callable[..., Result]

HEAD = "import time\n\nfrom cardpit import Bot\n\n\nclass Tester(Bot):\n    def act(self, turn):\n"
TAIL = '        return 0\n\n\nif __name__ == "__main__":\n    Tester.run()\n'
FAULTS = {
    "crasher": '        print("almost there")\n        if turn.number == 3:\n            raise ValueError("oh no")\n',
    "sleeper": "        if turn.number < 4:\n            time.sleep(0.25)\n",
    "cheater": '        if turn.number == 2:\n            return "fly away"\n',
}


def test_a_fault_costs_only_the_bot_that_made_it_and_the_tournament_goes_on(
    call: Call, home: Home, tmp_path: Path
) -> None:
    for name, act in FAULTS.items():
        (tmp_path / f"{name}.py").write_text(HEAD + act + TAIL)
    enter(home, BOTS / "first", *(tmp_path / f"{name}.py" for name in FAULTS))
    result = call(
        "run", "--name", "cup", "--game", "landlord", "--bots", "first,crasher,sleeper,cheater", "--boards", "1",
        "--schedule", "gauntlet", "--move-time", "0.1", "--bank-time", "0", "--max-strikes", "2", "--jobs", "3",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    rows = {row["bot"]: row for row in json.loads(call("ratings", "cup", "--format", "json").stdout)}
    counts = {bot: (row["timeouts"] > 0, row["errors"] > 0, row["losses"]) for bot, row in rows.items()}
    assert counts["crasher"] == (False, True, 1)
    assert counts["sleeper"] == (True, False, 1)
    assert counts["cheater"][:2] == (False, True)
    assert rows["first"]["errors"] == 0
    logs = call("logs", "cup").stdout
    assert "crasher 1" in logs
    assert "ValueError: oh no" in logs
    assert "almost there" in logs
    assert "timeout: strike 2 of 2" in logs
    assert "last turn  number 3" in logs
    assert "timeout: " not in call("logs", "crasher").stdout
    faulty = json.loads(call("matches", "cup", "--faults", "--format", "json").stdout)
    assert {bot for row in faulty for bot in row["at_fault"]} == {"crasher 1", "sleeper 1"}
    assert "crasher 1 at fault: crash" in result.stderr
    assert re.search(r"^crasher 1 +2 +crash 2$", result.stderr, re.MULTILINE)
    assert "tournament logs cup --bot " in result.stderr
    assert call("verify", "cup").exit_code == 0


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_between_processes(call: Call, home: Home, game: str) -> None:
    enter(home, BOTS / "first", BOTS / "random")
    result = call("run", "--name", "cup", "--game", game, "--boards", "1", "--jobs", "2")
    assert result.exit_code == 0, result.output
    assert call("verify", "cup").exit_code == 0
    assert "result" in call("replay", f"cup/{game}/0/0/1", "--brief").stdout


@pytest.mark.parametrize("sent", [(signal.SIGINT,), (signal.SIGINT, signal.SIGINT), (signal.SIGTERM,)])
def test_an_interrupt_ends_with_130_says_how_to_go_on_and_leaves_no_process(
    call: Call, home: Home, sent: tuple[signal.Signals, ...]
) -> None:
    enter(home, BOTS / "first", BOTS / "random")
    words = ["run", "--name", "cup", "--game", "landlord", "--boards", "500", "--jobs", "1", "--quiet"]
    process = subprocess.Popen(
        [sys.executable, "-c", "from tournament.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("commitment ")
        deadline = time.monotonic() + 30
        while not json.loads(call("matches", "cup", "--format", "json").stdout) and time.monotonic() < deadline:
            time.sleep(0.05)
        for number in sent:
            process.send_signal(number)
            time.sleep(0.05)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "go on with: tournament run --name cup" in err
    assert "landlord · tournament cup" in out
    table = json.loads(call("list", "--format", "json").stdout)
    assert table[0]["state"] == "unfinished"
    assert 0 < table[0]["played"] < 1000
    assert not [path for path in Path("/proc").iterdir() if path.name.isdigit() and _belongs(path, home)]
    assert call("verify", "cup").exit_code == 0


def _belongs(process: Path, home: Home) -> bool:
    """Tell whether a process works in a bundle of this home."""
    try:
        return (process / "cwd").readlink().is_relative_to(home.folder)
    except OSError:
        return False
