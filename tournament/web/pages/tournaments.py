"""The pages: a tournament, each of its games live, and how it is held."""

from collections import Counter
from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from tournament.plan import odds_lines
from tournament.run.sittings import schedule_of
from tournament.schedule import WARNING
from tournament.settings import settings_text
from tournament.store.matches import platform_failures
from tournament.store.tournaments import find_tournament
from tournament.web.events import Readers
from tournament.web.queries import Before, BoardOf, BotOf, Start, find_matches, find_verdicts
from tournament.web.rendering import page
from tournament.web.site import Name, PoolOf, Site, SiteOf

router = APIRouter()

MOST_CROSSED = 20
"""Rows and columns of a crosstable on a page; the API has all."""

MOST_ROWS = 100
"""Rows of a table on a page, unless all are asked for."""

MOST_DRAWN = 40
"""Bots in the figure of the intervals."""

FAULTY_BOTS = 20


@router.get("/tournaments/{name}")
def tournament(request: Request, site: SiteOf, name: Name) -> Response:
    """Show a tournament with all of its games, or its only game."""
    found = find_tournament(site.store, name)
    if len(found.pools) == 1:
        return RedirectResponse(f"/tournaments/{name}/{found.pools[0].game}", 307)
    views = [site.pool(name, pool.game) for pool in found.pools]
    return page(request, "tournament.html", tournament=found, views=views, pace=site.snapshots.pace(found))


@router.get("/tournaments/{name}/about")
def about(request: Request, site: SiteOf, name: Name) -> HTMLResponse:
    """Show how a tournament is held, its commitment, and how to check it."""
    found = find_tournament(site.store, name)
    return page(
        request,
        "about.html",
        tournament=found,
        settings=settings_text(found.configuration),
        conduct=found.configuration.conduct,
    )


@router.get("/tournaments/{name}/events")
async def events(request: Request, site: SiteOf, name: Name) -> Response:
    """Tell whenever there are new results."""
    readers: Readers = request.app.state.readers
    if readers.full:
        return Response("too many readers", 503, media_type="text/plain")
    find_tournament(site.store, name)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(readers.listen(name), media_type="text/event-stream", headers=headers)


@router.get("/tournaments/{name}/{game}")
def pool(request: Request, site: SiteOf, view: PoolOf, all: bool = False) -> HTMLResponse:
    """Show a game of a tournament: table, figures, crosstable, verdicts."""
    return page(request, "pool.html", **_live(site, view, all))


@router.get("/tournaments/{name}/{game}/live")
def live(request: Request, site: SiteOf, view: PoolOf, all: bool = False) -> HTMLResponse:
    """Return the part of that page that changes while the tournament is played."""
    return page(request, "live.html", **_live(site, view, all))


def _live(site: Site, view: PoolOf, all_rows: bool) -> dict[str, object]:
    tournament, pool, snapshot = view.tournament, view.pool, view.snapshot
    faults: dict[int, Counter[str]] = {}
    for entrant, termination, count in snapshot.verdicts:
        faults.setdefault(entrant, Counter())[termination] += count
    worst = sorted(faults.items(), key=lambda item: (-item[1].total(), item[0]))
    return {
        "view": view,
        "tournament": tournament,
        "pool": pool,
        "snapshot": snapshot,
        "pace": site.snapshots.pace(tournament),
        "warning": "" if schedule_of(tournament, pool).intervals_hold else WARNING,
        "odds": odds_lines(tournament, pool),
        "rows": snapshot.table.rows if all_rows else snapshot.table.rows[:MOST_ROWS],
        "all_rows": all_rows,
        "drawn": replace(snapshot.table, rows=snapshot.table.rows[:MOST_DRAWN]),
        "crossed": snapshot.table.rows[:MOST_CROSSED],
        "faults": worst[:FAULTY_BOTS],
        "faulty": len(worst),
        "failures": platform_failures(site.store, tournament),
    }


@router.get("/tournaments/{name}/{game}/matches")
def matches(
    request: Request,
    site: SiteOf,
    view: PoolOf,
    bot: BotOf = None,
    against: BotOf = None,
    board: BoardOf = None,
    faults: bool = False,
    start: Start = None,
) -> HTMLResponse:
    """List matches."""
    filters = {"bot": bot, "against": against, "board": board, "faults": "true" if faults else None}
    return page(
        request,
        "matches.html",
        view=view,
        tournament=view.tournament,
        pool=view.pool,
        filters={name: value for name, value in filters.items() if value is not None},
        part=find_matches(site, view, bots=(bot, against), board=board, faults=faults, start=start),
        first=start is None,
    )


@router.get("/tournaments/{name}/{game}/verdicts")
def verdicts(request: Request, site: SiteOf, view: PoolOf, before: Before = None) -> HTMLResponse:
    """List verdicts."""
    return page(
        request,
        "verdicts.html",
        view=view,
        tournament=view.tournament,
        pool=view.pool,
        part=find_verdicts(site, view, before=before),
        first=before is None,
    )
