"""The pages: submitting a bot, and what became of it."""

import asyncio
import re
from collections.abc import AsyncIterator

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from tournament.errors import UnknownName, WrongUse
from tournament.home import check_name
from tournament.parcel import MAX_ARCHIVE_SIZE
from tournament.store.accounts import owned_bots
from tournament.store.submissions import submissions_page
from tournament.web.accounts import ReaderOf
from tournament.web.api.submissions import intake_of, see_submission
from tournament.web.audit import audit
from tournament.web.intake import UPLOAD_TIME
from tournament.web.queries import Before
from tournament.web.rendering import page
from tournament.web.site import SiteOf

router = APIRouter()

ROWS = 20

_FORM_SIZE = 16 * 1024
"""Bytes of a form around its archive."""

_CHUNK = 64 * 1024


@router.get("/submit")
def submit_form(request: Request, site: SiteOf, visitor: ReaderOf, before: Before = None) -> HTMLResponse:
    """Show the form, and what the user has submitted."""
    assert visitor.user is not None, "others were sent to log in"
    rows = submissions_page(site.store, visitor.user, before, ROWS + 1)
    intake = intake_of(request)
    return page(
        request,
        "submit.html",
        user=visitor.user,
        form_key=visitor.form_key,
        bots=owned_bots(site.store, visitor.user),
        closed=intake.closed,
        quotas=intake.quotas,
        submissions=rows[:ROWS],
        next=rows[ROWS - 1].id if len(rows) > ROWS else None,
        first=before is None,
    )


@router.post("/submit", max_body_size=MAX_ARCHIVE_SIZE + _FORM_SIZE)
async def submit(request: Request, visitor: ReaderOf) -> Response:
    """Take an archive in."""
    assert visitor.user is not None, "others were sent to log in"
    intake = intake_of(request)
    # Before the first byte of the archive is read.
    await intake.check(visitor.user)
    try:
        async with asyncio.timeout(UPLOAD_TIME):
            form = await request.form(max_files=1, max_fields=3, max_part_size=1000)
    except TimeoutError:
        raise HTTPException(408, f"the archive did not arrive within {UPLOAD_TIME:g} s") from None
    try:
        visitor.check_form(form.get("form_key"))
        archive = form.get("archive")
        if not isinstance(archive, UploadFile) or not archive.filename:
            raise HTTPException(422, "no archive was chosen: a tar.gz or a zip is wanted")
        key = await intake.receive(visitor.user, _name(str(form.get("name", ""))), _chunks(archive))
        audit(request, visitor.user, "submit", submission=key, bot=form.get("name", ""), size=archive.size)
    finally:
        await form.close()
    return RedirectResponse(f"/submissions/{key}", 303)


@router.get("/submissions/{key}")
async def submission(request: Request, site: SiteOf, visitor: ReaderOf, key: str) -> HTMLResponse:
    """Show a submission with its log, as it grows."""
    assert visitor.user is not None, "others were sent to log in"
    if not re.fullmatch("[0-9]{1,9}", key):
        raise UnknownName(f"unknown submission {key}")
    found = await run_in_threadpool(see_submission, site, visitor.user, int(key))
    log = await intake_of(request).log(found)
    return page(request, "submission.html", submission=found, log=log)


def _name(given: str) -> str:
    if not given.strip():
        return ""
    try:
        return check_name("bot", given.strip())
    except WrongUse as error:
        raise HTTPException(422, str(error)) from None


async def _chunks(archive: UploadFile) -> AsyncIterator[bytes]:
    while chunk := await archive.read(_CHUNK):
        yield chunk
