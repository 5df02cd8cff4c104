"""A person at a table on the page: the WebSocket, its limits, and what is kept."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import websockets.sync.client
from fastapi import FastAPI
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

import tournament.web.exhibitions
import tournament.web.pages.play
from cardpit.games import GAMES
from referee.record import check
from serving import BOTS, a_bot, enrol, serving
from tournament.archive import open_record
from tournament.bundle import copy_bundle, read_bundle
from tournament.home import Home
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.exhibitions import exhibitions_page, find_exhibition
from tournament.web.app import create_app
from tournament.web.site import Site

Message = dict[str, object]


def put(store: Store, home: Home, name: str) -> None:
    """Store a built-in bot without trying it."""
    bundle = read_bundle(BOTS / name)
    copy_bundle(bundle, home.bundles, jail="none")
    add_version(store, bundle)


@contextmanager
def sitting(client: TestClient, wish: str, **headers: str) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(f"/play-at?{wish}", headers=headers) as table:
        yield table


def hear(table: WebSocketTestSession) -> Message:
    message = json.loads(table.receive_text())
    assert isinstance(message, dict)
    return message


def play_on(table: WebSocketTestSession, choose: Callable[[list[str]], str]) -> list[Message]:
    """Play to the end; return every message."""
    heard = []
    while True:
        message = hear(table)
        heard.append(message)
        if message["kind"] == "turn":
            legal = message["legal_actions"]
            assert isinstance(legal, list)
            table.send_text(json.dumps({"number": message["number"], "action": choose(legal)}))
        if message["kind"] in ("kept", "problem"):
            return heard


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_of_each_game_is_played_kept_and_shown(app: FastAPI, home: Home, store: Store, game: str) -> None:
    put(store, home, "first")
    client = TestClient(app)
    # Ticks of Spit wait, for there are many.
    with sitting(client, f"game={game}&bot=first&seat=1&tick_time={0 if game == 'spit' else 0.2}") as table:
        heard = play_on(table, lambda legal: legal[0])
    opening, result, kept = heard[0], heard[-2], heard[-1]
    assert (opening["kind"], opening["seat"]) == ("table", 1)
    assert opening["realtime"] == (GAMES[game].real_time and game != "spit")
    assert opening["seats"] == [{"bot": "first", "version": 1}, {"bot": "person", "version": 0}]
    assert (result["kind"], result["terminations"], kept["faults"]) == ("result", ["normal", "normal"], [])
    found = find_exhibition(store, 1)
    assert (kept["id"], found.game, found.bot, found.person_seat, found.user) == (1, game, "first 1", 1, None)
    assert list(found.payoffs) == result["payoffs"]
    record, _ = open_record(found.record, found.timings)
    assert check(record, found.seed) == []
    assert [player.bot for player in record.header.players] == ["first", "person"]
    page = client.get("/played/1")
    assert "/api/v1/exhibitions/1/replay" in page.text
    replay = client.get("/api/v1/exhibitions/1/replay?eyes=all&limit=2").json()
    assert (replay["steps"], len(replay["frames"]), replay["next"]) == (len(record.steps), 2, 2)
    assert ">1</a>" in client.get("/play").text
    assert client.get("/api/v1/exhibitions").json()["exhibitions"][0]["bot"] == {"bot": "first", "version": 1}
    assert client.get("/api/v1/tournaments").json()["tournaments"] == []


def test_the_person_sees_what_a_seat_sees_and_no_more(app: FastAPI, home: Home, store: Store) -> None:
    put(store, home, "first")
    with sitting(TestClient(app), "game=landlord&bot=first") as table:
        opening, turn = hear(table), hear(table)
    assert opening["kind"] == "table"
    frame = turn["frame"]
    assert isinstance(frame, dict)
    hands = {zone["owner"]: (len(zone["cards"]), zone["unseen"]) for zone in frame["zones"] if zone["name"] == "hand"}
    assert hands == {0: (17, 0), 1: (0, 17)}
    assert "seed" not in json.dumps([opening, turn])


def test_three_may_sit_at_a_table(app: FastAPI, home: Home, store: Store) -> None:
    put(store, home, "first")
    with sitting(TestClient(app), "game=twenty-two&bot=first&seats=3&seat=2") as table:
        assert [seat["bot"] for seat in hear(table)["seats"]] == ["first", "first", "person"]  # type: ignore[attr-defined]


def test_an_answer_that_is_late_illegal_or_no_answer_changes_nothing(app: FastAPI, home: Home, store: Store) -> None:
    put(store, home, "first")
    with sitting(TestClient(app), "game=landlord&bot=first") as table:
        assert hear(table)["kind"] == "table"
        turn = hear(table)
        legal = turn["legal_actions"]
        assert isinstance(legal, list)
        for text in ('{"number": 99, "action": "pass"}', "nonsense", "[]", '{"number": "x", "action": 1}'):
            table.send_text(text)
        table.send_text(json.dumps({"number": turn["number"], "action": "fly away"}))
        table.send_text(json.dumps({"number": turn["number"], "action": legal[0]}))
        following = hear(table)
    assert (following["kind"], following["substituted"]) == ("turn", None)
    assert following["number"] == 2


def test_who_leaves_forfeits(home: Home, store: Store) -> None:
    put(store, home, "first")
    with serving(home, "--jail", "process") as (server, _):
        address = server.replace("http", "ws", 1)
        with websockets.sync.client.connect(f"{address}/play-at?game=landlord&bot=first") as table:
            assert [json.loads(table.recv())["kind"] for _ in range(2)] == ["table", "turn"]
        wait_for(lambda: bool(exhibitions_page(store, None, 1)))
    found = find_exhibition(store, 1)
    assert (found.termination, found.payoffs[0] < 0) == ("disconnect", True)


def test_who_says_nothing_forfeits_after_a_while(
    app: FastAPI, home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, home, "first")
    monkeypatch.setattr(tournament.web.pages.play, "IDLE_TIME", 0.3)
    with sitting(TestClient(app), "game=landlord&bot=first") as table:
        assert [hear(table)["kind"] for _ in range(2)] == ["table", "turn"]
        result, kept = hear(table), hear(table)
    assert result["terminations"] == ["disconnect", "normal"]
    assert kept["faults"] == ["seat 0: disconnect: left the table"]


def test_who_talks_nonsense_is_shown_out(app: FastAPI, home: Home, store: Store) -> None:
    put(store, home, "first")
    with sitting(TestClient(app), "game=landlord&bot=first") as table:
        for _ in range(20):
            table.send_text("nonsense")
        heard = [hear(table)]
        while heard[-1]["kind"] != "kept":
            heard.append(hear(table))
    assert heard[-1]["faults"] == ["seat 0: disconnect: left the table"]


def test_another_sites_page_cannot_sit_down(app: FastAPI, home: Home, store: Store) -> None:
    put(store, home, "first")
    client = TestClient(app)
    with pytest.raises(WebSocketDisconnect), sitting(client, "game=landlord&bot=first", Origin="https://evil.example"):
        pass
    with sitting(client, "game=landlord&bot=first", Origin="http://testserver") as table:
        assert hear(table)["kind"] == "table"


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ("game=poker&bot=first", "unknown game 'poker'"),
        ("game=landlord&bot=nobody", "unknown bot 'nobody'"),
        ("game=landlord&bot=first@9", "unknown version '9' of bot first"),
        ("game=spit&bot=landlord_rules", "bot landlord_rules 1 does not play spit"),
        ("game=landlord&bot=first&seat=2", "seat 2: 0 to 1 are allowed"),
        ("game=landlord&bot=first&seats=3", "3"),
        ("game=spit&bot=first&tick_time=0.1", "ticks of 0.1 s: 0 and 0.2 or more are allowed"),
    ],
)
def test_what_cannot_be_played_is_said(app: FastAPI, home: Home, store: Store, wish: str, message: str) -> None:
    put(store, home, "first")
    put(store, home, "landlord_rules")
    with sitting(TestClient(app), wish) as table:
        answer = hear(table)
    assert answer["kind"] == "problem"
    assert message in str(answer["message"])


def test_a_bot_whose_bundle_is_gone_is_told_without_a_path(app: FastAPI, home: Home, store: Store) -> None:
    put(store, home, "first")
    shutil.rmtree(home.bundles)
    with sitting(TestClient(app), "game=landlord&bot=first") as table:
        assert hear(table) == {"kind": "problem", "message": "bot first 1 is not on this server any more"}


def test_a_match_that_the_platform_fails_in_is_told_without_its_reason(
    app: FastAPI, home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, home, "first")
    monkeypatch.setattr(app.state.exhibitions, "_jail", "no such jail")
    with sitting(TestClient(app), "game=landlord&bot=first") as table:
        heard = hear(table)
    assert heard == {"kind": "problem", "message": "the match failed, and not by a bot: the server's log says why"}
    assert exhibitions_page(store, None, 1) == []


@pytest.mark.parametrize(
    "wish", ["game=landlord", "game=landlord&bot=first&seat=-1", "game=spit&bot=first&tick_time=-1"]
)
def test_a_wish_that_is_none_is_refused(app: FastAPI, wish: str) -> None:
    with pytest.raises(WebSocketDisconnect), sitting(TestClient(app), wish):
        pass


def test_tables_are_limited_for_each_and_for_all(
    app: FastAPI, home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, home, "first")
    monkeypatch.setattr(tournament.web.exhibitions, "MOST_TABLES_EACH", 1)
    monkeypatch.setattr(tournament.web.exhibitions, "MOST_TABLES", 2)
    wish = "game=landlord&bot=first"
    with TestClient(app, client=("10.0.0.1", 1)) as one:
        two, three = (TestClient(app, client=(f"10.0.0.{n}", 1)) for n in (2, 3))
        with sitting(one, wish) as table:
            assert hear(table)["kind"] == "table"
            with sitting(one, wish) as second:
                assert "you sit at 1 tables already" in str(hear(second)["message"])
            with sitting(two, wish) as other:
                assert hear(other)["kind"] == "table"
                with sitting(three, wish) as third:
                    assert "all 2 tables are taken" in str(hear(third)["message"])
        with sitting(one, wish) as table:
            assert hear(table)["kind"] == "table"


@pytest.mark.parametrize(
    ("play", "logged_in", "seated"), [("users", False, False), ("users", True, True), ("nobody", True, False)]
)
def test_the_organiser_says_who_plays(home: Home, store: Store, play: str, logged_in: bool, seated: bool) -> None:
    put(store, home, "first")
    client = TestClient(create_app(Site(home, store, jail="process", play=play)))
    if logged_in:
        client.post("/login", data={"token": enrol(store, "ada")[1]})
    assert ('id="choose"' in client.get("/play/landlord").text) == seated
    with sitting(client, "game=landlord&bot=first") as table:
        heard = play_on(table, lambda legal: legal[0])
    assert heard[-1]["kind"] == ("kept" if seated else "problem")
    assert [found.user for found in exhibitions_page(store, None, 2)] == (["ada"] if seated else [])


def test_a_bot_that_fails_is_told_and_kept(app: FastAPI, home: Home, store: Store, tmp_path: Path) -> None:
    bundle = read_bundle(a_bot(tmp_path / "faulty.py", "return 1 // 0"))
    copy_bundle(bundle, home.bundles, jail="none")
    add_version(store, bundle)
    with sitting(TestClient(app), "game=landlord&bot=faulty&seat=1") as table:
        heard = play_on(table, lambda legal: legal[0])
    assert heard[-2]["terminations"] == ["crash", "normal"]
    assert "seat 0: crash: " in str(heard[-1]["faults"])


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "it has not come to pass"
        time.sleep(0.05)
