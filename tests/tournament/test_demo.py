"""The demo, with the bots played in this process."""

from collections.abc import Callable

import pytest
from click.testing import Result

from cardpit.games import GAMES
from tournament.cli.demo import free_name
from tournament.home import Home
from tournament.store.database import Store

Call = Callable[..., Result]


@pytest.mark.usefixtures("executor")
def test_the_demo_plays_every_game_and_says_where_the_data_lies(call: Call, home: Home) -> None:
    result = call("demo", "--boards", "1", "--plain")
    assert result.exit_code == 0, result.output
    for game in GAMES:
        assert f"{game} · tournament demo · 3/3 boards (6 matches)" in result.stdout
    assert f"the data lies in {home.folder}" in result.stderr
    assert "tournament replay demo/landlord/0/0/0" in result.stderr
    assert call("replay", "demo/landlord/0/0/0").exit_code == 0
    with Store.open(home) as store:
        assert free_name(store) == "demo-2"
