"""Every route, asked by everybody: anonymous, a participant, another one, an organiser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from serving import BOTS, bearer, enrol
from tournament.bundle import copy_bundle, read_bundle
from tournament.home import Home
from tournament.store.accounts import Role, own
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.submissions import Status, add_submission, set_status
from tournament.web.api import API_ROUTERS
from tournament.web.app import API, MAX_BODY_SIZE
from tournament.web.pages import PAGE_ROUTERS

MATCH = "/tournaments/{name}/{game}/matches/{pairing}/{board}/{room}"

READ = (200, 200, 200, 200)
ABSENT = (404, 404, 404, 404)
"""There is no tournament and no exhibition here: it is public, and nobody gets more than another."""

ROUTES: dict[str, tuple[int, int, int, int]] = {
    "GET /": READ,
    "GET /api": READ,
    "GET /bots": READ,
    "GET /bots/{name}": READ,
    "GET /games": READ,
    "GET /games/{game}": READ,
    "GET /docs": READ,
    "GET /docs/{name}": READ,
    "GET /docs/images/{name}": READ,
    "GET /static/figures.css": READ,
    "GET /login": READ,
    "GET /play": READ,
    "GET /play/{game}": READ,
    "GET /played/{key}": ABSENT,
    "GET /tournaments/{name}": ABSENT,
    "GET /tournaments/{name}/about": ABSENT,
    "GET /tournaments/{name}/events": ABSENT,
    "GET /tournaments/{name}/{game}": ABSENT,
    "GET /tournaments/{name}/{game}/live": ABSENT,
    "GET /tournaments/{name}/{game}/matches": ABSENT,
    "GET /tournaments/{name}/{game}/verdicts": ABSENT,
    f"GET {MATCH}": ABSENT,
    # Without a session one is sent to log in; a form without the key of its session is refused.
    "GET /submit": (303, 200, 200, 200),
    "GET /submissions/{key}": (303, 200, 404, 200),
    "POST /login": (401, 401, 401, 401),
    "POST /logout": (400, 400, 400, 400),
    "POST /submit": (303, 400, 400, 400),
    f"GET {API}/bots": READ,
    f"GET {API}/bots/{{name}}": READ,
    f"GET {API}/games": READ,
    f"GET {API}/games/{{game}}": READ,
    f"GET {API}/tournaments": READ,
    f"GET {API}/exhibitions": READ,
    f"GET {API}/exhibitions/{{key}}/replay": ABSENT,
    f"GET {API}/tournaments/{{name}}": ABSENT,
    f"GET {API}/tournaments/{{name}}/{{game}}/ratings": ABSENT,
    f"GET {API}/tournaments/{{name}}/{{game}}/crosstable": ABSENT,
    f"GET {API}/tournaments/{{name}}/{{game}}/history": ABSENT,
    f"GET {API}/tournaments/{{name}}/{{game}}/matches": ABSENT,
    f"GET {API}/tournaments/{{name}}/{{game}}/verdicts": ABSENT,
    f"GET {API}{MATCH}": ABSENT,
    f"GET {API}{MATCH}/replay": ABSENT,
    f"GET {API}{MATCH}/record": ABSENT,
    f"GET {API}{MATCH}/text": ABSENT,
    f"GET {API}{MATCH}/logs": ABSENT,
    f"GET {API}/account": (401, 200, 200, 200),
    f"GET {API}/submissions": (401, 200, 200, 200),
    f"GET {API}/submissions/{{key}}": (401, 200, 404, 200),
    f"POST {API}/submissions": (401, 202, 202, 202),
    f"GET {API}/bots/{{name}}/{{version}}/bundle": (401, 200, 404, 200),
    # A WebSocket: nobody is seated without saying at which table.
    "WEBSOCKET /play-at": (1008, 1008, 1008, 1008),
}
"""What each route answers to each role, in this order."""

ROLES = ("anonymous", "owner", "other", "organiser")

PLACES = {
    "name": "mine",
    "game": "landlord",
    "key": "1",
    "version": "1",
    "pairing": "0",
    "board": "0",
    "room": "0",
}
DOCUMENTS = {"/docs": "protocol", "/docs/images": "phone.png"}


@dataclass(frozen=True)
class Asker:
    """Somebody, with a browser and with a program."""

    browser: TestClient
    program: TestClient

    def ask(self, route: str) -> int:
        """Return the status of the answer to a route."""
        method, _, template = route.partition(" ")
        path = template
        for folder, name in DOCUMENTS.items():
            path = path.replace(f"{folder}/{{name}}", f"{folder}/{name}")
        path = re.sub(r"\{(\w+)\}", lambda match: PLACES[match[1]], path)
        client = self.program if path.startswith(API) else self.browser
        if method == "WEBSOCKET":
            with pytest.raises(WebSocketDisconnect) as denied, client.websocket_connect(path):
                pass
            return denied.value.code
        content = b"x" if method == "POST" and path.startswith(API) else None
        status = client.request(method, path, content=content).status_code
        assert isinstance(status, int)
        return status


@pytest.fixture
def askers(app: FastAPI, home: Home, store: Store) -> Iterator[dict[str, Asker]]:
    """Everybody; ada owns the bot ``mine`` and submission 1."""
    found = {"anonymous": Asker(TestClient(app, follow_redirects=False), TestClient(app))}
    for name, role, user_role in (
        ("ada", "owner", Role.PARTICIPANT),
        ("bob", "other", Role.PARTICIPANT),
        ("boss", "organiser", Role.ORGANISER),
    ):
        user, token = enrol(store, name, user_role)
        browser = TestClient(app, follow_redirects=False)
        browser.post("/login", data={"token": token})
        found[role] = Asker(browser, TestClient(app, headers=bearer(token)))
        if name == "ada":
            bundle = read_bundle(BOTS / "first", "mine")
            copy_bundle(bundle, home.bundles, jail="none")
            own(store, user, "mine")
            add_version(store, bundle)
            set_status(store, add_submission(store, user, "mine", 10), Status.ACCEPTED, "log")
    yield found


def routes() -> list[str]:
    found = []
    for routers, prefix in ((PAGE_ROUTERS, ""), (API_ROUTERS, API)):
        for router in routers:
            for route in router.routes:
                for method in getattr(route, "methods", None) or {"WEBSOCKET"}:
                    found.append(f"{method} {prefix}{getattr(route, 'path', '')}")
    return sorted(found)


def test_every_route_is_in_the_table() -> None:
    assert sorted(ROUTES) == routes()


def test_every_route_answers_to_every_role_as_the_table_says(askers: dict[str, Asker]) -> None:
    assert {route: tuple(askers[role].ask(route) for role in ROLES) for route in ROUTES} == ROUTES


def test_a_cookie_changes_nothing_through_the_api(askers: dict[str, Asker]) -> None:
    browser = askers["owner"].browser
    assert browser.get(f"{API}/account").status_code == 200
    assert browser.post(f"{API}/submissions", content=b"x").status_code == 401


def test_a_request_that_is_too_large_is_refused(askers: dict[str, Asker]) -> None:
    huge = "x" * (MAX_BODY_SIZE + 1)
    assert askers["owner"].browser.post("/login", data={"token": huge}).status_code == 413


def test_no_error_shows_how_the_server_is_made(
    app: FastAPI, home: Home, askers: dict[str, Asker], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    for module in ("tournament.web.api.submissions", "tournament.web.pages.submissions"):
        monkeypatch.setattr(f"{module}.submissions_page", fail)
    client = TestClient(app, raise_server_exceptions=False, headers=dict(askers["owner"].program.headers))
    browser = TestClient(app, raise_server_exceptions=False, cookies=askers["owner"].browser.cookies)
    for answer in (client.get(f"{API}/submissions"), browser.get("/submit")):
        assert answer.status_code == 500
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text


def test_pages_of_users_keep_the_strict_policy(askers: dict[str, Asker], tmp_path: Path) -> None:
    for path in ("/login", "/submit", "/submissions/1", "/play", "/play/landlord"):
        answer = askers["owner"].browser.get(path)
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", answer.text), path
