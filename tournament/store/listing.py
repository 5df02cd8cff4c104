"""Reading lists page by page: each page costs what its rows cost, however many there are before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import sqlalchemy
from sqlalchemy import ColumnElement
from sqlalchemy.orm import aliased
from sqlmodel import col, func, select

from tournament.store.database import Store
from tournament.store.ends import Place
from tournament.store.matches import FaultRow, MatchRow, with_seats
from tournament.store.tables import BoardScore, BotVersion, Entrant, Fault, Match, Pool, Seat, Tournament, VoidedMatch
from tournament.store.tournaments import StoredPool


class Change(NamedTuple):
    """Two of these are equal only if the results in the store are the same."""

    matches: int
    """The key of the newest match."""
    voids: int
    """The key of the newest result that was taken out."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A version of a bot in a pool of a tournament."""

    tournament: str
    game: str
    entrant: int


def change_of(store: Store) -> Change:
    """Return what tells whether results were added or taken out."""
    with store.session() as session:
        newest = session.exec(select(func.max(Match.id))).one()
        voided = session.exec(select(func.max(VoidedMatch.id))).one()
    return Change(newest or 0, voided or 0)


def tournaments_page(store: Store, before: int | None, limit: int) -> list[Tournament]:
    """Return tournaments, newest first, from behind a key on."""
    query = select(Tournament).order_by(col(Tournament.id).desc()).limit(limit)
    if before is not None:
        query = query.where(col(Tournament.id) < before)
    with store.session() as session:
        return list(session.exec(query))


def bot_names_page(store: Store, after: str, limit: int) -> list[str]:
    """Return the names of bots in their order, from behind a name on."""
    query = select(BotVersion.name).where(BotVersion.name > after).distinct().order_by(BotVersion.name).limit(limit)
    with store.session() as session:
        return list(session.exec(query))


def versions_named(store: Store, names: Sequence[str]) -> list[BotVersion]:
    """Return every version of some bots, by name and version."""
    query = select(BotVersion).where(col(BotVersion.name).in_(names))
    with store.session() as session:
        return list(session.exec(query.order_by(BotVersion.name, col(BotVersion.version))))


def entry_tournaments(store: Store, bot: str, before: int | None, limit: int) -> list[int]:
    """Return the keys of the tournaments in which versions of a bot take part, newest first, from behind one on."""
    query = (
        select(Pool.tournament_id)
        .join(Entrant, col(Entrant.pool_id) == col(Pool.id))
        .join(BotVersion, col(BotVersion.id) == col(Entrant.bot_version_id))
        .where(BotVersion.name == bot)
        .distinct()
        .order_by(col(Pool.tournament_id).desc())
        .limit(limit)
    )
    if before is not None:
        query = query.where(Pool.tournament_id < before)
    with store.session() as session:
        return list(session.exec(query))


def entries_of(store: Store, bot: str, tournaments: Sequence[int]) -> list[Entry]:
    """Return how the versions of a bot take part in some tournaments, newest tournament first."""
    query = (
        sqlalchemy.select(col(Tournament.name), col(Pool.game), col(Entrant.number))
        .join(Pool, col(Pool.tournament_id) == col(Tournament.id))
        .join(Entrant, col(Entrant.pool_id) == col(Pool.id))
        .join(BotVersion, col(BotVersion.id) == col(Entrant.bot_version_id))
        .where(col(BotVersion.name) == bot, col(Tournament.id).in_(tournaments))
        .order_by(col(Tournament.id).desc(), col(Pool.number), col(Entrant.number))
    )
    with store.session() as session:
        return [Entry(name, game, number) for name, game, number in session.connection().execute(query)]


def ordered_blobs(store: Store, pool: StoredPool) -> list[bytes]:
    """Return the scores of every finished board of a pool, in the order of the schedule."""
    query = (
        select(BoardScore.scores)
        .where(BoardScore.pool_id == pool.id)
        .order_by(col(BoardScore.pairing), col(BoardScore.board))
    )
    with store.transaction() as connection:
        # Straight from the driver, as board_blobs does.
        cursor = connection.execute(query).cursor
        return [] if cursor is None else [bytes(scores) for (scores,) in cursor.fetchall()]


def matches_in_order(
    store: Store, pool: StoredPool, *, board: int | None = None, after: Place | None = None, limit: int
) -> list[MatchRow]:
    """Return matches of a pool in the order of the schedule, from behind a place on."""
    order = (col(Match.pairing), col(Match.board), col(Match.room))
    query = select(Match).where(Match.pool_id == pool.id).order_by(*order).limit(limit)
    if board is not None:
        query = query.where(Match.board == board)
    if after is not None:
        query = query.where(sqlalchemy.tuple_(*order) > after)
    with store.session() as session:
        rows = list(session.exec(query))
    return with_seats(store, rows)


def matches_of_bots(
    store: Store,
    pool: StoredPool,
    entrants: Sequence[Sequence[int]],
    *,
    board: int | None = None,
    faults: bool = False,
    before: int | None = None,
    limit: int,
) -> list[MatchRow]:
    """Return matches of a pool, those that ended last first, from behind the match with the key ``before`` on.

    In each sits at least one bot of every group of ``entrants``; with ``faults``, one of the first group was at fault.
    Without a group these are all matches in which a bot was at fault.
    """
    if not entrants:
        key = col(Fault.match_id)
        query = select(Fault.match_id).join(Match, col(Match.id) == key).where(_in_pool(Match.pool_id, pool))
    else:
        key = col(Seat.match_id)
        query = select(Seat.match_id).where(Seat.pool_id == pool.id, col(Seat.entrant).in_(entrants[0]))
        if faults:
            query = query.where(Seat.termination != "normal")
    query = query.distinct().order_by(key.desc()).limit(limit)
    for group in entrants[1:]:
        other = aliased(Seat)
        query = query.where(sqlalchemy.exists().where(col(other.match_id) == key, col(other.entrant).in_(group)))
    if board is not None:
        query = query.where(sqlalchemy.exists().where(col(Match.id) == key, col(Match.board) == board))
    if before is not None:
        query = query.where(key < before)
    with store.session() as session:
        keys = list(session.exec(query))
        rows = list(session.exec(select(Match).where(col(Match.id).in_(keys)).order_by(col(Match.id).desc())))
    return with_seats(store, rows)


def rooms_of(store: Store, pool: StoredPool, pairing: int, board: int) -> list[MatchRow]:
    """Return the matches of a board that have been played, by room."""
    query = select(Match).where(Match.pool_id == pool.id, Match.pairing == pairing, Match.board == board)
    with store.session() as session:
        rows = list(session.exec(query.order_by(col(Match.room))))
    return with_seats(store, rows)


def verdicts_page(store: Store, pool: StoredPool, *, before: int | None, limit: int) -> list[FaultRow]:
    """Return verdicts of a pool, newest first, from behind the match with the key ``before`` on."""
    query = (
        select(Fault, Match)
        .join(Match, col(Match.id) == col(Fault.match_id))
        .where(_in_pool(Match.pool_id, pool))
        .order_by(col(Fault.match_id).desc(), col(Fault.seat))
        .limit(limit)
    )
    if before is not None:
        query = query.where(col(Fault.match_id) < before)
    with store.session() as session:
        found = list(session.exec(query))
    rows = with_seats(store, [match for _, match in found])
    return [
        FaultRow(row, fault.seat, fault.termination, fault.detail, fault.last_turn, fault.log)
        for row, (fault, _) in zip(rows, found, strict=True)
    ]


def verdict_counts(store: Store, pool: StoredPool) -> list[tuple[int, str, int]]:
    """Return how often each bot was at fault for what: its number, the termination, the count; most often first."""
    count = func.count()
    query = (
        select(Seat.entrant, Fault.termination, count)
        .select_from(Fault)
        .join(Seat, (col(Seat.match_id) == col(Fault.match_id)) & (col(Seat.seat) == col(Fault.seat)))
        .where(_in_pool(Seat.pool_id, pool))
        .group_by(col(Seat.entrant), col(Fault.termination))
        .order_by(count.desc(), col(Seat.entrant), col(Fault.termination))
    )
    with store.session() as session:
        return list(session.exec(query).all())


def latest_ends(store: Store, pools: Sequence[StoredPool], newest: int, count: int) -> list[datetime]:
    """Return when the matches of some pools ended that are among the ``count`` up to the key ``newest``, in order."""
    query = (
        select(Match.finished_at)
        .where(col(Match.id) > newest - count, sqlalchemy.or_(*(_in_pool(Match.pool_id, pool) for pool in pools)))
        .order_by(col(Match.id))
    )
    with store.session() as session:
        return list(session.exec(query))


def _in_pool(column: int, pool: StoredPool) -> ColumnElement[bool]:
    """Return a condition that no index is used for: few faults, or the newest matches, are looked through instead."""
    return col(column) + 0 == pool.id
