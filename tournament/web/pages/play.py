"""The pages: playing against a bot, and the matches that were played."""

import asyncio
import json
from typing import Annotated, cast

from fastapi import APIRouter, HTTPException, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from cardpit.games import GAMES, GameError
from referee.orders import MatchReport
from tournament.errors import StoreFailed, TournamentError, unknown
from tournament.store.bots import latest_versions, plays
from tournament.store.exhibitions import exhibitions_page, find_exhibition
from tournament.web.accounts import Visitor, VisitorOf, network, same_origin, visitor_of
from tournament.web.audit import address_of, audit
from tournament.web.exhibitions import END_TIME, IDLE_TIME, Exhibition, Exhibitions, Full, Wish
from tournament.web.queries import Before
from tournament.web.rendering import page
from tournament.web.site import GameId, Number, Site, SiteOf

router = APIRouter()

ROWS = 20

TICK_TIMES = (0.5, 1.0, 2.0, 3.0)
"""Seconds, to choose from; a person is slower than a bot."""

MOST_NONSENSE = 20
"""Messages that are none after which a person is shown out."""


@router.get("/play")
def games(request: Request, site: SiteOf, before: Before = None) -> HTMLResponse:
    """Let the reader choose a game; list the matches that were played."""
    rows = exhibitions_page(site.store, before, ROWS + 1)
    return page(
        request,
        "play.html",
        games=list(GAMES.values()),
        exhibitions=rows[:ROWS],
        next=rows[ROWS - 1].id if len(rows) > ROWS else None,
        first=before is None,
    )


@router.get("/play/{game}")
def table_page(request: Request, site: SiteOf, visitor: VisitorOf, game: GameId, bot: str = "") -> HTMLResponse:
    """Show a table with a free seat, and who may sit opposite."""
    if game not in GAMES:
        raise unknown("game", game, GAMES)
    return page(
        request,
        "play_table.html",
        game=GAMES[game],
        versions=[version for version in latest_versions(site.store) if plays(version, game)],
        chosen=bot.partition("@")[0],
        tick_times=TICK_TIMES,
        refusal=_refusal(exhibitions_of(request), site, visitor),
    )


@router.get("/played/{key}")
def played(request: Request, site: SiteOf, key: Number) -> HTMLResponse:
    """Show a match that a person has played."""
    return page(request, "played.html", match=find_exhibition(site.store, key))


@router.websocket("/play-at")
async def play(
    websocket: WebSocket,
    site: SiteOf,
    game: Annotated[str, Query(max_length=40)],
    bot: Annotated[str, Query(max_length=60)],
    seat: Annotated[int, Query(ge=0, le=9)] = 0,
    seats: Annotated[int, Query(ge=2, le=9)] = 2,
    tick_time: Annotated[float, Query(ge=0, le=10)] = 1.0,
) -> None:
    """Seat a person at a table of their own."""
    if not same_origin(websocket):
        # Another site's page must not play with this reader's cookie.
        await websocket.close(1008)
        return
    await websocket.accept()
    try:
        visitor = await run_in_threadpool(visitor_of, websocket)
        exhibitions = exhibitions_of(websocket)
        if refusal := _refusal(exhibitions, site, visitor):
            raise Full(refusal)
        room, version = await exhibitions.room(Wish(game, bot, seat, seats, tick_time))
        who = f"user {visitor.user.id}" if visitor.user else network(address_of(websocket))
        async with exhibitions.begin(room, seat, who) as exhibition:
            report = await _Sitting(websocket, exhibition).attend()
        key = await exhibitions.keep(visitor.user, version, room, seat, report)
        audit(websocket, visitor.user, "exhibition", match=key, game=game, bot=version.name)
        faults = [f"seat {v.seat}: {v.termination.value}: {v.detail}" for v in report.verdicts]
        await _send(websocket, {"kind": "kept", "id": key, "faults": faults})
    except HTTPException as error:
        await _send(websocket, {"kind": "problem", "message": error.detail})
    except StoreFailed:
        await _send(websocket, {"kind": "problem", "message": "the database does not answer: try again later"})
    except (Full, TournamentError, GameError) as error:
        await _send(websocket, {"kind": "problem", "message": str(error)})
    try:
        await websocket.close()
    except RuntimeError:
        return  # The person was faster.


class _Sitting:
    """A person at a table: what goes to and fro."""

    def __init__(self, websocket: WebSocket, exhibition: Exhibition) -> None:
        self._websocket = websocket
        self._exhibition = exhibition
        self._begun = asyncio.Event()

    async def attend(self) -> MatchReport:
        """Pass news and decisions on to the end of the match, and return its report."""
        listening = asyncio.create_task(self._listen())
        try:
            async for piece in self._exhibition.news():
                if isinstance(piece, MatchReport):
                    return piece
                await _send(self._websocket, piece)
                self._begun.set()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
        raise AssertionError("a match ends with its report, or fails")

    async def _listen(self) -> None:
        nonsense = 0
        # While bots start, a person has nothing to say.
        await self._begun.wait()
        try:
            while nonsense < MOST_NONSENSE:
                text = await asyncio.wait_for(self._websocket.receive_text(), IDLE_TIME)
                try:
                    message = json.loads(text)
                    self._exhibition.decide(int(message["number"]), str(message["action"])[:200])
                except (ValueError, TypeError, KeyError, RecursionError):
                    nonsense += 1
        except (WebSocketDisconnect, TimeoutError, KeyError):
            pass
        # Who is gone, silent or talks nonsense forfeits; the match is told, and then has a while to end.
        self._exhibition.leave()
        await asyncio.sleep(END_TIME)
        self._exhibition.close()


def exhibitions_of(connection: HTTPConnection) -> Exhibitions:
    """Return the tables of the server that was asked."""
    return cast("Exhibitions", connection.app.state.exhibitions)


def _refusal(exhibitions: Exhibitions, site: Site, visitor: Visitor) -> str:
    """Return why a visitor may not play; empty where he may."""
    if exhibitions.closed:
        return "Nobody plays here: no jail that holds works on this server's machine."
    if site.play == "nobody":
        return "Nobody plays on this server."
    if site.play == "users" and visitor.user is None:
        return "Only users play on this server: log in first."
    return ""


async def _send(websocket: WebSocket, message: str | dict[str, object]) -> None:
    """Send a message, to a person who may be gone."""
    try:
        await websocket.send_text(message if isinstance(message, str) else json.dumps(message))
    except (WebSocketDisconnect, RuntimeError):
        return
