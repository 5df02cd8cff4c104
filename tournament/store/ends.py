"""What ends the play of bots before their time, in the store: the bench, and the end of a sequential test."""

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy
from sqlmodel import col, func, select

from tournament.store.database import Store
from tournament.store.tables import Benching, Fault, Match, Seat, TestEnd, now
from tournament.store.tournaments import StoredPool, StoredTournament, mark_unfinished


class Place(NamedTuple):
    """Where a match stands in a pool; places are ordered as the schedule goes."""

    pairing: int
    board: int
    room: int


def fault_kinds(store: Store, pool: StoredPool) -> dict[int, dict[str, int]]:
    """Return in how many matches of a pool each bot was at fault, by its number and by the kind of fault."""
    query = (
        select(Seat.entrant, Fault.termination, func.count())
        .select_from(Fault)
        .join(Seat, (col(Seat.match_id) == col(Fault.match_id)) & (col(Seat.seat) == col(Fault.seat)))
        .where(Seat.pool_id == pool.id)
        .group_by(col(Seat.entrant), col(Fault.termination))
    )
    found: dict[int, dict[str, int]] = {}
    with store.session() as session:
        for entrant, termination, count in session.exec(query):
            found.setdefault(entrant, {})[termination] = count
    return found


def fault_counts(store: Store, pool: StoredPool) -> dict[int, int]:
    """Return in how many matches of a pool each bot was at fault, by its number."""
    return {entrant: sum(kinds.values()) for entrant, kinds in fault_kinds(store, pool).items()}


def faults_by_place(store: Store, pool: StoredPool, entrants: set[int]) -> dict[Place, set[int]]:
    """Return which of these bots were at fault, for every match played in which one of them sat."""
    query = (
        sqlalchemy.select(
            col(Match.pairing), col(Match.board), col(Match.room), col(Seat.entrant), col(Seat.termination)
        )
        .join(Seat, col(Seat.match_id) == col(Match.id))
        .where(col(Seat.pool_id) == pool.id, col(Seat.entrant).in_(entrants))
    )
    found: dict[Place, set[int]] = {}
    with store.transaction() as connection:
        for pairing, board, room, entrant, termination in connection.execute(query):
            faulty = found.setdefault(Place(pairing, board, room), set())
            if termination != "normal":
                faulty.add(entrant)
    return found


def benched(store: Store, pool: StoredPool) -> dict[int, Place]:
    """Return the bots that are benched, by their number, each with the match of its last fault."""
    query = select(Benching).where(Benching.pool_id == pool.id, col(Benching.lifted_at).is_(None))
    with store.session() as session:
        return {row.entrant: _place(row) for row in session.exec(query.order_by(col(Benching.entrant)))}


def lifted(store: Store, pool: StoredPool) -> set[tuple[int, Place]]:
    """Return what the organiser has undone: bots, each with the match it was benched after."""
    query = select(Benching).where(Benching.pool_id == pool.id, col(Benching.lifted_at).is_not(None))
    with store.session() as session:
        return {(row.entrant, _place(row)) for row in session.exec(query)}


def keep_benched(store: Store, pool: StoredPool, found: Mapping[int, Place]) -> None:
    """Store that these bots are benched, and no others."""
    query = select(Benching).where(Benching.pool_id == pool.id, col(Benching.lifted_at).is_(None))
    with store.session() as session:
        known = {(row.entrant, _place(row)): row for row in session.exec(query)}
        for key, row in known.items():
            if key not in found.items():
                session.delete(row)
        for entrant, place in found.items():
            if (entrant, place) not in known:
                session.add(Benching(pool_id=pool.id, entrant=entrant, **place._asdict()))


def test_end(store: Store, pool: StoredPool) -> Place | None:
    """Return the last match of the board that ended the sequential test of a pool; None if none did."""
    with store.session() as session:
        row = session.get(TestEnd, pool.id)
    return Place(0, row.board, pool.seats - 1) if row is not None else None


def keep_test_end(store: Store, pool: StoredPool, end: Place | None) -> None:
    """Store where the sequential test of a pool has ended."""
    with store.session() as session:
        row = session.get(TestEnd, pool.id)
        if row is not None:
            session.delete(row)
            session.flush()
        if end is not None:
            session.add(TestEnd(pool_id=pool.id, board=end.board))


def ends_of(store: Store, pool: StoredPool) -> dict[int, Place]:
    """Return the bots that do not play all of their matches, each with the last one that can be played."""
    found = benched(store, pool)
    if (end := test_end(store, pool)) is not None:
        found = {entrant: min(end, found.get(entrant, end)) for entrant in range(len(pool.versions))}
    return found


def lift(store: Store, tournament: StoredTournament, pool: StoredPool, entrant: int) -> bool:
    """Let a bot play again when the tournament is run again; False where it is not benched."""
    query = select(Benching).where(
        Benching.pool_id == pool.id, Benching.entrant == entrant, col(Benching.lifted_at).is_(None)
    )
    with store.session() as session:
        row = session.exec(query).first()
        if row is None:
            return False
        row.lifted_at = now()
        session.add(row)
        mark_unfinished(session, tournament)
    return True


def _place(row: Benching) -> Place:
    return Place(row.pairing, row.board, row.room)
