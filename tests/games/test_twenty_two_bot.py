"""The example bot that plays Twenty-Two by rules."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from cardpit import Bot
from cardpit.games import Value
from cardpit.practice import play

BOTS = Path(__file__).parents[2] / "bots"


def bot(folder: str, name: str) -> type[Bot]:
    spec = spec_from_file_location(f"bot_{folder}", BOTS / folder / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: object = getattr(module, name)
    assert isinstance(found, type)
    assert issubclass(found, Bot)
    return found


RULES = bot("twenty_two_rules", "TwentyTwoRules")


@pytest.mark.parametrize(("folder", "name"), [("random", "Random"), ("first", "First")])
@pytest.mark.parametrize("parameters", [{}, {"must_beat": True}, {"min_deal": 11}])
def test_it_beats_bots_that_do_not_think(folder: str, name: str, parameters: dict[str, Value]) -> None:
    other = bot(folder, name)
    wins = 0.0
    for board in range(8):
        seed = bytes([board]) * 32
        wins += play("twenty-two", [RULES, other], seed, parameters).payoffs[0]
        wins += play("twenty-two", [other, RULES], seed, parameters).payoffs[1]
    assert wins / 16 >= 0.65


def test_it_beats_five_random_bots_at_once() -> None:
    other = bot("random", "Random")
    payoffs = []
    for seat in range(6):
        players = [other] * 6
        players[seat] = RULES
        payoffs.append(play("twenty-two", players, bytes([seat]) * 32).payoffs[seat])
    assert sum(payoffs) / 6 > 4
