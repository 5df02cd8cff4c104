"""The demo, with the bots played in this process."""

from collections.abc import Callable
from math import comb

import pytest
from click.testing import Result

from cardpit.games import GAMES
from tournament.bundle import read_bundle
from tournament.cli.demo import free_name
from tournament.home import Home
from tournament.registry import BASELINES, baseline
from tournament.store.database import Store

Call = Callable[..., Result]


@pytest.mark.usefixtures("executor")
def test_the_demo_plays_every_game_and_says_where_the_data_lies(call: Call, home: Home) -> None:
    result = call("demo", "--boards", "1", "--plain")
    assert result.exit_code == 0, result.output
    played = [game for name in BASELINES for game in read_bundle(baseline(name)).plays()]
    for game in GAMES:
        boards = comb(played.count(game), 2)
        assert f"{game} · tournament demo · {boards}/{boards} boards ({2 * boards} matches)" in result.stdout
    assert f"the data lies in {home.folder}" in result.stderr
    assert "tournament replay demo/landlord/0/0/0" in result.stderr
    assert call("replay", "demo/landlord/0/0/0").exit_code == 0
    with Store.open(home) as store:
        assert free_name(store) == "demo-2"
