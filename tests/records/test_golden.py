"""Whole matches stay as they are written: a change is a change of the rules, and shows as a diff."""

import pytest

from cardpit.games import GAMES
from records.golden import BOTS, golden_path, golden_text


@pytest.mark.parametrize("game_id", BOTS)
def test_a_whole_match_is_played_as_it_is_written(game_id: str) -> None:
    assert golden_text(game_id) == golden_path(game_id).read_text(encoding="utf-8"), (
        "if the rules were meant to change, raise rules_version, run make golden and read the diff"
    )


def test_every_game_has_a_golden_record() -> None:
    assert set(BOTS) == set(GAMES)
