"""The rule-based bot for Speed."""

import pytest

from built_in import load
from cardpit.games import Value
from cardpit.games.seeds import board_seed
from cardpit.practice import play
from games.test_spit_bot import share


def test_it_beats_random_choices() -> None:
    assert share("speed", load("speed_rules"), load("random"), 40) > 0.7


@pytest.mark.parametrize(
    "parameters", [{"side": "5"}, {"refill": "auto"}, {"target": 10}, {"stall": 1, "max_ticks": 20}]
)
def test_it_plays_every_variation(parameters: dict[str, Value]) -> None:
    bot = load("speed_rules")
    assert sum(play("speed", [bot, bot], board_seed(bytes(32), "speed", 0), parameters).payoffs) == 1
