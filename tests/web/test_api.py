"""The JSON API: whatever it is asked, it answers as its own description says; and lists page through everything."""

import json
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from click.testing import CliRunner
from fastapi.testclient import TestClient
from schemathesis import BaseSchema, Case
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from cardpit.games import GAMES
from tournament.cli import cli
from tournament.home import Home
from tournament.store.database import Store
from tournament.store.tables import BotVersion
from tournament.web.app import create_app
from tournament.web.site import Site

API = "/api/v1"

REAL = {"name": "cup", "game": "landlord", "pairing": 0, "board": 1, "room": 0}
"""What is there: parameters that are made up lead to nothing but 404."""

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


POOL = "/tournaments/{name}/{game}"

MATCH = f"{POOL}/matches/{{pairing}}/{{board}}/{{room}}"

OPERATIONS = (
    "/tournaments", "/tournaments/{name}", f"{POOL}/ratings", f"{POOL}/crosstable", f"{POOL}/history",
    f"{POOL}/matches", f"{POOL}/verdicts", MATCH, f"{MATCH}/replay", f"{MATCH}/record", f"{MATCH}/text",
    "/bots", "/bots/{name}", "/games", "/games/{game}",
)  # fmt: skip
"""All that is read."""


@pytest.fixture(scope="module")
def api(server: str) -> BaseSchema:
    """The API as it describes itself."""
    schema: BaseSchema = schemathesis.openapi.from_url(f"{server}{API}/openapi.json")
    return schema


@pytest.mark.parametrize("path", OPERATIONS)
def test_every_answer_is_one_that_the_description_has(api: BaseSchema, path: str) -> None:
    operation = api[f"{API}{path}"]["GET"]
    real = REAL | ({"name": "talker"} if path.startswith("/bots") else {})

    @hypothesis.settings(
        max_examples=15,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy())
    def ask(case: "Case[Any]") -> None:
        case.call_and_validate(checks=CHECKS)
        case.path_parameters = {name: real[name] for name in case.path_parameters}
        case.call_and_validate(checks=CHECKS)

    ask()


def test_the_description_has_all_that_is_read(client: TestClient) -> None:
    paths = client.get(f"{API}/openapi.json").json()["paths"]
    assert {f"{API}{path}" for path in OPERATIONS} <= paths.keys()
    page = client.get("/api").text
    assert all(path in page for path in paths)


@pytest.mark.parametrize(
    ("path", "rows", "parameter", "count"),
    [
        ("/tournaments?limit=1", "tournaments", "before", 2),
        ("/tournaments/cup/landlord/matches?limit=1", "matches", "start", 4),
        ("/tournaments/cup/landlord/matches?limit=1&bot=talker", "matches", "start", 4),
        ("/tournaments/cup/landlord/matches?limit=1&bot=talker&faults=true", "matches", "start", 4),
        ("/tournaments/cup/landlord/matches?limit=1&bot=random&faults=true", "matches", "start", 0),
        ("/tournaments/cup/landlord/matches?limit=1&bot=random&against=talker&board=1", "matches", "start", 2),
        ("/tournaments/cup/landlord/matches?limit=1&faults=true", "matches", "start", 4),
        ("/tournaments/cup/landlord/matches?limit=1&board=0", "matches", "start", 2),
        ("/tournaments/cup/landlord/verdicts?limit=1", "verdicts", "before", 4),
        ("/tournaments/cup/landlord/crosstable?limit=1", "encounters", "start", 2),
        ("/bots?limit=1", "bots", "after", 2),
        ("/bots/random?limit=1", "entries", "before", len(GAMES) + 3),
    ],
)
def test_the_pages_of_a_list_have_every_row_once(
    client: TestClient, path: str, rows: str, parameter: str, count: int
) -> None:
    found: list[object] = []
    answer = client.get(f"{API}{path}").json()
    while True:
        found += answer[rows]
        if answer["next"] is None:
            break
        answer = client.get(f"{API}{path}", params={parameter: answer["next"]} | dict(_query(path))).json()
    assert len(found) == count
    assert len({str(row) for row in found}) == count


def _query(path: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (part.partition("=") for part in path.partition("?")[2].split("&"))]


def test_the_table_is_that_of_the_command_line(client: TestClient, played_home: Path) -> None:
    shown = CliRunner().invoke(
        cli, ["--home", str(played_home), "ratings", "cup", "--game", "spit", "--format", "json"]
    )
    rows = client.get(f"{API}/tournaments/cup/spit/ratings").json()["rows"]
    for row, known in zip(rows, json.loads(shown.stdout), strict=True):
        shared = row.keys() & known.keys()
        assert len(shared) > 15
        assert {key: row[key] for key in shared} == {key: known[key] for key in shared}


def test_an_empty_home_is_shown_as_one(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    with Store.create(home) as store:
        client = TestClient(create_app(Site(home, store)))
        assert client.get(f"{API}/tournaments").json() == {"tournaments": [], "next": None}
        assert client.get(f"{API}/bots").json() == {"bots": [], "next": None}
        assert "No tournament yet" in client.get("/").text
        with store.session() as session:
            session.add(
                BotVersion(name="lone", version=1, description="", command="[]", games="[]", bundle_hash="0" * 64)
            )
        assert client.get(f"{API}/bots/lone").json()["entries"] == []
        assert "It has played in no tournament" in client.get("/bots/lone").text
