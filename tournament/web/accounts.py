"""Who asks: by the token of a program, or by the cookie of a browser that has logged in with one.

A session lives in this process and ends with it, with the token, when it is logged out, or after a while.
"""

import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, cast
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tournament.store.accounts import User, find_user
from tournament.store.database import Store
from tournament.web.audit import address_of, audit

COOKIE = "cardpit_session"

SESSION_TIME = 12 * 3600.0
"""Seconds after which a session ends."""

MOST_SESSIONS = 10_000

MOST_WRONG = 10
"""Wrong tokens of one address in ``WRONG_TIME``; then it has to wait."""

WRONG_TIME = 60.0
"""Seconds."""

MOST_ADDRESSES = 10_000
"""Addresses whose wrong tokens are remembered."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks."""

    user: User | None
    """None where nobody is logged in."""
    form_key: str
    """What forms of this session carry, so that no other page can send them; empty without a session."""

    def check_form(self, given: object) -> None:
        """Refuse a form that does not come from a page of this session."""
        if not self.form_key or not isinstance(given, str) or not hmac.compare_digest(self.form_key, given):
            raise HTTPException(400, "this form is not of your session: open its page again")


@dataclass(frozen=True, slots=True)
class _Session:
    token: str
    form_key: str
    ends: float


class WrongTokens:
    """How many wrong tokens came from where, lately."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        """Refuse an address that has sent too many."""
        count, begun = self._seen.get(network(address), (0, 0.0))
        left = begun + WRONG_TIME - self._clock()
        if count >= MOST_WRONG and left > 0:
            raise HTTPException(429, "too many wrong tokens: wait a minute", {"Retry-After": f"{int(left) + 1}"})

    def count(self, address: str) -> None:
        """Count one."""
        key, moment = network(address), self._clock()
        with self._lock:
            count, begun = self._seen.pop(key, (0, moment))
            if begun + WRONG_TIME <= moment:
                count, begun = 0, moment
            if len(self._seen) >= MOST_ADDRESSES:
                del self._seen[next(iter(self._seen))]
            self._seen[key] = (count + 1, begun)


class Accounts:
    """The sessions of one server."""

    def __init__(self, store: Store) -> None:
        self.wrong = WrongTokens()
        self._store = store
        self._sessions: dict[str, _Session] = {}
        self._lock = threading.Lock()

    def by_token(self, connection: HTTPConnection, token: str) -> User:
        """Return whose token this is. Refuses wrong ones, and whoever sends too many."""
        address = address_of(connection)
        self.wrong.check(address)
        user = find_user(self._store, token)
        if user is None:
            self.wrong.count(address)
            audit(connection, None, "wrong token", path=connection.url.path)
            raise HTTPException(401, "this token is not valid", {"WWW-Authenticate": "Bearer"})
        return user

    def log_in(self, token: str) -> str:
        """Begin a session and return what its cookie holds."""
        value = secrets.token_urlsafe(32)
        moment = time.monotonic()
        with self._lock:
            while self._sessions and (
                len(self._sessions) >= MOST_SESSIONS or next(iter(self._sessions.values())).ends < moment
            ):
                del self._sessions[next(iter(self._sessions))]
            self._sessions[value] = _Session(token, secrets.token_urlsafe(32), moment + SESSION_TIME)
        return value

    def log_out(self, cookie: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(cookie, None)

    def by_cookie(self, cookie: str) -> Visitor:
        """Return whose session this is: nobody's, where it has ended."""
        session = self._sessions.get(cookie)
        if session is not None and time.monotonic() < session.ends:
            # A token that was revoked or renewed meanwhile ends its sessions.
            if user := find_user(self._store, session.token):
                return Visitor(user, session.form_key)
            self.log_out(cookie)
        return Visitor(None, "")


def same_origin(connection: HTTPConnection) -> bool:
    """Tell whether a browser says that a page of this very server sends this, or nothing at all."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


def accounts_of(connection: HTTPConnection) -> Accounts:
    """Return the sessions of the server that was asked."""
    return cast("Accounts", connection.app.state.accounts)


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Return who asks, by token or by cookie. Refuses a token that is wrong."""
    accounts = accounts_of(connection)
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return Visitor(accounts.by_token(connection, token.strip()), "")
    return accounts.by_cookie(connection.cookies.get(COOKIE, ""))


def _visitor(request: Request) -> Visitor:
    return visitor_of(request)


def _user(visitor: Annotated[Visitor, Depends(_visitor)]) -> User:
    if visitor.user is None:
        raise HTTPException(401, "a token is needed", {"WWW-Authenticate": "Bearer"})
    return visitor.user


def _token_user(request: Request, user: Annotated[User, Depends(_user)]) -> User:
    # A browser sends its cookie with whatever another page makes it ask for; a token it does not.
    if "authorization" not in request.headers:
        raise HTTPException(401, "a token is needed: a cookie changes nothing here", {"WWW-Authenticate": "Bearer"})
    return user


def _reader(request: Request, visitor: Annotated[Visitor, Depends(_visitor)]) -> Visitor:
    if visitor.user is None:
        raise HTTPException(303, "log in first", {"Location": f"/login?to={request.url.path}"})
    return visitor


VisitorOf = Annotated[Visitor, Depends(_visitor)]
"""Anybody."""

UserOf = Annotated[User, Depends(_user)]
"""A user, for what the API shows."""

TokenUserOf = Annotated[User, Depends(_token_user)]
"""A user by token, for what the API changes."""

ReaderOf = Annotated[Visitor, Depends(_reader)]
"""A user for pages; others are sent to log in."""


class PersonalAnswers:
    """Keeps what is answered to a user out of every cache."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if COOKIE not in headers.get("cookie", "") and "authorization" not in headers:
            await self._app(scope, receive, send)
            return

        async def send_uncached(message: Message) -> None:
            if message["type"] == "http.response.start" and not scope["path"].startswith("/static/"):
                MutableHeaders(scope=message)["cache-control"] = "private, no-store"
            await send(message)

        await self._app(scope, receive, send_uncached)


def network(address: str) -> str:
    """Return what is one client: an address, or with IPv6 the network that one household has."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return address if parsed.version == 4 else str(ipaddress.ip_network(f"{address}/64", strict=False))
