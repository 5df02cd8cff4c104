"""The pages: logging in and out."""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tournament.web.accounts import COOKIE, SESSION_TIME, VisitorOf, accounts_of, same_origin
from tournament.web.audit import audit
from tournament.web.rendering import page

router = APIRouter()

Target = Annotated[str, Query(pattern="^/[a-z0-9/]{0,60}$")]
TargetField = Annotated[str, Form(pattern="^/[a-z0-9/]{0,60}$")]
Token = Annotated[str, Form(max_length=200)]


@router.get("/login")
def login_form(request: Request, visitor: VisitorOf, to: Target = "/submit") -> HTMLResponse:
    """Ask for a token."""
    return page(request, "login.html", to=_local(to), wrong=None, user=visitor.user, form_key=visitor.form_key)


@router.post("/login")
def login(request: Request, token: Token = "", to: TargetField = "/submit") -> Response:
    """Begin a session."""
    if not same_origin(request):
        raise HTTPException(400, "another site has sent this form: open the page of this server")
    accounts = accounts_of(request)
    try:
        user = accounts.by_token(request, token.strip())
    except HTTPException as error:
        refusal = page(
            request, "login.html", error.status_code, to=_local(to), wrong=error.detail, user=None, form_key=""
        )
        refusal.headers.update(error.headers or {})
        return refusal
    audit(request, user, "log in")
    answer = RedirectResponse(_local(to), 303)
    answer.set_cookie(
        COOKIE,
        accounts.log_in(token.strip()),
        max_age=int(SESSION_TIME),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


@router.post("/logout")
def logout(request: Request, visitor: VisitorOf, form_key: Annotated[str, Form(max_length=100)] = "") -> Response:
    """End a session."""
    visitor.check_form(form_key)
    accounts_of(request).log_out(request.cookies[COOKIE])
    audit(request, visitor.user, "log out")
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def _local(target: str) -> str:
    """Return a path of this server: two slashes would be the beginning of another's name."""
    return target if not target.startswith("//") else "/"
