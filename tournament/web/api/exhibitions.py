"""The API: matches of persons against bots."""

from datetime import datetime
from itertools import islice

from fastapi import APIRouter
from pydantic import BaseModel

from cardpit.games import find_game
from referee.record import BadRecord
from tournament.archive import open_record
from tournament.errors import UnknownName
from tournament.store.exhibitions import StoredExhibition, exhibitions_page, find_exhibition
from tournament.web.api.answers import PROBLEMS, BotName
from tournament.web.api.matches import MOST_FRAMES, Eyes, FirstStep, FrameLimit, Replay
from tournament.web.frames import frames, seat_of
from tournament.web.queries import Before, Limit
from tournament.web.site import Number, SiteOf

router = APIRouter(tags=["exhibitions"], responses=PROBLEMS)


class ExhibitionAnswer(BaseModel):
    """A match of a person against a bot. It counts for nothing."""

    id: int
    user: str | None
    """Who played; null where nobody was logged in."""
    bot: BotName
    game: str
    person_seat: int
    termination: str
    payoffs: list[float]
    """By seat."""
    finished_at: datetime


class ExhibitionPage(BaseModel):
    """Matches, newest first."""

    exhibitions: list[ExhibitionAnswer]
    next: int | None
    """The value of ``before`` for the next page; null on the last."""


@router.get("/exhibitions", summary="List the matches of persons against bots")
def exhibitions(site: SiteOf, before: Before = None, limit: Limit = 50) -> ExhibitionPage:
    """Return a page of matches, newest first."""
    rows = exhibitions_page(site.store, before, limit + 1)
    return ExhibitionPage(
        exhibitions=[_answer(row) for row in rows[:limit]],
        next=rows[limit - 1].id if len(rows) > limit else None,
    )


@router.get("/exhibitions/{key}/replay", summary="Show a match of a person step by step")
def replay(
    site: SiteOf,
    key: Number,
    eyes: Eyes = "all",
    start: FirstStep = 0,
    limit: FrameLimit = MOST_FRAMES,
) -> Replay:
    """Return frames of a match."""
    found = find_exhibition(site.store, key)
    try:
        record, timings = open_record(found.record, found.timings)
        players = record.header.players
        number = seat_of(eyes, len(players))
        shown = list(islice(frames(record, timings, found.seed, number, cards=True), start, start + limit))
    except (BadRecord, ValueError) as error:
        raise UnknownName(f"exhibition {key}: its record is damaged: {error}") from None
    steps = len(record.steps)
    return Replay(
        game=found.game,
        real_time=find_game(found.game).real_time,
        seats=[BotName(bot=player.bot, version=player.version) for player in players],
        eyes=eyes,
        steps=steps,
        frames=shown,
        next=start + limit if start + limit <= steps else None,
    )


def _answer(row: StoredExhibition) -> ExhibitionAnswer:
    return ExhibitionAnswer(
        id=row.id,
        user=row.user,
        bot=BotName(bot=row.bot_name, version=row.bot_version),
        game=row.game,
        person_seat=row.person_seat,
        termination=row.termination,
        payoffs=list(row.payoffs),
        finished_at=row.finished_at,
    )
