"""Submitting over the network: from a terminal, from a form, within quotas, and through the death of a server."""

import asyncio
import http.client
import io
import json
import stat
import tarfile
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fastapi import FastAPI, HTTPException
from starlette.testclient import TestClient

import tournament.web.intake
from serving import a_bot, bearer, enrol, log_of, serving
from tournament.bundle import copy_bundle, read_bundle
from tournament.cli import cli
from tournament.home import Home
from tournament.parcel import pack, unpack
from tournament.store.accounts import Role, User, own
from tournament.store.bots import add_version, all_versions
from tournament.store.database import Store
from tournament.store.submissions import (
    Status,
    add_submission,
    find_submission,
    set_status,
)
from tournament.web.intake import Intake, Quotas

QUICK = ("--jail", "process")


def submit(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, ["submit", *map(str, words)], catch_exceptions=False)


def archive(*files: str, content: bytes = b"x") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it has not come to pass"
        time.sleep(0.1)


async def chunks(*parts: bytes, pause: float = 0.0) -> AsyncIterator[bytes]:
    for part in parts:
        await asyncio.sleep(pause)
        yield part


def test_a_bot_is_submitted_built_tried_and_belongs_to_who_submitted_it(
    home: Home, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ada = enrol(store, "ada")
    _, bob = enrol(store, "bob")
    _, boss = enrol(store, "boss", Role.ORGANISER)
    path = a_bot(tmp_path / "mine.py")
    with serving(home, *QUICK) as (server, _):
        accepted = submit(path, "--server", server, "--token", ada)
        assert (accepted.exit_code, accepted.stdout) == (0, "submitted mine 1\n"), accepted.output
        assert f"submission 1 of mine: {server}/submissions/1\nunpacked mine: 1 files\n" in accepted.stderr
        assert "played landlord in seat 1\nsubmitted mine 1: plays landlord; 2 matches tried\n" in accepted.stderr

        monkeypatch.setenv("CARDPIT_SERVER_TOKEN", bob)
        taken = submit(a_bot(path, "return -1 % len(turn.legal_actions)"), "--server", server)
        assert (taken.exit_code, taken.stdout) == (1, "")
        assert "bot mine is not yours: take another name" in taken.stderr

        assert submit(path, "--server", server, "--token", boss).stdout == "submitted mine 2\n"

        faulty = submit(a_bot(path, "return 1 // 0"), "--server", server, "--name", "other")
        assert (faulty.exit_code, faulty.stdout) == (1, "")
        assert "bot other is refused in seat 0 of landlord" in faulty.stderr
        assert "ZeroDivisionError" in faulty.stderr
    assert [(v.name, v.version) for v in all_versions(store)] == [("mine", 1), ("mine", 2)]
    assert sorted(p.name for p in home.bundles.iterdir()) == sorted(v.bundle_hash for v in all_versions(store))
    assert read_bundle(path).hash not in {v.bundle_hash for v in all_versions(store)}
    assert list((home.folder / "submissions").iterdir()) == []
    assert "submission refused user='bob' from=server submission=4 bot='other'" in log_of(home)


def test_a_bundle_with_a_build_says_so_and_what_it_wrote(home: Home, store: Store, tmp_path: Path) -> None:
    _, ada = enrol(store, "ada")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.toml").write_text(
        'name = "built"\ncommand = ["./bot"]\nbuild = ["sh", "-c", "echo no compiler; exit 4"]\n'
    )
    with serving(home, *QUICK) as (server, _):
        result = submit(tmp_path / "bot", "--server", server, "--token", ada)
    assert result.exit_code == 1
    assert "building built …" in result.stderr
    assert "ended with exit status 4" in result.stderr
    assert "no compiler" in result.stderr
    assert find_submission(store, 1).status is Status.REFUSED


def test_a_server_that_was_killed_leaves_nothing_undone(home: Home, store: Store, tmp_path: Path) -> None:
    user, token = enrol(store, "ada")
    data = pack(read_bundle(a_bot(tmp_path / "mine.py")).files)
    with serving(home, *QUICK) as (server, process):
        answer = submit_raw(server, token, data)
        wait_for(lambda: find_submission(store, answer).status is Status.RUNNING)
        process.kill()
    assert (home.folder / "submissions" / f"{answer}.archive").exists()
    with serving(home, *QUICK):
        wait_for(lambda: find_submission(store, answer).status is Status.ACCEPTED)
    assert [(v.name, v.version) for v in all_versions(store)] == [("mine", 1)]
    assert list((home.folder / "submissions").iterdir()) == []
    assert user.name == find_submission(store, answer).user.name


def submit_raw(server: str, token: str, data: bytes) -> int:
    connection = http.client.HTTPConnection(server.removeprefix("http://"))
    connection.request("POST", "/api/v1/submissions?name=mine", data, bearer(token))
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return int(answer["id"])


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--server", "ftp://x", "--token", "x"), 2, "--server 'ftp://x': an address such as"),
        (("--server", "https://x:y", "--token", "x"), 2, "its port is none"),
        (("--server", "http://127.0.0.1:1"), 2, "--server without a token"),
        (("--server", "http://127.0.0.1:1", "--token", "ä"), 2, "characters that no token has"),
        (("--server", "http://127.0.0.1:1", "--token", "x"), 1, "server http://127.0.0.1:1 cannot be reached"),
    ],
)
def test_a_server_that_cannot_be_asked_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, message: str
) -> None:
    monkeypatch.delenv("CARDPIT_SERVER_TOKEN", raising=False)
    result = submit(a_bot(tmp_path / "mine.py"), *words)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_token_on_a_plain_connection_is_warned_of(tmp_path: Path) -> None:
    result = submit(a_bot(tmp_path / "mine.py"), "--server", "http://cards.invalid", "--token", "x")
    assert "others on the way can read your token" in result.stderr
    assert result.exit_code == 1


def test_an_archive_is_submitted_with_the_form(app: FastAPI, store: Store, home: Home) -> None:
    _, token = enrol(store, "ada")
    client = TestClient(app, follow_redirects=False)
    client.post("/login", data={"token": token})
    page = client.get("/submit").text
    form = {"form_key": page.partition('name="form_key" value="')[2].partition('"')[0], "name": "mine"}
    files = {"archive": ("mine.tar.gz", archive("mine.py"), "application/gzip")}
    answer = client.post("/submit", data=form, files=files)
    assert (answer.status_code, answer.headers["location"]) == (303, "/submissions/1")
    found = find_submission(store, 1)
    assert (found.user.name, found.bot, found.status, found.size) == ("ada", "mine", "waiting", len(archive("mine.py")))
    assert (home.folder / "submissions" / "1.archive").read_bytes() == archive("mine.py")
    assert ">1</a>" in client.get("/submit").text

    refused = [
        client.post("/submit", data={**form, "form_key": "x"}, files=files),
        client.post("/submit", data={**form, "name": "../x"}, files=files),
        client.post("/submit", data=form, files={"archive": ("", b"")}),
        client.post("/submit", data=form, files={"archive": ("x.zip", b"", "application/zip")}),
        client.post("/submit", data=form),
    ]
    assert [each.status_code for each in refused] == [400, 422, 422, 422, 422]
    assert [path.name for path in (home.folder / "submissions").iterdir()] == ["1.archive"]


def test_a_participant_sees_his_own_submissions_and_bundles_and_an_organiser_all(
    app: FastAPI, store: Store, home: Home, tmp_path: Path
) -> None:
    ada, ada_token = enrol(store, "ada")
    bob, bob_token = enrol(store, "bob")
    _, boss_token = enrol(store, "boss", Role.ORGANISER)
    for user, log in ((ada, "secret of ada"), (bob, "secret of bob")):
        set_status(store, add_submission(store, user, f"bot-of-{user.name}", 10), Status.REFUSED, log)
    client = TestClient(app)

    def logs(token: str) -> list[str | None]:
        answers = [client.get(f"/api/v1/submissions/{key}", headers=bearer(token)) for key in (1, 2)]
        return [answer.json().get("log") if answer.status_code == 200 else None for answer in answers]

    def listed(token: str) -> list[int]:
        return [row["id"] for row in client.get("/api/v1/submissions", headers=bearer(token)).json()["submissions"]]

    assert [logs(token) for token in (ada_token, bob_token, boss_token)] == [
        ["secret of ada", None],
        [None, "secret of bob"],
        ["secret of ada", "secret of bob"],
    ]
    assert [listed(token) for token in (ada_token, bob_token, boss_token)] == [[1], [2], [2, 1]]
    tail = client.get("/api/v1/submissions/1?after=10", headers=bearer(ada_token)).json()
    assert (tail["log"], tail["log_size"]) == ("ada", 13)
    page = client.get("/api/v1/submissions?limit=1", headers=bearer(boss_token)).json()
    assert page["next"] == 2
    following = client.get("/api/v1/submissions?before=2", headers=bearer(boss_token)).json()
    assert ([row["id"] for row in following["submissions"]], following["next"]) == ([1], None)


def test_a_bundle_is_given_back_to_its_owner_alone(home: Home, store: Store, app: FastAPI, tmp_path: Path) -> None:
    user, ada = enrol(store, "ada")
    _, bob = enrol(store, "bob")
    _, boss = enrol(store, "boss", Role.ORGANISER)
    path = a_bot(tmp_path / "mine.py")
    bundle = read_bundle(path)
    copy_bundle(bundle, home.bundles, jail="none")
    own(store, user, "mine")
    add_version(store, bundle)
    client = TestClient(app)
    url = "/api/v1/bots/mine/1/bundle"
    assert [client.get(url, headers=bearer(token)).status_code for token in (ada, bob, boss)] == [200, 404, 200]
    assert client.get(url).status_code == 401
    assert client.get("/api/v1/bots/mine/2/bundle", headers=bearer(ada)).status_code == 404
    (tmp_path / "back.tar.gz").write_bytes(client.get(url, headers=bearer(ada)).content)
    (tmp_path / "back").mkdir()
    assert unpack(tmp_path / "back.tar.gz", tmp_path / "back").read_bytes() == path.read_bytes()
    assert client.get("/api/v1/account", headers=bearer(ada)).json()["bots"] == ["mine"]


@pytest.fixture
def ada(store: Store) -> User:
    return enrol(store, "ada")[0]


def take_in(intake: Intake, user: User, *parts: bytes, pause: float = 0.0) -> int:
    return asyncio.run(intake.receive(user, "", chunks(*parts, pause=pause)))


@pytest.mark.parametrize(
    ("quotas", "message"),
    [
        (Quotas(waiting=2), "2 submissions waiting for their trial: 2 are allowed"),
        (Quotas(minute=2), "2 submissions in the last minute: 2 are allowed"),
        (Quotas(day=2), "2 submissions in the last 24 hours: 2 are allowed"),
    ],
)
def test_a_user_who_submits_too_much_has_to_wait_and_another_has_not(
    store: Store, home: Home, ada: User, quotas: Quotas, message: str
) -> None:
    intake = Intake(store, home, jail="process", quotas=quotas)
    assert [take_in(intake, ada, b"x") for _ in range(2)] == [1, 2]
    with pytest.raises(HTTPException) as raised:
        take_in(intake, ada, b"x")
    assert (raised.value.status_code, raised.value.detail) == (429, message)
    assert int((raised.value.headers or {})["Retry-After"]) > 0
    assert take_in(intake, enrol(store, "bob")[0], b"x") == 3


def test_submissions_that_arrive_together_are_counted_one_by_one(store: Store, home: Home, ada: User) -> None:
    async def together() -> list[int | BaseException]:
        intake = Intake(store, home, jail="process", quotas=Quotas(waiting=2))
        return await asyncio.gather(
            *(intake.receive(ada, "", chunks(b"x", pause=0.1)) for _ in range(5)), return_exceptions=True
        )

    outcomes = asyncio.run(together())
    assert sorted(outcome for outcome in outcomes if isinstance(outcome, int)) == [1, 2]
    folder = home.folder / "submissions"
    assert sorted(path.name for path in folder.iterdir()) == ["1.archive", "2.archive"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(("parts", "status"), [((b"x" * 600, b"x" * 600), 413), ((), 422)])
def test_an_archive_of_no_allowed_size_is_refused_and_leaves_nothing(
    store: Store, home: Home, ada: User, parts: tuple[bytes, ...], status: int
) -> None:
    with pytest.raises(HTTPException) as raised:
        take_in(Intake(store, home, jail="process", quotas=Quotas(size=1000)), ada, *parts)
    assert raised.value.status_code == status
    assert list((home.folder / "submissions").iterdir()) == []


def test_an_archive_that_trickles_in_is_given_up(
    store: Store, home: Home, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament.web.intake, "UPLOAD_TIME", 0.2)
    with pytest.raises(HTTPException) as raised:
        take_in(Intake(store, home, jail="process"), ada, *[b"x"] * 100, pause=0.05)
    assert raised.value.status_code == 408
    assert list((home.folder / "submissions").iterdir()) == []


def test_a_server_without_a_jail_that_holds_takes_nothing_in(store: Store, home: Home, ada: User) -> None:
    with pytest.raises(HTTPException) as raised:
        take_in(Intake(store, home, jail=None), ada, b"x")
    assert raised.value.status_code == 503


def test_a_trial_that_takes_too_long_is_ended(
    store: Store, home: Home, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament.web.intake, "TRIAL_TIME", 0.3)

    async def run() -> None:
        intake = Intake(store, home, jail="process")
        await intake.receive(ada, "mine", chunks(archive("mine.py")))
        await working(intake, lambda: find_submission(store, 1).status.ended)

    asyncio.run(run())
    found = find_submission(store, 1)
    assert found.status is Status.REFUSED
    assert found.log.endswith("it took longer than 0.3 s: it is refused\n")


def test_a_disk_that_fails_for_a_while_costs_no_submission(
    store: Store, home: Home, ada: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tournament.web.intake, "TRIAL_TIME", 0.3)
    monkeypatch.setattr(tournament.web.intake, "LOOK_TIME", 0.1)
    make, failures = tempfile.mkdtemp, iter([OSError(28, "No space left on device")] * 2)

    def mkdtemp(**options: Any) -> str:
        for error in failures:
            raise error
        made: str = make(**options)
        return made

    async def run() -> None:
        intake = Intake(store, home, jail="process")
        await intake.receive(ada, "mine", chunks(archive("mine.py")))
        monkeypatch.setattr(tempfile, "mkdtemp", mkdtemp)
        await working(intake, lambda: find_submission(store, 1).status.ended)

    asyncio.run(run())
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "submissions wait: [Errno 28] No space left on device"
    ] * 2
    assert find_submission(store, 1).status is Status.REFUSED


def test_a_server_that_stops_ends_the_trial_and_its_bot(store: Store, home: Home, ada: User, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    act = f"open({str(pid)!r}, 'w').write(str(__import__('os').getpid())); __import__('time').sleep(9)"
    data = pack(read_bundle(a_bot(tmp_path / "mine.py", act)).files)

    async def run() -> None:
        intake = Intake(store, home, jail="process")
        await intake.receive(ada, "mine", chunks(data))
        await working(intake, lambda: pid.exists() and bool(pid.read_text()))

    asyncio.run(run())
    assert find_submission(store, 1).status is Status.RUNNING
    assert [path.suffix for path in sorted((home.folder / "submissions").iterdir())] == [".archive", ".log"]
    wait_for(lambda: not Path(f"/proc/{pid.read_text()}").exists())
    assert list(home.bundles.iterdir()) == []


async def working(intake: Intake, until: Callable[[], bool]) -> None:
    """Have an intake work until something has come to pass."""
    work = asyncio.create_task(intake.work())
    await asyncio.to_thread(wait_for, until)
    work.cancel()
    await asyncio.wait([work])
