"""The rule-based bot for Spit."""

import pytest

from built_in import load
from cardpit import Bot
from cardpit.games import Value
from cardpit.games.seeds import board_seed
from cardpit.practice import play


def share(game: str, bot: type[Bot], other: type[Bot], boards: int) -> float:
    """Return the share of wins of a bot, each board played in both rotations."""
    wins = 0.0
    for board in range(boards):
        seed = board_seed(bytes(32), game, board)
        wins += play(game, [bot, other], seed).payoffs[0] + play(game, [other, bot], seed).payoffs[1]
    return wins / (2 * boards)


def test_it_beats_random_choices() -> None:
    assert share("spit", load("spit_rules"), load("random"), 8) > 0.8


@pytest.mark.parametrize(
    "parameters",
    [
        {"four_piles": True, "winner_chooses": True, "alternate_colours": True},
        {"stack_equal": True, "auto_flip": True, "must_play": True},
        {"slap_tie": "finisher", "literal_win": True, "max_layouts": 3},
    ],
)
def test_it_plays_every_variation(parameters: dict[str, Value]) -> None:
    bot = load("spit_rules")
    assert sum(play("spit", [bot, bot], board_seed(bytes(32), "spit", 0), parameters).payoffs) == 1
