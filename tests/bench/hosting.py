"""A process like a referee worker: it plays very many matches, 16 at a time, and says how much memory it has."""

import asyncio
import json
import sys
from itertools import count
from pathlib import Path

import uvloop
from transport import First, room

from referee.match import Match
from referee.orders import MatchReport
from referee.room import play_room
from referee.seats.inprocess import InProcessSeat

PROCESS_ROOMS, TABLES = 4, 4
"""So many rooms of bot processes are played beside those in this process, each with so many boards at once."""
PROCESS_BOARDS = 150


def memory() -> float:
    """Return how much of this process is in memory, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1000


async def play(matches: int) -> list[float]:
    """Play so many matches in all; return the memory after each tenth of them."""
    found: list[float] = []
    number = count(1)

    def done(_: MatchReport) -> None:
        if (played := next(number)) % (matches // 10) == 0 and played <= matches:
            found.append(memory())

    rooms = [play_room(room(PROCESS_BOARDS, TABLES), done) for _ in range(PROCESS_ROOMS)]
    hosting = asyncio.gather(*rooms)
    inside = room(matches - PROCESS_ROOMS * PROCESS_BOARDS)
    for board in inside.boards:
        done(await Match(inside, board, [InProcessSeat(First), InProcessSeat(First)]).play())
        await asyncio.sleep(0)
    await hosting
    return found


if __name__ == "__main__":
    print(json.dumps(uvloop.run(play(int(sys.argv[1])))))
