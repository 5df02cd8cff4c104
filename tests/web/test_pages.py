"""The pages without a browser: what they show, and what they keep to themselves."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from fastapi.testclient import TestClient

from cardpit.cards import PACK
from cardpit.games import ALL, GAMES, PUBLIC
from cardpit.games.seeds import board_seed
from cardpit.v1 import referee_pb2
from referee.record import states
from tournament.archive import open_record
from tournament.home import Home
from tournament.store.database import Store
from tournament.store.listing import rooms_of
from tournament.store.matches import find_match, find_record
from tournament.store.tables import Match, MatchRecord
from tournament.store.tournaments import find_tournament
from tournament.store.voids import void_matches
from tournament.web.app import create_app
from tournament.web.frames import REASONS, frames
from tournament.web.site import Site
from tournament.web.snapshots import Snapshots

PAGES = (
    "/", "/tournaments/cup", "/tournaments/cup/about", "/tournaments/cup/landlord", "/tournaments/cup/landlord/live",
    "/tournaments/cup/landlord/matches", "/tournaments/cup/landlord/matches?bot=talker&against=random@1&board=0",
    "/tournaments/cup/landlord/matches?bot=talker&faults=true", "/tournaments/cup/spit/matches?bot=&against=&board=",
    "/tournaments/cup/landlord/verdicts",
    "/tournaments/cup/landlord/matches/0/0/0", "/tournaments/half", "/tournaments/half/landlord",
    "/tournaments/half/landlord/matches/0/0/1", "/tournaments/half/landlord/verdicts", "/tournaments/half/about",
    "/bots", "/bots/talker", "/games", *(f"/games/{game}" for game in GAMES), "/docs", "/docs/ratings", "/api",
)  # fmt: skip

API = "/api/v1"

CARD = re.compile(r"\b(?:" + "|".join(PACK) + r")\b")


class Links(HTMLParser):
    """Every address that a page leads to or loads, and every tag that would run or style something inline."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.inline: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found |= {value for name in ("href", "src") if (value := given.get(name))}
        if tag == "style" or "style" in given or any(name.startswith("on") for name in given):
            self.inline.append(tag)
        if tag == "script" and "src" not in given:
            self.inline.append(tag)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_there_and_has_nothing_inline(client: TestClient, page: str) -> None:
    answer = client.get(page)
    assert answer.status_code == 200
    assert "<title>" in answer.text or page.endswith("/live")
    assert Links(answer.text).inline == []


def test_every_link_of_every_page_leads_somewhere(client: TestClient) -> None:
    seen: set[str] = set()
    waiting = ["/"]
    while waiting:
        page = waiting.pop()
        answer = client.get(page)
        assert answer.status_code == 200, page
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        for link in Links(answer.text).found:
            path = urljoin(page, link.partition("#")[0])
            # Of matches and their lists a few stand for all; "mailto" and other sites are not ours.
            many = "/matches" in path and sum("/matches" in each for each in seen) > 60
            if path.startswith("/") and path not in seen and not many:
                seen.add(path)
                waiting.append(path)
    assert {"/bots/talker", "/games/spit", "/docs/real-time", "/docs/images/phone.png"} <= seen


def test_what_a_bot_says_is_shown_as_text(open_client: TestClient) -> None:
    pages = ("/bots", "/bots/talker", "/tournaments/cup/landlord/matches/0/0/0")
    for text in (open_client.get(page).text for page in pages):
        assert "<script>document" not in text
        assert "&lt;script&gt;document" in text
    # The comments come as JSON, and the viewer puts them in as text: see the test of the browser.
    frames = open_client.get(f"{API}/tournaments/cup/landlord/matches/0/0/0/replay")
    assert frames.headers["content-type"] == "application/json"
    assert frames.headers["x-content-type-options"] == "nosniff"


def test_every_answer_has_the_headers_that_keep_a_reader_safe(client: TestClient) -> None:
    for path in ("/", "/nothing", "/static/style.css", f"{API}/games", f"{API}/nothing", f"{API}/games/%00"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/tournaments/nix", 404, "unknown tournament"),
        ("/tournaments/cup/poker", 404, "unknown game"),
        ("/tournaments/cup/landlord/matches/9/9/9", 404, "it has not been played"),
        ("/tournaments/cup/landlord/matches?bot=nix", 404, "known are"),
        ("/tournaments/cup/landlord/matches?bot=a%00b", 422, "bot"),
        ("/bots/nix", 404, "unknown bot"),
        ("/games/poker", 404, "unknown game"),
        ("/docs/passwd", 404, "unknown document"),
        ("/docs/..%2f..%2fetc", 404, "Not Found"),
        ("/nothing", 404, "Not Found"),
    ],
)
def test_what_is_not_there_is_said(client: TestClient, path: str, status: int, told: str) -> None:
    for answer in (client.get(path), client.get(f"{API}{path}")):
        assert answer.status_code in (status, 404)
        assert "Traceback" not in answer.text
    assert client.get(path).status_code == status
    assert told in client.get(path).text


def test_a_large_request_is_refused(client: TestClient) -> None:
    assert client.post("/", content=b"x" * 100_000).status_code in (405, 413)
    assert client.request("GET", "/", content=b"x" * 100_000).status_code in (200, 413)


def test_an_error_of_ours_tells_nothing_of_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr("tournament.web.pages.home.tournaments_page", fail)
    with Store.create(home) as store:
        answer = TestClient(create_app(Site(home, store)), raise_server_exceptions=False).get("/")
    assert (answer.status_code, answer.text) == (500, "Internal Server Error")


def test_an_answer_that_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    for path in ("/", "/tournaments/cup/landlord", f"{API}/tournaments/cup/landlord/ratings", "/static/style.css"):
        first = client.get(path)
        again = client.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert client.get(path, headers={"If-None-Match": 'W/"other"'}).status_code == 200


def test_a_damaged_record_is_said_to_be_one(home: Home) -> None:
    with Store.create(home) as store:
        _, _, match = find_match(store, "cup/landlord/0/0/0")
        with store.session() as session:
            row = session.get_one(MatchRecord, match.key)
            row.record = row.record[:-9] + b"\xff" * 9
            session.add(row)
        client = TestClient(create_app(Site(home, store)))
        answer = client.get(f"{API}/tournaments/cup/landlord/matches/0/0/0/replay")
        assert answer.status_code == 404
        assert "its record is damaged" in answer.json()["detail"]
        assert client.get("/tournaments/cup/landlord/matches/0/0/0").status_code == 200


# What must not be told before a tournament is finished.


def told_paths(tournament: str, folder: Path) -> Iterator[str]:
    """Yield every address that tells something of the matches of a tournament."""
    with Store.create(Home(folder)) as store:
        found = find_tournament(store, tournament)
        for pool in found.pools:
            base = f"/tournaments/{tournament}/{pool.game}"
            yield from (base, f"{base}/live", f"{base}/matches", f"{base}/verdicts", f"{API}{base}/ratings")
            yield from (f"{API}{base}/verdicts", f"{API}{base}/matches", f"{API}{base}/crosstable")
            for match in rooms_of(store, pool, 0, 0):
                path = f"{base}/matches/0/0/{match.room}"
                yield from (path, f"{API}{path}", f"{API}{path}/text", f"{API}{path}/record")
                yield from (f"{API}{path}/replay?eyes={eyes}" for eyes in ("all", "public", 0, 1))
        yield from (f"/tournaments/{tournament}", f"/tournaments/{tournament}/about", f"{API}/tournaments/{tournament}")


def test_no_card_of_an_unfinished_tournament_is_told(open_client: TestClient, played_home: Path) -> None:
    with Store.create(Home(played_home)) as store:
        seed = find_tournament(store, "half").seed.hex()
    for path in told_paths("half", played_home):
        text = open_client.get(path).text
        assert CARD.findall(text) == [], path
        assert "I hold" not in text, path
        assert seed not in text, path
        assert "document.title" not in text, path


def test_the_cards_of_a_finished_tournament_are_told(open_client: TestClient, played_home: Path) -> None:
    found = {path for path in told_paths("cup", played_home) if CARD.search(open_client.get(path).text)}
    assert f"{API}/tournaments/cup/landlord/matches/0/0/0/replay?eyes=all" in found
    assert f"{API}/tournaments/cup/spit/matches/0/0/1/text" in found
    assert "/tournaments/cup/landlord/matches/0/0/0" in found, "in the log of the bot that crashed"


def test_a_replay_of_an_unfinished_tournament_shows_only_how_many_cards_lie_where(client: TestClient) -> None:
    path = "tournaments/half/twenty-two/matches/0/0/0"
    replay = client.get(f"{API}/{path}/replay").json()
    assert replay["eyes"] == "none"
    assert replay["steps"] + 1 == len(replay["frames"]) > 10
    for frame in replay["frames"]:
        assert frame["counters"] == frame["events"] == []
        assert {action["action"] for action in frame["actions"]} <= {None}
        assert {action["comment"] for action in frame["actions"]} <= {""}
        assert all(zone["cards"] == [] for zone in frame["zones"])
        assert sum(zone["unseen"] for zone in frame["zones"]) == 52
    assert any(action["used_time"] > 0 for frame in replay["frames"] for action in frame["actions"])
    for part in ("text", "record"):
        answer = client.get(f"{API}/{path}/{part}")
        assert answer.status_code == 403
        assert "is not finished" in answer.json()["detail"]
    assert client.get(f"{API}/tournaments/half").json()["seed"] is None


def test_what_is_told_of_a_verdict_waits_for_the_end(open_client: TestClient, client: TestClient) -> None:
    (verdict,) = open_client.get(f"{API}/tournaments/half/landlord/verdicts").json()["verdicts"]
    assert (verdict["bot"], verdict["termination"]) == ("talker", "crash")
    assert verdict["detail"] is verdict["log"] is None
    verdicts = open_client.get(f"{API}/tournaments/cup/landlord/verdicts").json()["verdicts"]
    assert len(verdicts) == 4
    assert all("I hold" in verdict["log"] and verdict["detail"] for verdict in verdicts)
    verdicts = client.get(f"{API}/tournaments/cup/landlord/verdicts").json()["verdicts"]
    assert all(verdict["log"] is None and verdict["detail"] for verdict in verdicts)
    assert "I hold" not in client.get("/tournaments/cup/landlord/matches/0/0/0").text


def test_voiding_a_result_closes_the_records_again(home: Home) -> None:
    path = f"{API}/tournaments/cup/spit/matches/0/0/0/text"
    with Store.create(home) as store:
        client = TestClient(create_app(Site(home, store)))
        assert client.get(path).status_code == 200
        tournament = find_tournament(store, "cup")
        landlord = tournament.pool("landlord")
        void_matches(store, tournament, landlord, rooms_of(store, landlord, 0, 1)[:1], "why not")
        assert client.get(path).status_code == 403


# What a replay shows.


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("eyes", ["all", "public", "0", "1"])
def test_a_replay_shows_what_the_rules_show_to_the_same_eyes(
    client: TestClient, played_home: Path, game: str, eyes: str
) -> None:
    with Store.create(Home(played_home)) as store:
        tournament, pool, match = find_match(store, f"cup/{game}/0/1/0")
        stored = find_record(store, match)
    record, timings = open_record(stored.record, stored.timings)
    seat = {"all": ALL, "public": PUBLIC}.get(eyes, int(eyes) if eyes.isdigit() else 0)
    seen = [state.observe(seat) for state in states(record, board_seed(tournament.seed, pool.game, 1))]
    frames = []
    start = 0
    while start is not None:
        part = client.get(
            f"{API}/tournaments/cup/{game}/matches/0/1/0/replay?eyes={eyes}&start={start}&limit=100"
        ).json()
        frames += part["frames"]
        start = part["next"]
    assert len(frames) == len(seen) == len(record.steps) + 1
    for frame, observation in zip(frames, seen, strict=True):
        assert frame["phase"] == observation.phase
        zones = [(zone["name"], zone["owner"], tuple(zone["cards"]), zone["unseen"]) for zone in frame["zones"]]
        assert zones == list(observation.zones)
        assert [(c["name"], c["value"]) for c in frame["counters"]] == list(observation.counters)
        assert [(e["seat"], e["text"]) for e in frame["events"]] == list(observation.events)
    told = [action["action"] for frame in frames for action in frame["actions"]]
    own = [action.action if seat in (ALL, action.seat) else None for step in record.steps for action in step.actions]
    assert told == own
    used = [action["used_time"] for frame in frames for action in frame["actions"]]
    assert used == [time.ToNanoseconds() / 1e9 for time in timings.used_time]
    assert frames[0]["deal"]


def test_an_answer_that_was_replaced_is_marked(played_home: Path) -> None:
    with Store.create(Home(played_home)) as store:
        tournament, pool, match = find_match(store, "cup/twenty-two/0/0/0")
        stored = find_record(store, match)
    record, timings = open_record(stored.record, stored.timings)
    record.steps[2].actions[0].substituted = referee_pb2.SUBSTITUTION_REASON_TIMEOUT
    seed = board_seed(tournament.seed, pool.game, 0)
    found = [frame.actions[0].substituted for frame in frames(record, timings, seed, PUBLIC, cards=True) if frame.step]
    assert found[:4] == [None, None, "too late", None]


def test_every_reason_for_a_replacement_has_a_word() -> None:
    assert set(REASONS) == set(referee_pb2.SubstitutionReason.values()) - {0}


# Snapshots.


def test_a_snapshot_is_made_anew_when_results_change(home: Home) -> None:
    with Store.create(home) as store:
        snapshots = Snapshots(store)
        tournament = find_tournament(store, "half")
        pool = tournament.pool("spit")
        before = snapshots.of(tournament, pool)
        assert (before.played, before.planned, before.table.boards) == (2, 2, 1)
        assert snapshots.of(tournament, pool) is before
        landlord = tournament.pool("landlord")
        assert snapshots.of(tournament, landlord).played == 1
        missing = Match(
            pool_id=landlord.id,
            pairing=0,
            board=0,
            room=0,
            termination="normal",
            decisions=1,
            lag_time=0.0,
            record_hash=b"",
        )
        with store.session() as session:
            session.add(missing)
        assert any(snapshots.of(tournament, landlord).played == 2 for _ in range(1000))
