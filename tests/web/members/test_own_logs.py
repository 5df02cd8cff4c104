"""What bots wrote in matches, and who sees it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from serving import bearer, enrol
from tournament.home import Home
from tournament.store.accounts import Role, own
from tournament.store.database import Store
from tournament.web.app import create_app
from tournament.web.site import Site

MATCHES = {"cup": "/tournaments/cup/landlord/matches/0/0/0", "half": "/tournaments/half/spit/matches/0/0/0"}


@pytest.fixture
def home(played_home: Path, tmp_path: Path) -> Home:
    """A home with cup, finished, and half, which is not; in both talker writes what it holds."""
    shutil.copytree(played_home, tmp_path / "home")
    return Home(tmp_path / "home")


@pytest.fixture
def clients(home: Home, store: Store) -> Iterator[dict[str, TestClient]]:
    app = create_app(Site(home, store))
    found = {"anonymous": TestClient(app)}
    for name, role in (("ada", Role.PARTICIPANT), ("bob", Role.PARTICIPANT), ("boss", Role.ORGANISER)):
        user, token = enrol(store, name, role)
        found[name] = TestClient(app, headers=bearer(token))
        if name == "ada":
            own(store, user, "talker")
    yield found


def test_who_owns_a_bot_reads_what_it_wrote_and_others_do_not(clients: dict[str, TestClient]) -> None:
    for name, client in clients.items():
        seen = name in ("ada", "boss")
        logs = client.get(f"/api/v1{MATCHES['cup']}/logs").json()
        assert [log["bot"]["bot"] for log in logs] == (["talker"] if seen else [])
        assert all("I hold" in log["log"] for log in logs)
        assert ("What the bots wrote" in client.get(MATCHES["cup"]).text) == seen


def test_before_the_end_nobody_reads_what_bots_wrote(clients: dict[str, TestClient]) -> None:
    for client in clients.values():
        assert client.get(f"/api/v1{MATCHES['half']}/logs").json() == []
        assert "What the bots wrote" not in client.get(MATCHES["half"]).text
