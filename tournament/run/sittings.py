"""What is still to be played, streamed: the whole list is never made."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cardpit.games.seeds import derive
from referee.orders import rotated
from tournament.run.tallies import tallies_of
from tournament.schedule import SCHEDULES, Grown, Schedule
from tournament.store.database import Store
from tournament.store.matches import finished_boards
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
    """Return who meets whom in a pool: a function of the configuration and the seed alone.

    Where it is adaptive it knows no result yet: :func:`schedule_so_far` does.
    """
    settings = pool.configuration
    seed = derive(tournament.seed, f"schedule/{pool.game}")
    newcomers = sum(bot.added for bot in settings.bots)
    founders = SCHEDULES[settings.schedule](
        len(settings.bots) - newcomers, pool.seats, seed, settings.rounds, third_place=settings.third_place
    )
    return Grown(founders, newcomers, seed) if newcomers else founders


def intervals_hold(pool: StoredPool) -> bool:
    """Tell whether the intervals of ratings contain the truth as often as they say, given who meets whom."""
    return SCHEDULES[pool.configuration.schedule].intervals_hold


def schedule_so_far(store: Store, tournament: StoredTournament, pool: StoredPool) -> Schedule:
    """Return who meets whom in a pool, as far as the finished boards decide it."""
    schedule = schedule_of(tournament, pool)
    return schedule.after(tallies_of(pool, finished_boards(store, pool))) if schedule.adaptive else schedule


def boards_of(schedule: Schedule, pool: StoredPool, pairing: int) -> range:
    """Return the numbers of the boards of a pairing: bots that meet again play the next ones."""
    count = pool.configuration.boards
    first = schedule.meeting(pairing) * count
    return range(first, first + count)


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

    What an adaptive schedule does not know beforehand is not in it.
    """
    for pool in tournament.pools:
        schedule = schedule_of(tournament, pool)
        if not schedule.adaptive:
            yield from sittings_of(store, tournament, pool, schedule, range(schedule.total), capacity, left_out)


def sittings_of(
    store: Store,
    tournament: StoredTournament,
    pool: StoredPool,
    schedule: Schedule,
    pairings: Sequence[int],
    capacity: int,
    left_out: LeftOut,
) -> Iterator[Sitting]:
    """Yield what is still to be played of some pairings, in ascending order, but for what is left out.

    The rooms of a pairing come one after another, so that its boards are soon complete. Where there are fewer rooms
    than can be played at once, they are cut into parts.
    """
    boards = pool.configuration.boards
    parts = _parts(len(pairings) * pool.seats, boards, capacity)
    if tournament.configuration.sprt is not None:
        # What is played ahead of the board that ends the test is in vain.
        parts = math.ceil(boards / FEWEST_BOARDS)
    for low in range(0, len(pairings), PAIRINGS_AT_ONCE):
        some = pairings[low : low + PAIRINGS_AT_ONCE]
        done = played(store, pool, some[0], some[-1] + 1)
        for pairing in some:
            bots, first = schedule.pairing(pairing), boards_of(schedule, pool, pairing).start
            over = done.get(pairing, set())
            for part in range(parts):
                numbers = range(first + boards * part // parts, first + boards * (part + 1) // parts)
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
