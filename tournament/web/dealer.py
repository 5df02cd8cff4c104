"""A process that hosts one match of a person against bots, so that no bot ever dials into the server.

It is told over a socket, in the frames of :mod:`referee.worker`. In: ``("play", seat, room)`` once, then
``("decide", number, action)`` and ``("leave", 0, None)``. Out: ``("news", 0, text)`` for each piece of news, as JSON
for the page, at the end ``("done", 0, report)``, or ``("failed", 0, text)``. At the end of the socket it ends all bots
and then itself.
"""

import asyncio
import json
import logging
import signal
import socket
import sys

import uvloop

from cardpit import Result, Table, Turn
from cardpit.games import find_game
from referee.orders import Room
from referee.seats.person import News, PersonSeat
from referee.worker import read_frame, write_frame
from tournament.play.exhibition import play_exhibition
from tournament.web.frames import observed

_log = logging.getLogger(__name__)


class Dealer:
    """One match, and who plays it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._person = PersonSeat()
        self._realtime = False
        self._wish: str | None = None
        """On the wall clock: what the person wanted to do when the tick was just over, for the next one."""

    async def serve(self) -> None:
        """Play the match that the first frame asks for, unless the socket ends before."""
        match await read_frame(self._reader):
            case ("play", int(seat), Room() as room):
                self._realtime = room.conduct.time_control.realtime
                playing = asyncio.create_task(self._play(room, seat))
                listening = asyncio.create_task(self._listen())
                await asyncio.wait({playing, listening}, return_when=asyncio.FIRST_COMPLETED)
                for task in (playing, listening):
                    task.cancel()
                await asyncio.gather(playing, listening, return_exceptions=True)
                await self._writer.drain()

    async def _play(self, room: Room, seat: int) -> None:
        telling = asyncio.create_task(self._tell(room))
        try:
            played = await play_exhibition(room, {seat: self._person})
        except Exception as error:  # noqa: BLE001 - the match fails, and the page is told
            _log.exception("a match of %s failed", room.game)
            write_frame(self._writer, ("failed", 0, f"{type(error).__name__}: {error}"))
        else:
            await telling
            write_frame(self._writer, ("done", 0, played.report))
        finally:
            telling.cancel()

    async def _tell(self, room: Room) -> None:
        async for piece in self._person.news():
            write_frame(self._writer, ("news", 0, json.dumps(_as_data(piece, room))))
            if isinstance(piece, Turn) and self._wish is not None:
                wish, self._wish = self._wish, None
                self._person.decide(piece.number, wish)

    async def _listen(self) -> None:
        while True:
            match await read_frame(self._reader):
                case ("decide", int(number), str(action)):
                    self._decide(number, action)
                case ("leave", _, _):
                    self._person.leave()
                case None:
                    return

    def _decide(self, number: int, action: str) -> None:
        """Do what the person wants. Where its tick is over, it is done in the next one, if it is legal there."""
        if not self._realtime:
            self._person.decide(number, action)
            return
        turn = self._person.turn
        self._wish = None if turn is not None and self._person.decide(turn.number, action) else action


def _as_data(piece: News, room: Room) -> dict[str, object]:
    match piece:
        case Table():
            return {
                "kind": "table",
                "game": piece.game,
                "seat": piece.seat,
                "seats": [{"bot": player.bot, "version": player.version} for player in room.players],
                "realtime": piece.time_control.realtime,
            }
        case Turn():
            return {
                "kind": "turn",
                "number": piece.number,
                "frame": observed(piece.number, piece.observation, piece.seat).model_dump(),
                "legal_actions": list(piece.legal_actions),
                "substituted": piece.substitution.reason if piece.substitution else None,
            }
        case Result():
            return {
                "kind": "result",
                "payoffs": piece.payoffs,
                "places": piece.places,
                "terminations": piece.terminations,
                "unit": find_game(room.game).payoff_unit,
            }


async def _main(descriptor: int) -> None:
    reader, writer = await asyncio.open_unix_connection(sock=socket.socket(fileno=descriptor))
    serving = asyncio.create_task(Dealer(reader, writer).serve())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
    await asyncio.gather(serving, return_exceptions=True)


def main() -> None:
    """Serve the socket whose descriptor is the first argument."""
    logging.basicConfig(level=logging.ERROR, format="dealer: %(message)s")
    uvloop.run(_main(int(sys.argv[1])))


if __name__ == "__main__":
    main()
