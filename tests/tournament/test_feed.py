"""``tournament replay --feed``: a bot decides again at the turns of a stored match."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import uvloop
from click.testing import Result

from cardpit.games import GAMES
from cardpit.games.seeds import board_seed
from cardpit.v1 import record_pb2 as pb
from referee.orders import Conduct, Player
from referee.record import parse
from rooms import HostRoom
from seating import play_bots, script, sdk_bot
from tournament.feed import Fed, feed

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "bots"

Call = Callable[..., Result]


def fed(record: bytes, timings: bytes, seat: int, player: Player, game: str = "landlord") -> list[Fed]:
    """Put the turns of a seat to a bot."""
    seed = board_seed(bytes(32), game, 0)

    async def run() -> list[Fed]:
        return [one async for one in feed(parse(record), pb.Timings.FromString(timings), seed, seat, player, Conduct())]

    return uvloop.run(run())


@pytest.mark.parametrize("game", GAMES)
def test_the_same_bot_decides_as_it_did_chance_and_all(game: str) -> None:
    (report,), _ = play_bots([sdk_bot("draw"), sdk_bot("draw")], game=game, move_time=1.0)
    decisions = fed(report.record, report.timings, 1, sdk_bot("draw"), game)
    assert [one.decision for one in decisions] == list(range(1, len(decisions) + 1))
    assert [(one.then, one.now) for one in decisions if not one.same] == []
    played = [
        (n, a.action) for n, step in enumerate(parse(report.record).steps, 1) for a in step.actions if a.seat == 1
    ]
    assert [(one.step, one.then) for one in decisions] == played


def test_a_bot_is_told_of_the_times_and_substitutions_of_then(host: HostRoom, tmp_path: Path) -> None:
    (report,), done = host("ponder", "honest", move_time=0.1, bank_time=0.3, max_strikes=50)
    told = [line.removeprefix("told: ") for line in done.logs[0].splitlines()]
    assert len(told) > 3
    bot = tmp_path / "echo.py"
    bot.write_text(
        "from cardpit import Bot\n\n\nclass Echo(Bot):\n    def act(self, turn):\n"
        "        told = turn.substitution and f'{turn.substitution.reason} {turn.substitution.strikes}'\n"
        "        return f'{turn.move_time:g} {turn.bank_time:.1f} {told}'\n\n\nEcho.run()\n"
    )
    decisions = fed(report.record, report.timings, 0, script(bot))
    assert not any(one.legal for one in decisions)
    echoed = [one.now.split(" ", 2) for one in decisions]
    assert {move_time for move_time, _, _ in echoed} == {"0.1"}
    banks = [float(bank) for _, bank, _ in echoed]
    assert banks[0] == 0.3
    assert banks == sorted(banks, reverse=True)
    assert banks[-1] == 0.0
    substituted = [what for _, _, what in echoed if what != "None"]
    # The match may end before the bot has written down the last.
    assert told in (substituted, substituted[:-1])
    assert [one.substituted for one in decisions].count("timeout") == report.strikes[0]


@pytest.fixture(scope="module")
def record_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record with its seed revealed: ``first`` in seat 0, ``random`` in seat 1."""
    file = tmp_path_factory.mktemp("record") / "match.pb"
    command = [sys.executable, "-c", "from referee.cli import main; main()", "match", "--game", "landlord"]
    words = [BOTS / "first", BOTS / "random", "--seed", "3", "--record", file]
    subprocess.run([*command, *map(str, words)], check=True, capture_output=True, timeout=60)
    return file


def test_the_table_has_what_differs_and_json_has_all(call: Call, record_file: Path) -> None:
    words = ("replay", record_file, "--seat", "1", "--jail", "none", "--feed", BOTS / "first")
    done = call(*words)
    assert done.exit_code == 0, done.stderr
    head, *rows, summary = done.stdout.splitlines()
    assert head.split() == ["decision", "step", "then", "now"]
    every = json.loads(call(*words, "--format", "json").stdout)
    differ = [row for row in every if not row["same"]]
    assert 0 < len(differ) < len(every)
    assert [row.split()[:2] for row in rows] == [[str(row["decision"]), str(row["step"])] for row in differ]
    assert summary == (
        f"first in seat 1: of {len(every)} decisions {len(every) - len(differ)} are the same, {len(differ)} are not"
    )
    assert call(*words, "--format", "csv").stdout.count("\n") == len(every) + 1


def test_a_match_of_the_store_is_fed_to_a_submitted_bot(cup: Call) -> None:
    shown = cup("replay", "cup/landlord/0/1/0", "--brief").stdout
    seat = "0" if "seat 0: random 1" in shown else "1"
    done = cup("replay", "cup/landlord/0/1/0", "--feed", "random", "--seat", seat, "--jail", "none")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith(f"random 1 in seat {seat}: of ")
    assert done.stdout.endswith(" are the same, 0 are not\n")


def test_a_bot_that_answers_wrongly_or_breaks_is_shown_with_its_words(
    call: Call, record_file: Path, tmp_path: Path
) -> None:
    bot = tmp_path / "wrong.py"
    head = "from cardpit import Bot\n\n\nclass Wrong(Bot):\n    def act(self, turn):\n"
    bot.write_text(f"{head}        return 'castle'\n\n\nWrong.run()\n")
    words = ("replay", record_file, "--seat", "0", "--jail", "none", "--feed", bot)
    done = call(*words)
    assert done.exit_code == 0, done.stderr
    assert "castle (illegal)" in done.stdout
    bot.write_text(f"{head}        raise RuntimeError('oh no')\n\n\nWrong.run()\n")
    done = call(*words)
    assert done.exit_code == 1
    assert "tournament: bot wrong: crash: exited with 1\nwhat the bot wrote:\n" in done.stderr
    assert "RuntimeError: oh no" in done.stderr


def test_a_record_in_a_file_is_shown(call: Call, record_file: Path) -> None:
    done = call("replay", record_file, "--brief")
    assert done.exit_code == 0, done.stderr
    assert "seat 0: first" in done.stdout
    assert "step 1: " in done.stdout


def test_a_file_that_is_no_record_is_a_failure(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "match.pb"
    file.write_bytes(b"\xff\xff")
    done = call("replay", file)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"tournament: match {file}: its record is damaged: the bytes are no record\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--feed", "random"), "--feed random needs --seat: whose turns are they?"),
        (("--format", "json"), "--format json: it is for --feed only"),
        (("--feed", "random", "--seat", "7"), "--seat 7: allowed are 0 to 1"),
        (("--feed", "nobody", "--seat", "0"), "unknown bot 'nobody': known are random, first"),
        (("--feed", BOTS / "spit_rules", "--seat", "0"), "plays spit: not landlord"),
        (("--feed", "random", "--seat", "0", "--jail", "castle"), "unknown jail 'castle'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    call: Call, record_file: Path, words: tuple[str | Path, ...], message: str
) -> None:
    done = call("replay", record_file, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
