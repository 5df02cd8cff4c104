"""The API: what bots wrote."""

from fastapi import APIRouter
from pydantic import BaseModel

from tournament.store.matches import room_logs
from tournament.web.accounts import VisitorOf
from tournament.web.api.answers import BotName
from tournament.web.api.matches import MATCH
from tournament.web.api.submissions import ANSWERS
from tournament.web.api.tournaments import bot_name
from tournament.web.site import MatchOf, SiteOf

router = APIRouter(tags=["matches"], responses=ANSWERS)


class LogAnswer(BaseModel):
    """What the bot in a seat wrote in a room, on all boards that it played there."""

    seat: int
    bot: BotName
    log: str


@router.get(f"{MATCH}/logs", summary="Show what bots wrote in a match's room: those of the token's user, or all")
def logs(site: SiteOf, visitor: VisitorOf, view: MatchOf) -> list[LogAnswer]:
    """Return the logs that the reader may see; until the tournament is finished there are none."""
    heard = site.heard(view, visitor.user)
    return [
        LogAnswer(seat=seat, bot=bot_name(view.pool, view.match.seats[seat].entrant), log=log)
        for seat, log in room_logs(site.store, view.pool, view.match.pairing, view.match.room)
        if seat in heard
    ]
