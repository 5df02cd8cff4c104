"""The API: submissions over the network, for who has a token."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import Response
from fastapi.security import HTTPBearer
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from tournament.errors import UnknownName
from tournament.parcel import pack_folder
from tournament.store.accounts import Role, User, owned_bots, owner_of
from tournament.store.bots import find_version
from tournament.store.submissions import Status, StoredSubmission, find_submission, submissions_page
from tournament.web.accounts import TokenUserOf, UserOf
from tournament.web.api.answers import PROBLEMS, Problem
from tournament.web.audit import audit
from tournament.web.intake import COUNTED, Intake
from tournament.web.queries import Before, Limit
from tournament.web.site import Name, SiteOf

ANSWERS: dict[int | str, dict[str, object]] = {
    401: {"model": Problem, "description": "No token, or one that is not valid."},
    429: {"model": Problem, "description": "Too much at once: `Retry-After` says when it may be tried again."},
    **PROBLEMS,
}

router = APIRouter(
    tags=["submissions"],
    responses=ANSWERS,
    # For the description alone: what a token is worth is decided elsewhere.
    dependencies=[Depends(HTTPBearer(auto_error=False, description="The token of `tournament users add`."))],
)

ARCHIVE: dict[str, object] = {
    "requestBody": {
        "required": True,
        "description": "The bundle: a tar.gz or a zip.",
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}}
            for kind in ("application/octet-stream", "application/gzip", "application/zip")
        },
    }
}

TAKEN_IN: dict[int | str, dict[str, object]] = {
    408: {"model": Problem, "description": "The archive did not arrive in time."},
    413: {"model": Problem, "description": "The archive is too large."},
}

BotName = Annotated[
    str,
    Query(
        pattern="^([A-Za-z0-9][A-Za-z0-9_-]{0,39})?$", description="The bot's name; else that in its bot.toml or file."
    ),
]


class AccountAnswer(BaseModel):
    """Whose token was given."""

    name: str
    role: Role
    bots: list[str]
    """The names that are this user's."""


class SubmissionAnswer(BaseModel):
    """A submission."""

    id: int
    user: str
    bot: str
    """Empty until its archive has been read."""
    version: int | None
    """What it became, once it is accepted."""
    size: int
    """Bytes of the archive."""
    status: Status
    submitted_at: datetime


class SubmissionPage(BaseModel):
    """Submissions, newest first."""

    submissions: list[SubmissionAnswer]
    next: int | None
    """The value of ``before`` for the next page; null on the last."""


class SubmissionDetails(SubmissionAnswer):
    """A submission with what was said while it was built and tried."""

    log: str
    """From ``after`` on."""
    log_size: int
    """How many characters there are in all."""


def submission_answer(found: StoredSubmission) -> SubmissionAnswer:
    """Return a submission."""
    return SubmissionAnswer(
        id=found.id,
        user=found.user.name,
        bot=found.bot,
        version=found.version,
        size=found.size,
        status=found.status,
        submitted_at=found.submitted_at,
    )


def intake_of(request: Request) -> Intake:
    """Return what takes submissions in."""
    intake = request.app.state.intake
    assert isinstance(intake, Intake), "the application has put it there"
    return intake


def see_submission(site: SiteOf, user: User, key: int) -> StoredSubmission:
    """Return a submission that a user may see. Raises :class:`UnknownName`: others need not know that there is one."""
    found = find_submission(site.store, key)
    if not user.organiser and found.user.id != user.id:
        raise UnknownName(f"unknown submission {key}")
    return found


@router.get("/account", summary="Show whose token was given")
def account(site: SiteOf, user: UserOf) -> AccountAnswer:
    """Return the user."""
    return AccountAnswer(name=user.name, role=user.role, bots=owned_bots(site.store, user))


@router.post(
    "/submissions",
    summary="Submit a bot",
    status_code=202,
    openapi_extra=ARCHIVE,
    responses=TAKEN_IN,
    max_body_size=COUNTED,
)
async def submit(request: Request, site: SiteOf, user: TokenUserOf, name: BotName = "") -> SubmissionAnswer:
    """Take an archive in, to be built and tried."""
    key = await intake_of(request).receive(user, name, request.stream())
    found = await run_in_threadpool(find_submission, site.store, key)
    audit(request, user, "submit", submission=key, bot=name, size=found.size)
    return submission_answer(found)


@router.get("/submissions", summary="List submissions: one's own; an organiser's are all")
def submissions(site: SiteOf, user: UserOf, before: Before = None, limit: Limit = 50) -> SubmissionPage:
    """Return a page of submissions, newest first."""
    rows = submissions_page(site.store, user, before, limit + 1)
    return SubmissionPage(
        submissions=[submission_answer(row) for row in rows[:limit]],
        next=rows[limit - 1].id if len(rows) > limit else None,
    )


@router.get("/submissions/{key}", summary="Show a submission with its log")
async def submission(
    request: Request,
    site: SiteOf,
    user: UserOf,
    key: int,
    after: Annotated[int, Query(ge=0, lt=2**31, description="Characters of the log that are known already.")] = 0,
) -> SubmissionDetails:
    """Return a submission."""
    if not 0 <= key < 2**31:
        raise UnknownName(f"unknown submission {key}")
    found = await run_in_threadpool(see_submission, site, user, key)
    log = await intake_of(request).log(found)
    return SubmissionDetails(**submission_answer(found).model_dump(), log=log[after:], log_size=len(log))


@router.get(
    "/bots/{name}/{version}/bundle",
    summary="Return what a version was submitted as: of one's own bots; an organiser's are all",
    response_class=Response,
    responses={200: {"content": {"application/gzip": {}}, "description": "A tar.gz, as it was built."}},
)
def bundle(site: SiteOf, user: UserOf, name: Name, version: int) -> Response:
    """Return a bundle."""
    found = find_version(site.store, f"{name}@{version}")
    folder = site.home.bundles / found.bundle_hash
    if not user.organiser and owner_of(site.store, name) != user.id:
        raise HTTPException(404, f"bot {name} is not yours")
    if not folder.is_dir():
        raise UnknownName(f"the bundle of bot {name} {version} is not on this server")
    headers = {"Content-Disposition": f'attachment; filename="{name}-{version}.tar.gz"'}
    return Response(pack_folder(folder), media_type="application/gzip", headers=headers)
