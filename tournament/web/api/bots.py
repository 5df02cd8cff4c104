"""The API: bots."""

from typing import Annotated

from fastapi import APIRouter, Query

from cardpit.games import GAMES
from tournament.errors import unknown
from tournament.store.bots import plays
from tournament.store.listing import bot_names_page, versions_named
from tournament.store.tables import BotVersion
from tournament.web.api.answers import PROBLEMS, BotDetails, BotPage, EntryAnswer, VersionAnswer
from tournament.web.api.tournaments import standing_answer
from tournament.web.queries import Before, Limit, find_entries, standing_of
from tournament.web.site import Name, SiteOf

router = APIRouter(tags=["bots"], responses=PROBLEMS)

After = Annotated[str, Query(max_length=40, pattern="^[A-Za-z0-9_-]*$", description="Go on behind this name.")]


def version_answer(version: BotVersion) -> VersionAnswer:
    """Return a version of a bot."""
    return VersionAnswer(
        bot=version.name,
        version=version.version,
        description=version.description,
        games=[game for game in GAMES if plays(version, game)],
        bundle_hash=version.bundle_hash,
        submitted_at=version.submitted_at,
    )


@router.get("/bots", summary="List the bots with their latest versions")
def bots(site: SiteOf, after: After = "", limit: Limit = 50) -> BotPage:
    """Return a page of bots, by name."""
    names = bot_names_page(site.store, after, limit + 1)
    latest = {version.name: version for version in versions_named(site.store, names[:limit])}
    return BotPage(
        bots=[version_answer(version) for version in latest.values()],
        next=names[limit - 1] if len(names) > limit else None,
    )


@router.get("/bots/{name}", summary="Show a bot: its versions and results")
def bot(site: SiteOf, name: Name, before: Before = None, limit: Limit = 20) -> BotDetails:
    """Return a bot with its results in a page of tournaments."""
    versions = versions_named(site.store, [name])
    if not versions:
        raise unknown("bot", name, bot_names_page(site.store, "", 12))
    part = find_entries(site, name, before=before, limit=limit)
    views = [(entry, site.pool(entry.tournament, entry.game)) for entry in part.rows]
    return BotDetails(
        name=name,
        versions=[version_answer(version) for version in versions],
        entries=[
            EntryAnswer(
                tournament=entry.tournament,
                game=entry.game,
                standing=standing_answer(view, standing_of(view, entry.entrant)),
            )
            for entry, view in views
        ],
        next=part.next,
    )
