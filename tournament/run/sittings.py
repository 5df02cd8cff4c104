"""What is still to be played, streamed: the whole list is never made."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cardpit.games.seeds import derive
from referee.orders import rotated
from tournament.schedule import SCHEDULES, Schedule
from tournament.store.database import Store
from tournament.store.results import played
from tournament.store.tournaments import StoredPool, StoredTournament

LeftOut: TypeAlias = Callable[[StoredPool, Sequence[int], int, int, int], bool]
"""Says whether a match of some bots is not to be played: pool, bots, pairing, board, room."""

PAIRINGS_AT_ONCE = 256
"""How many pairings are looked up in the store by one query."""

MOST_BOARDS = 100
"""No sitting has more boards, so that a room that fails loses little."""

FEWEST_BOARDS = 10
"""Rooms are not cut into smaller parts, since each part starts its bots anew."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A room, or a part of its boards: what bot processes play in one go."""

    pool: StoredPool
    pairing: int
    room: int
    entrants: tuple[int, ...]
    """The numbers in the pool of the bots, by seat."""
    boards: tuple[int, ...]


def schedule_of(tournament: StoredTournament, pool: StoredPool) -> Schedule:
    """Return who meets whom in a pool: a function of the configuration and the seed alone."""
    seed = derive(tournament.seed, f"schedule/{pool.game}")
    return SCHEDULES[pool.configuration.schedule](len(pool.versions), pool.seats, seed)


def matches_of(tournament: StoredTournament, pool: StoredPool) -> int:
    """Return how many matches a pool has in all."""
    return schedule_of(tournament, pool).total * pool.configuration.boards * pool.seats


def nothing(_pool: StoredPool, _bots: Sequence[int], _pairing: int, _board: int, _room: int) -> bool:
    """Leave no match out."""
    return False


def sittings(
    store: Store, tournament: StoredTournament, capacity: int, left_out: LeftOut = nothing
) -> Iterator[Sitting]:
    """Yield what is still to be played, pool by pool and pairing by pairing, but for the matches that are left out.

    The rooms of a pairing come one after another, so that its boards are soon complete. Where a pool has fewer rooms
    than can be played at once, they are cut into parts.
    """
    for pool in tournament.pools:
        schedule = schedule_of(tournament, pool)
        boards = pool.configuration.boards
        parts = _parts(schedule.total * pool.seats, boards, capacity)
        if tournament.configuration.sprt is not None:
            # What is played ahead of the board that ends the test is in vain.
            parts = math.ceil(boards / FEWEST_BOARDS)
        for low in range(0, schedule.total, PAIRINGS_AT_ONCE):
            high = min(low + PAIRINGS_AT_ONCE, schedule.total)
            done = played(store, pool, low, high)
            for pairing in range(low, high):
                bots = schedule.pairing(pairing)
                over = done.get(pairing, set())
                for part in range(parts):
                    numbers = range(boards * part // parts, boards * (part + 1) // parts)
                    for room in range(pool.seats):
                        left = tuple(
                            board
                            for board in numbers
                            if (room, board) not in over and not left_out(pool, bots, pairing, board, room)
                        )
                        if left:
                            yield Sitting(pool, pairing, room, rotated(bots, room), left)


def _parts(rooms: int, boards: int, capacity: int) -> int:
    """Return into how many parts each room is cut: twice as many sittings as can be played at once, where it helps."""
    wanted = math.ceil(2 * capacity / rooms)
    return max(min(wanted, math.ceil(boards / FEWEST_BOARDS)), math.ceil(boards / MOST_BOARDS))
