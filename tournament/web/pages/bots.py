"""The pages: bots."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from cardpit.games import GAMES
from tournament.errors import unknown
from tournament.store.bots import plays
from tournament.store.listing import Entry, bot_names_page, versions_named
from tournament.web.api.bots import After
from tournament.web.queries import Before, find_entries, standing_of
from tournament.web.rendering import page
from tournament.web.site import Name, Site, SiteOf

router = APIRouter()

ROWS = 50
ENTRIES = 10
MOST_OPPONENTS = 30


@router.get("/bots")
def bots(request: Request, site: SiteOf, after: After = "") -> HTMLResponse:
    """List the bots."""
    names = bot_names_page(site.store, after, ROWS + 1)
    latest = {version.name: version for version in versions_named(site.store, names[:ROWS])}
    return page(
        request,
        "bots.html",
        versions=[(version, [game for game in GAMES if plays(version, game)]) for version in latest.values()],
        next=names[ROWS - 1] if len(names) > ROWS else None,
        first=not after,
    )


@router.get("/bots/{name}")
def bot(request: Request, site: SiteOf, name: Name, before: Before = None) -> HTMLResponse:
    """Show a bot: its versions, and its results in the newest tournaments."""
    versions = versions_named(site.store, [name])
    if not versions:
        raise unknown("bot", name, bot_names_page(site.store, "", 12))
    part = find_entries(site, name, before=before, limit=ENTRIES)
    return page(
        request,
        "bot.html",
        name=name,
        versions=[(version, [game for game in GAMES if plays(version, game)]) for version in reversed(versions)],
        entries=[_entry(site, entry) for entry in part.rows],
        next=part.next,
        first=before is None,
    )


def _entry(site: Site, entry: Entry) -> dict[str, object]:
    view = site.pool(entry.tournament, entry.game)
    row = standing_of(view, entry.entrant)
    met = [
        (other, encounter)
        for other in view.snapshot.table.rows
        if other is not row and (encounter := view.snapshot.crosstable.encounter(entry.entrant, other.entrant))
    ]
    return {
        "view": view,
        "row": row,
        "met": met[:MOST_OPPONENTS],
        "more": max(0, len(met) - MOST_OPPONENTS),
        "verdicts": [(what, count) for number, what, count in view.snapshot.verdicts if number == entry.entrant],
        "benched": entry.entrant in view.snapshot.benched,
    }
