"""The bots in other languages, built by ``make kits``: each plays every game against Python's, jailed."""

import os
import subprocess

import pytest

from cardpit.games import GAMES, find_game
from cardpit.games.seeds import board_seed, bot_seed
from kits.kit_bots import BOTS, TOOLS, kit_bot, play, player
from referee.record import parse
from referee.sandbox import choose_jail


class Xoshiro:
    """The random numbers of every kit: xoshiro128** 1.1, as its authors write it down."""

    def __init__(self, seed: bytes) -> None:
        self.state = [int.from_bytes(seed[place : place + 4], "big") for place in range(0, 16, 4)]

    def below(self, bound: int) -> int:
        while True:
            value = self.next()
            if value < 2**32 - 2**32 % bound:
                return value % bound

    def next(self) -> int:
        state = self.state
        number = rotate(state[1] * 5, 7) * 9 % 2**32
        shifted = state[1] << 9
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] = (state[2] ^ shifted) % 2**32
        state[3] = rotate(state[3], 11)
        return number


def rotate(value: int, by: int) -> int:
    value %= 2**32
    return (value << by | value >> (32 - by)) % 2**32


def expected(record: bytes, game: str, board: int, seat: int) -> list[str]:
    """Return what a random bot of a kit does in a seat, where the others do what is in the record."""
    seed = board_seed(bytes(32), game, board)
    numbers = Xoshiro(bot_seed(seed, seat))
    state = find_game(game).deal(seed)
    chosen = []
    for step in parse(record).steps:
        if seat in state.turn:
            legal = state.legal_actions(seat)
            chosen.append(legal[numbers.below(len(legal))])
        state = state.apply({action.seat: action.action for action in step.actions})
    return chosen


def played(record: bytes, seat: int) -> list[str]:
    return [action.action for step in parse(record).steps for action in step.actions if action.seat == seat]


@pytest.mark.parametrize("language", TOOLS)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_kit_plays_every_game_in_a_jail_and_the_same_board_the_same_way(language: str, game: str, seat: int) -> None:
    players = (kit_bot(language), player(BOTS / "random"))
    # The second time in one seat only: it takes as long as the first.
    boards = (0, 0) if seat == 0 else (0,)
    reports = play(players[seat:] + players[:seat], game, boards, jail=choose_jail("auto"))
    assert len({report.record for report in reports}) == 1
    assert played(reports[0].record, seat) == expected(reports[0].record, game, 0, seat)


@pytest.mark.parametrize("language", TOOLS)
def test_a_kit_holds_several_tables_at_once_over_tcp(language: str) -> None:
    players = (player(BOTS / "random"), kit_bot(language))
    for report in play(players, "landlord", (0, 1, 2), jail="process", transport="tcp", tables=3):
        assert played(report.record, 1) == expected(report.record, "landlord", report.board, 1)


@pytest.mark.parametrize("language", TOOLS)
def test_a_kit_that_no_referee_has_started_says_so(language: str) -> None:
    bot = kit_bot(language)
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        bot.command, cwd=bot.folder, env=environment, capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "plays when a referee starts it (CARDPIT_ADDRESS is not set)" in done.stderr
