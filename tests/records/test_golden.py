"""Whole matches stay as they are written: a change is a change of the rules, and shows as a diff."""

import pytest

from cardpit.games import GAMES
from records.golden import golden_path, golden_text


@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_match_is_played_as_it_is_written(game_id: str) -> None:
    assert golden_path(game_id).is_file(), "no record yet: run make golden and read it"
    assert golden_text(game_id) == golden_path(game_id).read_text(encoding="utf-8"), (
        "if the rules were meant to change, raise rules_version, run make golden and read the diff"
    )
