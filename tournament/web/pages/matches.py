"""The pages: a match with its result, its verdicts and its replay."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from cardpit.v1 import referee_pb2
from tournament.store.listing import rooms_of
from tournament.store.matches import FaultRow, list_faults, room_logs
from tournament.web.accounts import VisitorOf
from tournament.web.rendering import page
from tournament.web.site import MatchOf, SiteOf

router = APIRouter()

MOST_LOG = 20_000
"""Characters of a bot's output that are shown: the end of it."""


@router.get("/tournaments/{name}/{game}/matches/{pairing}/{board}/{room}")
def match(request: Request, site: SiteOf, visitor: VisitorOf, view: MatchOf) -> HTMLResponse:
    """Show a match."""
    pool, row = view.pool, view.match
    heard = site.heard(view, visitor.user)
    logs = room_logs(site.store, pool, row.pairing, row.room) if heard else []
    return page(
        request,
        "match.html",
        view=view,
        tournament=view.tournament,
        pool=pool,
        match=row,
        rooms=rooms_of(site.store, pool, row.pairing, row.board),
        faults=[(fault, _last_turn(fault)) for fault in list_faults(site.store, pool, match=row)],
        heard=heard,
        logs=[(seat, log[-MOST_LOG:]) for seat, log in logs if seat in heard],
    )


def _last_turn(fault: FaultRow) -> referee_pb2.Turn | None:
    return referee_pb2.Turn.FromString(fault.last_turn) if fault.last_turn else None
