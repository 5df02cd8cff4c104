"""What the shell completes behind the words of a command line."""

from collections.abc import Callable

import pytest
from click.shell_completion import BashComplete
from click.testing import Result

from cardpit.games import GAMES
from tournament.cli import cli
from tournament.home import Home

Call = Callable[..., Result]


def completed(*words: str) -> list[str]:
    """Return what the last word can become."""
    shell = BashComplete(cli, {}, "tournament", "_TOURNAMENT_COMPLETE")
    return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("rat",), ["ratings"]),
        (("ratings", "c"), ["cup"]),
        (("matches", "cup", "--bot", "s"), ["spitter"]),
        (("run", "--game", "sp"), [game for game in GAMES if game.startswith("sp")]),
        (("run", "--bots", "random,f"), ["random,first"]),
        (("run", "--schedule", "ga"), ["gauntlet"]),
        (("run", "--jail", "land"), ["landlock"]),
    ],
)
def test_names_of_all_kinds_are_completed(cup: Call, words: tuple[str, ...], found: list[str]) -> None:
    assert completed(*words) == found


def test_where_there_is_no_home_nothing_is_found_and_nothing_is_made(call: Call, home: Home) -> None:
    assert completed("ratings", "") == []
    assert not home.folder.exists()
