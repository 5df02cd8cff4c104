"""The API: matches, verdicts, replays, records."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel

from cardpit.games import find_game
from cardpit.v1 import record_pb2 as pb
from referee.record import BadRecord, seal
from tournament.errors import UnknownName
from tournament.export import record_text
from tournament.store.listing import rooms_of
from tournament.store.matches import FaultRow, MatchRow, list_faults
from tournament.store.tournaments import StoredPool, StoredTournament
from tournament.web.api.answers import (
    PROBLEMS,
    UNSEEN,
    BotName,
    MatchAnswer,
    MatchDetails,
    MatchPage,
    SeatAnswer,
    VerdictAnswer,
    VerdictPage,
)
from tournament.web.api.tournaments import bot_name
from tournament.web.frames import Frame, frames, seat_of
from tournament.web.queries import Before, BoardOf, BotOf, Limit, Start, find_matches, find_verdicts
from tournament.web.sight import Sight
from tournament.web.site import MatchOf, MatchView, PoolOf, Site, SiteOf, Unseen

router = APIRouter(tags=["matches"], responses=PROBLEMS)

MOST_FRAMES = 500

Eyes = Annotated[str, Query(pattern="^(all|public|[0-9])$", description="`all`, `public`, or the number of a seat.")]
FirstStep = Annotated[int, Query(ge=0, lt=10**9, description="The first step.")]
FrameLimit = Annotated[int, Query(ge=1, le=MOST_FRAMES, description="Frames at most.")]

MATCH = "/tournaments/{name}/{game}/matches/{pairing}/{board}/{room}"


class Replay(BaseModel):
    """A part of a match, frame by frame."""

    game: str
    real_time: bool
    """Whether steps are ticks, in which all seats act."""
    seats: list[BotName]
    eyes: str
    """Whose these frames are: ``all``, ``public``, a seat, or ``none``: every card face-down."""
    steps: int
    """How many steps the match has in all; frame 0 is the deal."""
    frames: list[Frame]
    next: int | None
    """The first step of the next part; null in the last."""


def match_answer(tournament: StoredTournament, pool: StoredPool, match: MatchRow) -> MatchAnswer:
    """Return a match."""
    seats = []
    for seat in match.seats:
        version = pool.versions[seat.entrant]
        seats.append(
            SeatAnswer(
                bot=version.name,
                version=version.version,
                payoff=seat.payoff,
                place=seat.place,
                margin=seat.margin,
                strikes=seat.strikes,
                timeouts=seat.timeouts,
                termination=seat.termination,
                used_time=seat.used_time,
            )
        )
    return MatchAnswer(
        match=match.name(tournament, pool),
        game=pool.game,
        pairing=match.pairing,
        board=match.board,
        room=match.room,
        termination=match.termination,
        decisions=match.decisions,
        seats=seats,
    )


def verdict_answer(tournament: StoredTournament, pool: StoredPool, fault: FaultRow, sight: Sight) -> VerdictAnswer:
    """Return a verdict with what may be told of it."""
    version = pool.versions[fault.match.seats[fault.seat].entrant]
    return VerdictAnswer(
        match=fault.match.name(tournament, pool),
        seat=fault.seat,
        bot=version.name,
        version=version.version,
        termination=fault.termination,
        detail=fault.detail if sight.cards else None,
        log=fault.log if sight.logs else None,
    )


@router.get("/tournaments/{name}/{game}/matches", summary="List the matches that have been played")
def matches(
    site: SiteOf,
    view: PoolOf,
    bot: BotOf = None,
    against: BotOf = None,
    board: BoardOf = None,
    faults: bool = False,
    start: Start = None,
    limit: Limit = 50,
) -> MatchPage:
    """Return a page of matches in the order of the schedule; those of a bot, or with a verdict, newest first."""
    part = find_matches(site, view, bots=(bot, against), board=board, faults=faults, start=start, limit=limit)
    return MatchPage(matches=[match_answer(view.tournament, view.pool, row) for row in part.rows], next=part.next)


@router.get("/tournaments/{name}/{game}/verdicts", summary="List the verdicts on seats at fault")
def verdicts(site: SiteOf, view: PoolOf, before: Before = None, limit: Limit = 50) -> VerdictPage:
    """Return a page of verdicts, newest first."""
    part = find_verdicts(site, view, before=before, limit=limit)
    rows = [verdict_answer(view.tournament, view.pool, row, view.sight) for row in part.rows]
    return VerdictPage(verdicts=rows, next=part.next)


@router.get(MATCH, summary="Show a match: result, verdicts, the other rooms of its board")
def match(site: SiteOf, view: MatchOf) -> MatchDetails:
    """Return a match."""
    tournament, pool, row = view.tournament, view.pool, view.match
    rooms = rooms_of(site.store, pool, row.pairing, row.board)
    faults = list_faults(site.store, pool, match=row)
    return MatchDetails(
        **match_answer(tournament, pool, row).model_dump(),
        cards_shown=view.sight.cards,
        rooms=[match_answer(tournament, pool, room) for room in rooms],
        verdicts=[verdict_answer(tournament, pool, fault, view.sight) for fault in faults],
    )


@router.get(f"{MATCH}/replay", summary="Show a match step by step, as some eyes saw it")
def replay(
    site: SiteOf,
    view: MatchOf,
    eyes: Eyes = "all",
    start: FirstStep = 0,
    limit: FrameLimit = MOST_FRAMES,
) -> Replay:
    """Return frames of a match. Until the tournament is finished every card lies face-down, and no action is told."""
    number = seat_of(eyes, len(view.match.seats))
    record, timings, seed = site.record(view)
    with _readable(view):
        found = list(islice(frames(record, timings, seed, number, cards=view.sight.cards), start, start + limit))
    steps = len(record.steps)
    return Replay(
        game=view.pool.game,
        real_time=find_game(view.pool.game).real_time,
        seats=[bot_name(view.pool, seat.entrant) for seat in view.match.seats],
        eyes=eyes if view.sight.cards else "none",
        steps=steps,
        frames=found,
        next=start + limit if start + limit <= steps else None,
    )


@router.get(
    f"{MATCH}/record",
    summary="Return the record of a match, with the seed of its board",
    response_class=Response,
    responses={200: {"content": {"application/x-protobuf": {}}, "description": "A cardpit.v1.Record."}, **UNSEEN},
)
def record(site: SiteOf, view: MatchOf) -> Response:
    """Return a record as bytes."""
    found, _, seed = _open(site, view)
    found.header.seed = seed
    return Response(seal(found), media_type="application/x-protobuf")


@router.get(
    f"{MATCH}/text",
    summary="Return a match as text to read",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "The table after every step."}, **UNSEEN},
)
def text(site: SiteOf, view: MatchOf) -> PlainTextResponse:
    """Return a match as text."""
    found, timings, seed = _open(site, view)
    with _readable(view):
        return PlainTextResponse(record_text(found, timings, seed))


def _open(site: Site, view: MatchView) -> tuple[pb.Record, pb.Timings, bytes]:
    """Return all of a record. Raises :class:`Unseen` where it may not be told yet."""
    if not view.sight.cards:
        raise Unseen(
            f"tournament {view.tournament.name} is not finished: its records are shown then, "
            "for the same cards may still be played at another table"
        )
    return site.record(view)


@contextmanager
def _readable(view: MatchView) -> Iterator[None]:
    try:
        yield
    except BadRecord as error:
        name = view.match.name(view.tournament, view.pool)
        raise UnknownName(f"match {name}: its record is damaged: {error}") from None
