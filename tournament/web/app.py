"""The web application: pages, API, events, and what goes wrong in them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

import cardpit
from tournament.errors import StoreFailed, UnknownName
from tournament.web.accounts import Accounts, PersonalAnswers
from tournament.web.api import API_ROUTERS
from tournament.web.events import Readers
from tournament.web.exhibitions import Exhibitions
from tournament.web.headers import EntityTags, SecurityHeaders
from tournament.web.intake import Intake
from tournament.web.pages import PAGE_ROUTERS
from tournament.web.rendering import page
from tournament.web.site import Site, Unseen

API = "/api/v1"

MAX_BODY_SIZE = 64 * 1024
"""Bytes that a request may have."""

_TITLES = {404: "Not found", 403: "Not yet", 422: "That cannot be asked", 503: "Not now"}


def create_app(site: Site) -> FastAPI:
    """Return the application that serves a site."""
    app = FastAPI(
        title="Cardpit",
        version=cardpit.__version__,
        description="All that the pages show. Lists are paged: `next` is what the next page is asked with.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # They would load scripts from elsewhere: /api is a page of our own.
        redoc_url=None,
        max_body_size=MAX_BODY_SIZE,
        lifespan=_working,
    )
    app.state.site = site
    app.state.readers = Readers(site)
    app.state.accounts = Accounts(site.store)
    app.state.exhibitions = Exhibitions(site.store, site.home, jail=site.jail)
    app.state.intake = Intake(site.store, site.home, jail=site.jail)
    for router in PAGE_ROUTERS:
        app.include_router(router, include_in_schema=False)
    for router in API_ROUTERS:
        app.include_router(router, prefix=API)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))
    app.add_middleware(PersonalAnswers)
    app.add_middleware(EntityTags)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(SecurityHeaders)
    app.add_exception_handler(UnknownName, _unknown)
    app.add_exception_handler(Unseen, _unseen)
    app.add_exception_handler(StoreFailed, _store_failed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    return app


@asynccontextmanager
async def _working(app: FastAPI) -> AsyncIterator[None]:
    """Try submissions for as long as the application runs."""
    work = asyncio.create_task(app.state.intake.work())
    try:
        yield
    finally:
        work.cancel()
        await asyncio.wait([work])


def _answer(request: Request, status: int, message: str) -> Response:
    """Return an error in the form of what was asked for."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": message}, status)
    return page(request, "error.html", status, title=_TITLES.get(status, "That did not work"), message=message)


def _unknown(request: Request, error: Exception) -> Response:
    return _answer(request, 404, str(error))


def _unseen(request: Request, error: Exception) -> Response:
    return _answer(request, 403, str(error))


def _store_failed(request: Request, _error: Exception) -> Response:
    return _answer(request, 503, "the database does not answer: try again later")


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError), "it is registered for no other"
    problems = "; ".join(f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors())
    return _answer(request, 422, problems)


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "it is registered for no other"
    answer = _answer(request, error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer
