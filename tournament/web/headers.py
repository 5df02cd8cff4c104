"""What every answer carries: security headers and entity tags."""

from hashlib import sha256

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityHeaders:
    """Puts the headers on every answer: nothing from elsewhere loads, nothing inline runs, no frame holds a page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class EntityTags:
    """Gives answers a tag of their content, and answers 304 where the reader has just that."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        start: Message = {}
        body = bytearray()

        async def send_tagged(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                headers = Headers(raw=message["headers"])
                if message["status"] == 200 and "etag" not in headers and "content-length" in headers:
                    start = message
                else:
                    await send(message)
            elif not start:
                await send(message)
            else:
                body.extend(message.get("body", b""))
                if not message.get("more_body"):
                    await _send_whole(scope, receive, send, start, bytes(body))

        await self._app(scope, receive, send_tagged)


async def _send_whole(scope: Scope, receive: Receive, send: Send, start: Message, body: bytes) -> None:
    headers = MutableHeaders(raw=start["headers"])
    # A HEAD request has no body to make a tag of.
    if scope["method"] == "GET":
        tag = f'W/"{sha256(body).hexdigest()[:32]}"'
        headers["etag"] = tag
        headers.setdefault("cache-control", "no-cache")
        if tag in Headers(scope=scope).get("if-none-match", ""):
            kept = {name: headers[name] for name in ("etag", "cache-control", "vary") if name in headers}
            await Response(status_code=304, headers=kept)(scope, receive, send)
            return
    await send({**start, "headers": headers.raw})
    await send({"type": "http.response.body", "body": body})
