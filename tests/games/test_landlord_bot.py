"""The rule-based bot for Landlord."""

from random import Random

import pytest

from built_in import load
from cardpit.games import find_game
from cardpit.games.seeds import board_seed
from cardpit.practice import choose, play
from cardpit.views import Table, TimeControl, Turn


@pytest.mark.parametrize("opponent", ["random", "first"])
def test_the_rules_bot_wins_three_boards_of_four_against_a_baseline(opponent: str) -> None:
    bot, other = load("landlord_rules"), load(opponent)
    won = 0
    for board in range(40):
        seed = board_seed(bytes(32), "landlord", board)
        points = play("landlord", (bot, other), seed).payoffs[0] + play("landlord", (other, bot), seed).payoffs[1]
        won += points > 0
    assert won >= 30


@pytest.mark.parametrize(
    ("position", "action"),
    [
        ("56789/TTJJQQ", "play 56789"),
        ("589/K", "play 9"),
        ("5889/K", "play 88"),
        ("57788/6699 | 0 play 77 | 1 play 99", "pass"),
        ("2255/66KK7 grabs=2 | 0 play 55", "play 66"),
    ],
)
def test_the_rules_bot_chooses_as_its_rules_say(position: str, action: str) -> None:
    game = find_game("landlord")
    state = game.parse(position)
    (seat,) = state.turn
    bot = load("landlord_rules")()
    table = Table(0, game.id, 1, game.settle(None), seat, 2, TimeControl(), bytes(32), Random(1))
    bot.table = table
    turn = Turn(table, 1, lambda: state.observe(seat), state.legal_actions(seat), 1, 1)
    assert choose(bot, turn) == action
