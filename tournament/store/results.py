"""Writing results: one transaction a match."""

import json
import logging
from collections.abc import Iterable, Sequence
from hashlib import sha256

from sqlalchemy import Connection, bindparam, insert
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select

from referee.orders import MatchReport, RoomReport, Termination
from tournament.archive import compress
from tournament.scores import SeatScore, board_scores
from tournament.store.database import Store
from tournament.store.tables import (
    BoardScore,
    Fault,
    Match,
    MatchRecord,
    PlatformFailure,
    Pool,
    RoomLog,
    Seat,
    now,
)
from tournament.store.tournaments import StoredPool

_log = logging.getLogger(__name__)

# Statements of every match are made once: putting them together takes longer than to run them.
_ADD_MATCH, _ADD_SEATS, _ADD_RECORD, _ADD_BOARD = (insert(table) for table in (Match, Seat, MatchRecord, BoardScore))
# Of two writers neither would see the other's match, and the board would stay incomplete: one goes first. SQLite leaves
# the clause out; it has one writer at a time anyhow.
_LOCK_POOL = select(Pool.id).where(Pool.id == bindparam("pool")).with_for_update(key_share=True)
_BOARD_RESULTS = (
    select(
        Match.room,
        Seat.seat,
        Seat.entrant,
        Seat.payoff,
        Seat.place,
        Seat.margin,
        Seat.strikes,
        Seat.timeouts,
        Seat.termination,
    )  # type: ignore[call-overload]
    .join(Seat, col(Seat.match_id) == col(Match.id))
    .where(Match.pool_id == bindparam("pool"), Match.pairing == bindparam("pairing"), Match.board == bindparam("board"))
)


def add_match(store: Store, pool: StoredPool, report: MatchReport, entrants: Sequence[int]) -> bool:
    """Store a match that has ended, and its board if this completes it.

    ``entrants`` are the numbers in the pool of the bots in its seats. False where the match had been stored before:
    the first result stands.
    """
    assert report.termination is not Termination.PLATFORM, "what the platform failed to play has no result"
    try:
        with store.transaction() as connection:
            connection.execute(_LOCK_POOL, {"pool": pool.id})
            _insert_match(connection, pool, report, entrants)
            _complete_board(connection, pool, report.pairing, report.board)
    except IntegrityError:
        if (report.room, report.board) not in played(store, pool, report.pairing, report.pairing + 1).get(
            report.pairing, ()
        ):
            raise
        _log.warning(
            "%s: pairing %d, board %d, room %d has ended twice: the first result stands",
            pool.game,
            report.pairing,
            report.board,
            report.room,
        )
        return False
    return True


def _insert_match(connection: Connection, pool: StoredPool, report: MatchReport, entrants: Sequence[int]) -> None:
    row = {
        "pool_id": pool.id,
        "pairing": report.pairing,
        "board": report.board,
        "room": report.room,
        "termination": report.termination.value,
        "decisions": report.decisions,
        "lag_time": report.lag_time,
        "record_hash": sha256(report.record).digest(),
        "finished_at": now(),
    }
    key = connection.execute(_ADD_MATCH, row).inserted_primary_key
    assert key is not None, "an insert of one row returns its key"
    match_id = key[0]
    faults = {verdict.seat: verdict for verdict in report.verdicts}
    seats = [
        {
            "match_id": match_id,
            "seat": seat,
            "pool_id": pool.id,
            "entrant": entrant,
            "payoff": report.payoffs[seat],
            "place": report.places[seat],
            "margin": report.margins[seat],
            "strikes": report.strikes[seat],
            "timeouts": report.timeouts[seat],
            "termination": faults[seat].termination.value if seat in faults else Termination.NORMAL.value,
            "used_time": report.used_times[seat],
        }
        for seat, entrant in enumerate(entrants)
    ]
    connection.execute(_ADD_SEATS, seats)
    record = {"match_id": match_id, "record": compress(report.record), "timings": compress(report.timings)}
    connection.execute(_ADD_RECORD, record)
    for verdict in report.verdicts:
        fault = {
            "match_id": match_id,
            "seat": verdict.seat,
            "termination": verdict.termination.value,
            "detail": verdict.detail,
            "last_turn": verdict.last_turn,
            "log": verdict.log,
        }
        connection.execute(insert(Fault), fault)


def _complete_board(connection: Connection, pool: StoredPool, pairing: int, board: int) -> None:
    results = board_results(connection, pool, pairing, board)
    if len(results) == pool.seats**2:
        scores = board_scores(pool.seats, results)
        row = {"pool_id": pool.id, "pairing": pairing, "board": board, "scores": scores}
        connection.execute(_ADD_BOARD, row)


def board_results(connection: Connection, pool: StoredPool, pairing: int, board: int) -> list[SeatScore]:
    """Return the results of every match of a board that has been played, seat by seat."""
    place = {"pool": pool.id, "pairing": pairing, "board": board}
    return [SeatScore(*row) for row in connection.execute(_BOARD_RESULTS, place)]


def played(store: Store, pool: StoredPool, low: int, high: int) -> dict[int, set[tuple[int, int]]]:
    """Return (room, board) of the matches played in the pairings from ``low`` to before ``high``, by pairing."""
    done: dict[int, set[tuple[int, int]]] = {}
    query = select(Match.pairing, Match.room, Match.board).where(
        Match.pool_id == pool.id, Match.pairing >= low, Match.pairing < high
    )
    with store.session() as session:
        for pairing, room, board in session.exec(query):
            done.setdefault(pairing, set()).add((room, board))
    return done


def add_room_logs(store: Store, pool: StoredPool, report: RoomReport) -> None:
    """Keep what the bots of a room wrote."""
    rows = [
        {"pool_id": pool.id, "pairing": report.pairing, "room": report.room, "seat": seat, "log": log}
        for seat, log in enumerate(report.logs)
        if log
    ]
    if rows:
        with store.transaction() as connection:
            connection.execute(insert(RoomLog), rows)


def add_failure(store: Store, pool: StoredPool, pairing: int, room: int, *, boards: Iterable[int], detail: str) -> None:
    """Keep that the platform could not play some boards of a room."""
    row = {
        "pool_id": pool.id,
        "pairing": pairing,
        "room": room,
        "boards": json.dumps(sorted(boards)),
        "detail": detail,
        "failed_at": now(),
    }
    with store.transaction() as connection:
        connection.execute(
            delete(PlatformFailure).where(
                col(PlatformFailure.pool_id) == pool.id,
                col(PlatformFailure.pairing) == pairing,
                col(PlatformFailure.room) == room,
            )
        )
        connection.execute(insert(PlatformFailure), row)


def clear_failures(store: Store, pool: StoredPool) -> None:
    """Forget failures of the platform: their matches are about to be played again."""
    with store.transaction() as connection:
        connection.execute(delete(PlatformFailure).where(col(PlatformFailure.pool_id) == pool.id))
