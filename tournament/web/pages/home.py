"""The pages: the tournaments, and the API's own page."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from tournament.store.listing import tournaments_page
from tournament.store.tables import Tournament
from tournament.store.tournaments import find_tournament
from tournament.web.queries import Before
from tournament.web.rendering import page
from tournament.web.site import Site, SiteOf

router = APIRouter()

ROWS = 20


@router.get("/")
def home(request: Request, site: SiteOf, before: Before = None) -> HTMLResponse:
    """Show the tournaments, newest first."""
    rows = tournaments_page(site.store, before, ROWS + 1)
    return page(
        request,
        "home.html",
        tournaments=[_shown(site, row) for row in rows[:ROWS]],
        next=rows[ROWS - 1].id if len(rows) > ROWS else None,
        first=before is None,
    )


def _shown(site: Site, row: Tournament) -> dict[str, object]:
    tournament = find_tournament(site.store, row.name)
    # How far a finished tournament is needs no look at its results.
    snapshots = [] if tournament.finished else [site.snapshots.of(tournament, pool) for pool in tournament.pools]
    return {
        "tournament": tournament,
        "created_at": row.created_at,
        "bots": len({version.id for pool in tournament.pools for version in pool.versions}),
        "played": sum(snapshot.played for snapshot in snapshots),
        "planned": sum(snapshot.planned for snapshot in snapshots),
    }


@router.get("/api")
def api(request: Request) -> HTMLResponse:
    """Show what the JSON API has, from its own description."""
    schema = request.app.openapi()
    groups: dict[str, list[tuple[str, dict[str, object]]]] = {}
    for path, methods in schema["paths"].items():
        for described in methods.values():
            groups.setdefault(described["tags"][0], []).append((path, described))
    return page(request, "api.html", groups=groups, schemas=schema["components"]["schemas"])
