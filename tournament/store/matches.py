"""Reading matches: lists, records, verdicts."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, tuple_
from sqlmodel import col, func, select

from tournament.errors import UnknownName
from tournament.store.database import Store
from tournament.store.tables import BoardScore, Fault, Match, MatchRecord, PlatformFailure, Pool, RoomLog, Seat
from tournament.store.tournaments import StoredPool, StoredTournament, find_tournament

RECORDS_AT_ONCE = 200
"""How many records are read by one query."""

KEYS_AT_ONCE = 1000
"""How many matches are named in one query: databases allow some ten thousand."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The result of a match for one seat."""

    entrant: int
    payoff: float
    place: int
    margin: int
    strikes: int
    timeouts: int
    termination: str
    used_time: float


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match that has been played."""

    key: int
    """Its key in the store."""
    pairing: int
    board: int
    room: int
    termination: str
    decisions: int
    seats: tuple[SeatRow, ...]
    lag_time: float
    """How late the referee itself was, in seconds: 99 % of its looks at the clock were not later."""

    def name(self, tournament: StoredTournament, pool: StoredPool) -> str:
        """Return what ``replay`` and ``logs`` take: tournament, game, pairing, board, room."""
        return match_name(tournament, pool, self.pairing, self.board, self.room)


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A verdict, and where it was given."""

    match: MatchRow
    seat: int
    termination: str
    detail: str
    last_turn: bytes
    log: str


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as it lies in the store."""

    match: MatchRow
    record_hash: bytes
    record: bytes
    """Compressed."""
    timings: bytes
    """Compressed."""


def match_name(tournament: StoredTournament, pool: StoredPool, pairing: int, board: int, room: int) -> str:
    """Return the name of a match: tournament, game, pairing, board and room."""
    return f"{tournament.name}/{pool.game}/{pairing}/{board}/{room}"


def find_match(store: Store, name: str) -> tuple[StoredTournament, StoredPool, MatchRow]:
    """Return the match of this name. Raises :class:`UnknownName`."""
    parts = name.split("/")
    if len(parts) != 5 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts[2:]):
        raise UnknownName(
            f"unknown match {name!r}: a match is named tournament/game/pairing/board/room, "
            "as tournament matches lists it"
        )
    tournament = find_tournament(store, parts[0])
    pool = tournament.pool(parts[1])
    pairing, board, room = (int(part) for part in parts[2:])
    query = select(Match).where(
        Match.pool_id == pool.id, Match.pairing == pairing, Match.board == board, Match.room == room
    )
    with store.session() as session:
        row = session.exec(query).first()
    if row is None:
        raise UnknownName(
            f"unknown match {name!r}: it has not been played; tournament matches {parts[0]} lists those that have"
        )
    return tournament, pool, with_seats(store, [row])[0]


def count_matches(store: Store, pool: StoredPool, *, lag_above: float | None = None) -> int:
    """Return how many matches of a pool have been played; with ``lag_above`` those with more seconds of lag."""
    query = select(func.count()).select_from(Match).where(Match.pool_id == pool.id)
    if lag_above is not None:
        query = query.where(Match.lag_time > lag_above)
    with store.session() as session:
        return session.exec(query).one()


def list_matches(
    store: Store,
    pool: StoredPool,
    *,
    entrants: Sequence[int] = (),
    board: int | None = None,
    faults: bool = False,
    lag_above: float | None = None,
    skip: int = 0,
    limit: int = 50,
) -> list[MatchRow]:
    """Return matches of a pool by pairing, board and room.

    ``entrants`` are numbers of bots in the pool of which at least one sat in it; ``faults`` leaves out matches that
    were played out; ``lag_above`` those without more seconds of lag.
    """
    query = select(Match).where(Match.pool_id == pool.id)
    if entrants:
        sat = select(Seat.match_id).where(Seat.pool_id == pool.id, col(Seat.entrant).in_(entrants))
        query = query.where(col(Match.id).in_(sat))
    if board is not None:
        query = query.where(Match.board == board)
    if faults:
        query = query.where(col(Match.id).in_(select(Fault.match_id)))
    if lag_above is not None:
        query = query.where(Match.lag_time > lag_above)
    query = query.order_by(col(Match.pairing), col(Match.board), col(Match.room)).offset(skip).limit(limit)
    with store.session() as session:
        rows = list(session.exec(query))
    return with_seats(store, rows)


def matches_after(store: Store, pool: StoredPool, entrant: int, place: tuple[int, int, int]) -> list[MatchRow]:
    """Return the matches of a bot that stand behind a place (pairing, board and room) in the schedule."""
    query = (
        select(Match)
        .join(Seat, col(Seat.match_id) == col(Match.id))
        .where(Seat.pool_id == pool.id, Seat.entrant == entrant)
        .where(_behind(place))
        .order_by(col(Match.pairing), col(Match.board), col(Match.room))
    )
    with store.session() as session:
        rows = list(session.exec(query))
    return with_seats(store, rows)


def _behind(place: tuple[int, int, int]) -> ColumnElement[bool]:
    """Return the condition that a match stands behind a place in the schedule."""
    return tuple_(col(Match.pairing), col(Match.board), col(Match.room)) > place


def with_seats(store: Store, rows: Sequence[Match]) -> list[MatchRow]:
    """Return matches with the results of their seats."""
    keys = [row.id for row in rows]
    seats: dict[int, list[SeatRow]] = {}
    with store.session() as session:
        for low in range(0, len(keys), KEYS_AT_ONCE):
            some = col(Seat.match_id).in_(keys[low : low + KEYS_AT_ONCE])
            for s in session.exec(select(Seat).where(some).order_by(col(Seat.match_id), col(Seat.seat))):
                seats.setdefault(s.match_id, []).append(
                    SeatRow(s.entrant, s.payoff, s.place, s.margin, s.strikes, s.timeouts, s.termination, s.used_time)
                )
    return [
        MatchRow(
            row.id,
            row.pairing,
            row.board,
            row.room,
            row.termination,
            row.decisions,
            tuple(seats.get(row.id, ())),
            row.lag_time,
        )
        for row in rows
        if row.id is not None
    ]


def records(store: Store, pool: StoredPool) -> Iterator[StoredRecord]:
    """Yield every match of a pool with its record, by pairing, board and room; a missing record is empty."""
    after = (-1, -1, -1)
    while True:
        query = (
            select(Match, MatchRecord)
            .outerjoin(MatchRecord, col(MatchRecord.match_id) == col(Match.id))
            .where(Match.pool_id == pool.id)
            .where(_behind(after))
            .order_by(col(Match.pairing), col(Match.board), col(Match.room))
            .limit(RECORDS_AT_ONCE)
        )
        with store.session() as session:
            found = list(session.exec(query))
        if not found:
            return
        matches = with_seats(store, [match for match, _ in found])
        for row, (match, record) in zip(matches, found, strict=True):
            blob, timings = (record.record, record.timings) if record is not None else (b"", b"")
            yield StoredRecord(row, match.record_hash, blob, timings)
        last = matches[-1]
        after = (last.pairing, last.board, last.room)


def find_record(store: Store, match: MatchRow) -> StoredRecord:
    """Return the record of a match. Raises :class:`UnknownName` where there is none."""
    with store.session() as session:
        row = session.get(MatchRecord, match.key)
        owner = session.get_one(Match, match.key)
    if row is None:
        raise UnknownName("this match has no record in the store: verify the tournament")
    return StoredRecord(match, owner.record_hash, row.record, row.timings)


def board_blobs(store: Store, pool: StoredPool) -> list[bytes]:
    """Return the scores of every finished board of a pool, in any order."""
    query = select(BoardScore.scores).where(BoardScore.pool_id == pool.id)
    with store.transaction() as connection:
        # The rows come straight from the driver: half a million of them cost three times as much as objects.
        cursor = connection.execute(query).cursor
        return [] if cursor is None else [scores for (scores,) in cursor.fetchall()]


def finished_boards(store: Store, pool: StoredPool) -> dict[tuple[int, int], bytes]:
    """Return the scores of every finished board by pairing and board."""
    query = select(BoardScore.pairing, BoardScore.board, BoardScore.scores).where(BoardScore.pool_id == pool.id)
    with store.session() as session:
        return {(pairing, board): scores for pairing, board, scores in session.exec(query)}


def find_board(store: Store, pool: StoredPool, pairing: int, board: int) -> bytes | None:
    """Return the scores of a board; None where it is not finished."""
    with store.session() as session:
        row = session.get(BoardScore, (pool.id, pairing, board))
    return row.scores if row is not None else None


def list_faults(
    store: Store, pool: StoredPool, *, match: MatchRow | None = None, entrants: Sequence[int] = (), limit: int = 20
) -> list[FaultRow]:
    """Return verdicts of a pool, by pairing, board and room: of one match, of some bots, or all."""
    query = (
        select(Fault, Match)
        .join(Match, col(Match.id) == col(Fault.match_id))
        .where(Match.pool_id == pool.id)
        .order_by(col(Match.pairing), col(Match.board), col(Match.room), col(Fault.seat))
        .limit(limit)
    )
    if match is not None:
        query = query.where(Fault.match_id == match.key)
    if entrants:
        query = query.join(
            Seat, (col(Seat.match_id) == col(Fault.match_id)) & (col(Seat.seat) == col(Fault.seat))
        ).where(col(Seat.entrant).in_(entrants))
    with store.session() as session:
        found = list(session.exec(query))
    matches = with_seats(store, [row for _, row in found])
    return [
        FaultRow(row, fault.seat, fault.termination, fault.detail, fault.last_turn, fault.log)
        for row, (fault, _) in zip(matches, found, strict=True)
    ]


def room_logs(store: Store, pool: StoredPool, pairing: int, room: int) -> list[tuple[int, str]]:
    """Return what the bots wrote in a room: seat and text, oldest first."""
    query = (
        select(RoomLog.seat, RoomLog.log)
        .where(RoomLog.pool_id == pool.id, RoomLog.pairing == pairing, RoomLog.room == room)
        .order_by(col(RoomLog.id))
    )
    with store.session() as session:
        return list(session.exec(query))


def platform_failures(store: Store, tournament: StoredTournament) -> list[tuple[str, str]]:
    """Return the rooms that the platform failed in, each with the reason."""
    query = (
        select(PlatformFailure, Pool)
        .join(Pool, col(Pool.id) == col(PlatformFailure.pool_id))
        .where(Pool.tournament_id == tournament.id)
        .order_by(col(PlatformFailure.id))
    )
    with store.session() as session:
        return [
            (
                f"{tournament.name}/{pool.game}/{failure.pairing}, room {failure.room}, "
                f"boards {', '.join(str(board) for board in json.loads(failure.boards))}",
                failure.detail,
            )
            for failure, pool in session.exec(query)
        ]
