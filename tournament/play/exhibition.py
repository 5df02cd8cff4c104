"""An exhibition: one match between persons and bots. It is in no tournament and rated nowhere."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from referee.match import Match
from referee.orders import MatchReport, Room
from referee.seats.grpc import BotSession
from referee.seats.person import PersonSeat


@dataclass(frozen=True, slots=True)
class Played:
    """An exhibition that is over."""

    report: MatchReport
    logs: Mapping[int, str]
    """What the bots wrote, by seat."""


async def play_exhibition(room: Room, persons: Mapping[int, PersonSeat]) -> Played:
    """Play the first board of a room, with persons in some of its seats. However it ends, no bot's process is left."""
    sessions = {
        seat: BotSession(player, room.game, room.conduct)
        for seat, player in enumerate(room.players)
        if seat not in persons
    }
    try:
        await asyncio.gather(*(session.start() for session in sessions.values()))
        seats = [persons[seat] if seat in persons else sessions[seat].seat() for seat in range(len(room.players))]
        report = await Match(room, room.boards[0], seats).play()
    finally:
        await asyncio.gather(*(session.end("the match is done") for session in sessions.values()))
    return Played(report, {seat: session.log for seat, session in sessions.items()})
