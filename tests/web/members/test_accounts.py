"""Sessions, wrong tokens, and forms from elsewhere."""

import logging

import pytest
from fastapi import FastAPI, HTTPException
from starlette.testclient import TestClient

from serving import bearer, enrol
from tournament.store.accounts import Role, renew_token
from tournament.store.database import Store
from tournament.web.accounts import COOKIE, MOST_WRONG, WRONG_TIME, WrongTokens

WRONG = "cardpit_" + "A" * 43


def client_of(app: FastAPI, address: str = "10.0.0.1") -> TestClient:
    return TestClient(app, client=(address, 1234), follow_redirects=False)


def form_key(client: TestClient) -> str:
    return client.get("/login").text.partition('name="form_key" value="')[2].partition('"')[0]


def test_a_token_begins_a_session_that_scripts_cannot_read(app: FastAPI, store: Store) -> None:
    _, token = enrol(store, "ada")
    client = client_of(app)
    assert client.get("/submit").headers["location"] == "/login?to=/submit"
    answer = client.post("/login", data={"token": f" {token} ", "to": "/submit"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/submit")
    cookie = answer.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/", "max-age="))
    assert token.lower() not in cookie
    page = client.get("/submit")
    assert "<strong>ada</strong>" in page.text
    assert page.headers["cache-control"] == "private, no-store"
    assert client.get("/api/v1/account").json() == {"name": "ada", "role": "participant", "bots": []}


def test_a_cookie_for_https_stays_on_https(app: FastAPI, store: Store) -> None:
    _, token = enrol(store, "ada")
    secure = TestClient(app, base_url="https://cards.example.org", follow_redirects=False)
    assert "secure" in secure.post("/login", data={"token": token}).headers["set-cookie"].lower()


def test_a_session_ends_when_it_is_logged_out_and_with_its_token(app: FastAPI, store: Store) -> None:
    _, token = enrol(store, "ada")
    client, other = client_of(app), client_of(app)
    for each in (client, other):
        each.post("/login", data={"token": token})
    cookie = client.cookies[COOKIE]
    assert client.post("/logout", data={"form_key": form_key(client)}).status_code == 303
    client.cookies.set(COOKIE, cookie)
    assert client.get("/submit").status_code == 303
    assert other.get("/submit").status_code == 200
    renew_token(store, "ada")
    assert other.get("/submit").status_code == 303


def test_a_form_of_another_site_or_session_is_refused(app: FastAPI, store: Store) -> None:
    _, token = enrol(store, "ada")
    client, other = client_of(app), client_of(app)
    for each in (client, other):
        each.post("/login", data={"token": token})
    for key in ("", "x", form_key(other)):
        assert client.post("/logout", data={"form_key": key}).status_code == 400
    elsewhere = {"Origin": "https://evil.example.org"}
    assert client.post("/login", data={"token": token}, headers=elsewhere).status_code == 400
    assert client.post("/login", data={"token": token}, headers={"Origin": "http://testserver"}).status_code == 303
    assert client.get("/submit").status_code == 200


@pytest.mark.parametrize("target", ["//evil.example.org", "https://evil.example.org", "/\\evil", "evil"])
def test_logging_in_leads_nowhere_else(app: FastAPI, store: Store, target: str) -> None:
    _, token = enrol(store, "ada")
    answer = client_of(app).post("/login", data={"token": token, "to": target})
    assert answer.headers.get("location", "/") == "/"


def test_wrong_tokens_are_limited_by_address_for_forms_and_programs_together(app: FastAPI, store: Store) -> None:
    _, token = enrol(store, "ada")
    client = client_of(app)
    for number in range(MOST_WRONG):
        if number % 2:
            assert client.post("/login", data={"token": WRONG}).status_code == 401
        else:
            assert client.get("/api/v1/account", headers=bearer(WRONG)).status_code == 401
    limited = client.get("/api/v1/account", headers=bearer(token))
    assert (limited.status_code, int(limited.headers["retry-after"]) > 0) == (429, True)
    form = client.post("/login", data={"token": token})
    assert (form.status_code, "wait a minute" in form.text) == (429, True)
    assert client.get("/bots").status_code == 200
    assert client_of(app, "10.0.0.2").get("/api/v1/account", headers=bearer(token)).status_code == 200


def test_who_has_waited_may_try_again_and_a_household_is_one() -> None:
    moment = 0.0
    wrong = WrongTokens(lambda: moment)
    for number in range(MOST_WRONG):
        wrong.check("2001:db8::1")
        wrong.count(f"2001:db8::{number:x}")
    with pytest.raises(HTTPException):
        wrong.check("2001:db8::ffff:1")
    wrong.check("2001:db8:1::1")
    moment = WRONG_TIME + 1
    wrong.check("2001:db8::1")
    wrong.count("2001:db8::1")
    wrong.check("2001:db8::1")


def test_every_change_is_one_line_in_the_audit_log_and_no_token_is_in_it(
    app: FastAPI, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    _, token = enrol(store, "boss", Role.ORGANISER)
    client = client_of(app)
    with caplog.at_level(logging.INFO, "cardpit.audit"):
        client.post("/login", data={"token": WRONG})
        client.post("/login", data={"token": token})
        client.post("/logout", data={"form_key": form_key(client)})
        client.get("/api/v1/account", headers={**bearer(WRONG), "X-Forwarded-For": "a\nb"})
    lines = [record.getMessage() for record in caplog.records if record.name == "cardpit.audit"]
    assert lines == [
        "wrong token user='-' from=10.0.0.1 path='/login'",
        "log in user='boss' from=10.0.0.1",
        "log out user='boss' from=10.0.0.1",
        "wrong token user='-' from=10.0.0.1 path='/api/v1/account'",
    ]
