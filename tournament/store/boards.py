"""Finished boards of a pool: of some pairings, since some time, in the order of the schedule."""

from collections.abc import Collection
from datetime import datetime

from sqlmodel import col, func, select

from tournament.store.database import Store
from tournament.store.tables import BoardScore, Match
from tournament.store.tournaments import StoredPool

BoardKey = tuple[int, int]
"""Pairing and board."""


def boards_of_pairings(store: Store, pool: StoredPool, pairings: Collection[int]) -> dict[BoardKey, bytes]:
    """Return the scores of every finished board of some pairings."""
    query = select(BoardScore.pairing, BoardScore.board, BoardScore.scores).where(
        BoardScore.pool_id == pool.id, col(BoardScore.pairing).in_(pairings)
    )
    with store.session() as session:
        return {(pairing, board): scores for pairing, board, scores in session.exec(query)}


def boards_since(store: Store, pool: StoredPool, since: datetime) -> set[BoardKey]:
    """Return the boards whose last match ended at that time or later."""
    query = (
        select(Match.pairing, Match.board)
        .where(Match.pool_id == pool.id)
        .group_by(col(Match.pairing), col(Match.board))
        .having(func.max(col(Match.finished_at)) >= since)
    )
    with store.session() as session:
        return set(session.exec(query).all())


def last_pairing(store: Store, pool: StoredPool) -> int:
    """Return the greatest number of a pairing that has a match; -1 where nothing was played."""
    with store.session() as session:
        found = session.exec(select(func.max(Match.pairing)).where(Match.pool_id == pool.id)).one()
    return -1 if found is None else found
