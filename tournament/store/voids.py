"""Results that are taken out, kept apart with the reason."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, delete, select

from tournament.store.database import Store
from tournament.store.matches import MatchRow
from tournament.store.tables import BoardScore, Fault, Match, MatchRecord, Seat, VoidedMatch
from tournament.store.tournaments import StoredPool, StoredTournament, mark_unfinished


@dataclass(frozen=True, slots=True)
class VoidRow:
    """A result that was taken out."""

    pairing: int
    board: int
    room: int
    termination: str
    payoffs: tuple[float, ...]
    """By seat."""
    record_hash: bytes
    why: str
    voided_at: str
    """In UTC."""


def void_matches(
    store: Store, tournament: StoredTournament, pool: StoredPool, matches: Sequence[MatchRow], why: str
) -> None:
    """Take results out, all or none. Their matches are still to be played; their boards are not finished."""
    with store.session() as session:
        for match in matches:
            _void(session, pool, match, why)
        mark_unfinished(session, tournament)


def _void(session: Session, pool: StoredPool, match: MatchRow, why: str) -> None:
    row = session.get_one(Match, match.key)
    record = session.get(MatchRecord, match.key)
    session.add(
        VoidedMatch(
            pool_id=pool.id,
            pairing=match.pairing,
            board=match.board,
            room=match.room,
            why=why,
            termination=match.termination,
            payoffs=json.dumps([seat.payoff for seat in match.seats]),
            record_hash=row.record_hash,
            record=record.record if record is not None else b"",
            finished_at=row.finished_at,
        )
    )
    session.exec(
        delete(BoardScore).where(
            col(BoardScore.pool_id) == pool.id,
            col(BoardScore.pairing) == match.pairing,
            col(BoardScore.board) == match.board,
        )
    )
    session.exec(delete(MatchRecord).where(col(MatchRecord.match_id) == match.key))
    session.exec(delete(Fault).where(col(Fault.match_id) == match.key))
    session.exec(delete(Seat).where(col(Seat.match_id) == match.key))
    session.exec(delete(Match).where(col(Match.id) == match.key))


def list_voided(store: Store, pool: StoredPool) -> list[VoidRow]:
    """Return what was taken out of a pool, by pairing, board and room, oldest first."""
    order = (col(VoidedMatch.pairing), col(VoidedMatch.board), col(VoidedMatch.room), col(VoidedMatch.id))
    with store.session() as session:
        rows = session.exec(select(VoidedMatch).where(VoidedMatch.pool_id == pool.id).order_by(*order)).all()
    return [
        VoidRow(
            pairing=row.pairing,
            board=row.board,
            room=row.room,
            termination=row.termination,
            payoffs=tuple(json.loads(row.payoffs)),
            record_hash=row.record_hash,
            why=row.why,
            voided_at=f"{row.voided_at:%Y-%m-%dT%H:%M:%SZ}",
        )
        for row in rows
    ]
