"""``tournament play``: a person at a keyboard, with a real terminal or a pipe, and real bots."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardpit.games.seeds import board_seed, commitment, text_seed
from referee.record import check, parse
from tournament.play.choice import Unclear, find_action
from tournament.play.terminal import listed

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "bots"
COMMAND = (sys.executable, "-c", "from tournament.cli import main; main()", "play")


def play(home: Path, typed: str, *words: object) -> "subprocess.CompletedProcess[str]":
    """Play with what is typed coming through a pipe."""
    return subprocess.run(
        [*COMMAND, *map(str, words)],
        input=typed,
        env={**os.environ, "CARDPIT_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("landlord", ("--against", "random")),
        ("twenty-two", ("--against", "random", "--against", BOTS / "first", "--seat", 1)),
        ("spit", ("--against", "spit_rules", "--clock", "lockstep", "--parameter", "max_layouts=3")),
        ("speed", ("--against", "speed_rules", "--tick-time", "0.05")),
    ],
)
def test_a_person_plays_every_game_to_its_end(game: str, words: tuple[object, ...], tmp_path: Path) -> None:
    file = tmp_path / "match.pb"
    done = play(tmp_path, "1\n" * 4000, game, *words, "--seed", "x", "--jail", "none", "--record", file)
    assert done.returncode == 0, done.stderr
    record = parse(file.read_bytes())
    seed = board_seed(text_seed("x"), game, 0)
    assert record.header.seed == seed
    assert commitment(seed) == record.header.seed_commitment
    assert check(record, seed) == []
    seat = [player.bot for player in record.header.players].index("person")
    assert seat == ("--seat" in words)
    assert {row.termination for row in record.result.seats} == {1}
    (result,) = [line for line in done.stdout.splitlines() if line.startswith(f"  {seat} person: payoff")]
    assert f"place {record.result.seats[seat].place}," in result
    assert "  1 " in done.stdout
    assert done.stdout.rstrip().endswith("the same cards again: --seed x")
    assert list(tmp_path.iterdir()) == [file], "nothing is stored"


def test_hints_rules_and_help_are_at_hand_and_quit_forfeits(tmp_path: Path) -> None:
    typed = "hint\nrules\n?\nfly\ntable\nquit\n1\n"
    done = play(tmp_path, typed, "landlord", "--against", "random", "--seed", "x", "--jail", "none")
    assert done.returncode == 0, done.stderr
    assert "turn 1: call; the search has tried: call (+" in done.stdout
    assert "An attached card never has a rank of the body." in done.stdout.replace("\n", " ")
    assert "leave, which forfeits the match" in done.stdout
    assert "'fly' is no legal action: ? tells what can be typed" in done.stdout
    assert done.stdout.count("landlord -1 · first 1 · caller -1") == 2
    assert "  0 person: payoff -64, place 2, margin 0, at fault: disconnect" in done.stdout


def test_the_end_of_the_input_is_a_person_who_leaves(tmp_path: Path) -> None:
    done = play(tmp_path, "", "spit", "--against", "first", "--seed", "x", "--jail", "none")
    assert done.returncode == 0, done.stderr
    assert "seat 0 left the table" in done.stdout


def test_a_bot_at_fault_gives_exit_code_1_and_its_own_words(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text("from cardpit import Bot\n\n\nclass Broken(Bot):\n    pass\n\n\nBroken.run()\n")
    done = play(tmp_path, "1\n" * 50, "landlord", "--against", bot, "--jail", "none", "--seed", "x")
    assert done.returncode == 1
    assert "  1 broken: payoff -64, place 2, margin 0, at fault: crash" in done.stdout
    assert "NotImplementedError: Broken has no act(turn)" in done.stdout


def test_a_bot_that_thinks_long_is_waited_for_without_a_timeout(tmp_path: Path) -> None:
    bot = tmp_path / "slow.py"
    bot.write_text(
        "import time\n\nfrom cardpit import Bot\n\n\nclass Slow(Bot):\n    def act(self, turn):\n"
        "        time.sleep(0.1 if turn.number < 3 else 0)\n        return 0\n\n\nSlow.run()\n"
    )
    words = ("landlord", "--against", bot, "--jail", "none", "--seed", "x", "--move-time", "0.01", "--bank-time", "0")
    assert "strikes" in play(tmp_path, "1\n" * 200, *words).stdout
    assert "strikes" not in play(tmp_path, "1\n" * 200, *words, "--no-timeout").stdout


def test_in_a_terminal_ticks_go_on_while_a_line_is_typed(tmp_path: Path) -> None:
    process, terminal = pty.fork()
    if process == 0:
        os.environ |= {"CARDPIT_HOME": str(tmp_path), "TERM": "xterm", "COLUMNS": "80"}
        os.chdir(ROOT)
        words = ("speed", "--against", "speed_rules", "--seed", "x", "--jail", "none", "--tick-time", "0.4")
        os.execv(COMMAND[0], [*COMMAND, *words])
    screen = ""

    def until(text: str) -> None:
        nonlocal screen
        ends = time.monotonic() + 60
        while text not in screen:
            assert time.monotonic() < ends, screen[-2000:]
            if select.select([terminal], [], [], 0.1)[0]:
                screen += os.read(terminal, 65536).decode()

    until("tick 0 ")
    os.write(terminal, b"pax")
    until("tick 3 ")
    assert "> pax" in screen
    os.write(terminal, b"\x7fss")
    until("> pass")
    os.write(terminal, b"\nquit\n")
    until("the same cards again: --seed x")
    assert "seat 0 left the table" in screen
    assert "no legal action" not in screen
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


LEGAL = ("play 5", "play 55", "play 555+6", "play T", "play x", "play X", "pass")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("2", "play 55"),
        ("play 5", "play 5"),
        ("55", "play 55"),
        ("555", "play 555+6"),
        ("t", "play T"),
        ("x", "play x"),
        ("X", "play X"),
        ("pa", "pass"),
        ("PASS", "pass"),
    ],
)
def test_as_much_of_an_action_as_tells_it_from_the_others_will_do(text: str, action: str) -> None:
    assert find_action(text, LEGAL) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("99", "'99' is no legal action"),
        ("play", "'play' may be play 5, play 55, play 555+6, play T, play x, play X"),
        ("p", "'p' may be play 5, "),
    ],
)
def test_what_is_unclear_names_what_may_be_meant(text: str, message: str) -> None:
    with pytest.raises(Unclear) as error:
        find_action(text, LEGAL)
    assert str(error.value).startswith(message)


def test_a_long_list_is_shown_in_columns_and_cut() -> None:
    lines = listed([f"play {number}" for number in range(100)], 40)
    assert lines[0] == "   1 play 0      2 play 1"
    assert lines[-1] == "     and 40 more: begin to type one, and those that begin so are named"
    assert max(map(len, lines[:-1])) <= 40


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess", "--against", "random"), "unknown game 'chess': known are landlord"),
        (("landlord",), "missing option '--against'"),
        (("landlord", "--against", "rondom"), "unknown bot 'rondom': did you mean random? known are random, first"),
        (("landlord", "--against", "no/such"), "bundle no/such does not exist"),
        (("landlord", "--against", BOTS / "spit_rules"), "plays spit: not landlord"),
        (("landlord", "--against", "random", "--against", "random"), "landlord is not for 3 players: allowed is 2"),
        (("landlord", "--against", "random", "--seat", "2"), "--seat 2: allowed are 0 to 1"),
        (("landlord", "--against", "random", "--clock", "realtime"), "--clock realtime is not for landlord"),
        (("landlord", "--against", "random", "--tick-time", "1"), "--tick-time 1 is not for landlord"),
        (("spit", "--against", "random", "--clock", "lockstep", "--tick-time", "1"), "with --clock lockstep"),
        (("landlord", "--against", "random", "--parameter", "cap"), "--parameter 'cap' is no NAME=VALUE"),
        (("landlord", "--against", "random", "--jail", "castle"), "unknown jail 'castle'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    call: Callable[..., Result], words: tuple[str | Path, ...], message: str
) -> None:
    done = call("play", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
