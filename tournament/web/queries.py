"""What pages and API ask of the store alike: lists with their filters, and where they go on."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BeforeValidator, Field, StringConstraints

from tournament.errors import unknown
from tournament.standings import Standing
from tournament.store.ends import Place
from tournament.store.listing import (
    Entry,
    entries_of,
    entry_tournaments,
    matches_in_order,
    matches_of_bots,
    verdicts_page,
)
from tournament.store.matches import FaultRow, MatchRow
from tournament.store.tournaments import StoredPool
from tournament.web.site import PoolView, Site

Row = TypeVar("Row")
Next = TypeVar("Next")

Limit = Annotated[int, Query(ge=1, le=200, description="Rows of a page.")]
Before = Annotated[int | None, Query(ge=0, lt=2**63, description="Go on from here: `next` of the page before.")]
Start = Annotated[
    str | None,
    Query(
        pattern="^([0-9]{1,18}|[0-9]{1,9}-[0-9]{1,9}-[0-9]{1,9})$",
        description="Go on from here: `next` of the page before.",
    ),
]
EmptyIsNone = BeforeValidator(lambda value: None if value == "" else value)
"""A field that is left empty in a form is the same as none."""

BotOf = Annotated[
    Annotated[str, StringConstraints(pattern="^[A-Za-z0-9][A-Za-z0-9_-]{0,39}(@[0-9]{1,9})?$")] | None,
    EmptyIsNone,
    Query(description="A bot, or a version: `name@2`."),
]
BoardOf = Annotated[Annotated[int, Field(ge=0, lt=10**9)] | None, EmptyIsNone, Query(description="Only this board.")]


@dataclass(frozen=True, slots=True)
class Part(Generic[Row, Next]):
    """One page of a list."""

    rows: list[Row]
    next: Next | None
    """Where the next page begins; None on the last."""


def entrants_of(pool: StoredPool, bot: str) -> list[int]:
    """Return the numbers of a bot in a pool: every version of a name, or one. Raises :class:`UnknownName`."""
    name, _, number = bot.partition("@")
    found = [
        entrant
        for entrant, version in enumerate(pool.versions)
        if version.name == name and number in ("", str(version.version))
    ]
    if not found:
        raise unknown(f"bot of {pool.game}", bot, [f"{v.name}@{v.version}" for v in pool.versions])
    return found


def find_matches(
    site: Site,
    view: PoolView,
    *,
    bots: Iterable[str | None] = (),
    board: int | None = None,
    faults: bool = False,
    start: str | None = None,
    limit: int = 50,
) -> Part[MatchRow, str]:
    """Return matches of a pool: all in the order of the schedule.

    Those in which all of ``bots`` sat, or in which one was at fault, come newest first. A ``start`` that is none of
    the list begins it.
    """
    if board is not None and board >= view.pool.configuration.boards:
        return Part([], None)
    groups = [entrants_of(view.pool, bot) for bot in bots if bot is not None]
    if groups or faults:
        before = int(start) if start is not None and start.isdigit() else None
        rows = matches_of_bots(
            site.store, view.pool, groups, board=board, faults=faults, before=before, limit=limit + 1
        )
        following = [str(row.key) for row in rows]
    else:
        after = Place(*map(int, start.split("-"))) if start is not None and "-" in start else None
        rows = matches_in_order(site.store, view.pool, board=board, after=after, limit=limit + 1)
        following = [f"{row.pairing}-{row.board}-{row.room}" for row in rows]
    return Part(rows[:limit], following[limit - 1] if len(rows) > limit else None)


def find_verdicts(site: Site, view: PoolView, *, before: int | None = None, limit: int = 50) -> Part[FaultRow, int]:
    """Return verdicts of a pool, newest first; those of one match stay on one page."""
    rows = verdicts_page(site.store, view.pool, before=before, limit=limit + view.pool.seats)
    if len(rows) <= limit:
        return Part(rows, None)
    last = rows[limit - 1].match.key
    kept = [row for row in rows if row.match.key >= last]
    return Part(kept, last if len(kept) < len(rows) else None)


def find_entries(site: Site, bot: str, *, before: int | None = None, limit: int = 20) -> Part[Entry, int]:
    """Return where the versions of a bot take part, newest tournament first; those of one tournament stay together."""
    tournaments = entry_tournaments(site.store, bot, before, limit + 1)
    rows = entries_of(site.store, bot, tournaments[:limit])
    return Part(rows, tournaments[limit - 1] if len(tournaments) > limit else None)


def standing_of(view: PoolView, entrant: int) -> Standing:
    """Return the row of a bot in the table."""
    return next(row for row in view.snapshot.table.rows if row.entrant == entrant)
