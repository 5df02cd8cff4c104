"""The store with a million finished matches, as an SQLite file and, where it is installed, in PostgreSQL."""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
from figures import Figure, cpu_time
from sqlalchemy import Connection, text

from referee.orders import MatchReport, Termination
from tournament.bundle import Bundle
from tournament.configuration import ConductConfiguration, Configuration, EntrantConfiguration, PoolConfiguration
from tournament.home import Home
from tournament.scores import score_type
from tournament.standings import table_of
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.matches import count_matches, list_matches
from tournament.store.postgresql import VARIABLE
from tournament.store.results import add_match
from tournament.store.tournaments import StoredPool, add_tournament

BOTS, BOARDS = 100, 101
"""A round robin of 4,950 pairings, 499,950 boards and twice as many matches."""
ROUNDS = 5
STORED = 1000
"""Matches that are stored one after another, with records of a usual size."""
RECORD, TIMINGS = os.urandom(1500), os.urandom(300)

ROOMS = "(SELECT 0 AS room UNION ALL SELECT 1) AS rooms"
SEATS = "(SELECT 0 AS seat UNION ALL SELECT 1) AS places"
STEPS = (
    "INSERT INTO boards (pool_id, pairing, board, scores) SELECT 1, pairing, board, scores FROM staged",
    "INSERT INTO matches (id, pool_id, pairing, board, room, termination, decisions, lag_time, record_hash,"
    " finished_at) SELECT 2 * number + room + 1, 1, pairing, board, room, 'normal', 30, 0.001, scores,"
    f" '2026-01-01 00:00:00' FROM staged, {ROOMS}",
    "DROP INDEX seats_of_entrant",
    "INSERT INTO seats (match_id, seat, pool_id, entrant, payoff, place, margin, strikes, timeouts, termination,"
    " used_time) SELECT 2 * number + room + 1, seat, 1, CASE WHEN room = seat THEN one ELSE two END,"
    f" 1, 1, 1, 0, 0, 'normal', 0.1 FROM staged, {ROOMS}, {SEATS}",
    "CREATE INDEX seats_of_entrant ON seats (pool_id, entrant, match_id)",
    "INSERT INTO records (match_id, record, timings) SELECT id, record_hash, record_hash FROM matches",
    "INSERT INTO faults (match_id, seat, termination, detail, last_turn, log)"
    " SELECT id, 0, 'crash', '', record_hash, '' FROM matches WHERE id % 1000 = 0",
    "DROP TABLE staged",
)
"""A million matches in place of as many plays; keys are checked by nobody, and one index is made at the end."""
BINARY = {"sqlite": "BLOB", "postgresql": "BYTEA"}
UNCHECKED = {"sqlite": "PRAGMA foreign_keys = OFF", "postgresql": "SET session_replication_role = replica"}
SETTLED = {
    "sqlite": ("PRAGMA optimize",),
    "postgresql": ("SELECT setval('matches_id_seq', 2000000)", "VACUUM ANALYZE"),
}


def add_cup(store: Store) -> StoredPool:
    """Store the bots and their tournament."""
    bundles = [
        Bundle(f"bot{n:04}", "", ("python", "bot.py"), (), (), (), sha256(bytes(n)).hexdigest()) for n in range(BOTS)
    ]
    bots = tuple(
        EntrantConfiguration(bot=v.name, version=v.version, bundle_hash=v.bundle_hash)
        for v in (add_version(store, bundle) for bundle in bundles)
    )
    pool = PoolConfiguration(
        game="landlord",
        rules_version=1,
        parameters={},
        seats=2,
        schedule="round-robin",
        boards=BOARDS,
        max_strikes=3,
        bots=bots,
    )
    configuration = Configuration(name="cup", conduct=ConductConfiguration(), pools=(pool,))
    return add_tournament(store, configuration, bytes(32)).pools[0]


def fill(connection: Connection) -> None:
    """Store all matches; the skills of the bots are spread like the prior."""
    kind = connection.dialect.name
    rng = np.random.default_rng(1)
    pairs = np.repeat(np.stack(np.triu_indices(BOTS, 1), axis=1), BOARDS, axis=0)
    skill = rng.normal(25, 25 / 3, BOTS)[pairs]
    margin = (skill[:, 0] - skill[:, 1] + rng.normal(0, 25 / 6 * 2**0.5, len(pairs))).round()
    scores = np.zeros(pairs.shape, score_type(2))
    scores["entrant"], scores["score"] = pairs, np.stack([margin, -margin], axis=1)
    rows = [
        {"number": n, "pairing": n // BOARDS, "board": n % BOARDS, "one": one, "two": two, "scores": row.tobytes()}
        for n, ((one, two), row) in enumerate(zip(pairs.tolist(), scores, strict=True))
    ]
    connection.exec_driver_sql(UNCHECKED[kind])
    connection.exec_driver_sql(
        "CREATE TABLE staged (number INTEGER, pairing INTEGER, board INTEGER, one INTEGER, two INTEGER,"
        f" scores {BINARY[kind]})"
    )
    connection.execute(text("INSERT INTO staged VALUES (:number, :pairing, :board, :one, :two, :scores)"), rows)
    for step in STEPS:
        connection.execute(text(step))


def report(room: int, board: int) -> MatchReport:
    """Return a match of usual size."""
    return MatchReport(
        pairing=0,
        board=board,
        room=room,
        record=RECORD,
        timings=TIMINGS,
        termination=Termination.NORMAL,
        payoffs=(4.0, -4.0),
        places=(1, 2),
        margins=(3, -3),
        strikes=(0, 0),
        timeouts=(0, 0),
        used_times=(0.25, 0.5),
        verdicts=(),
        decisions=20,
        lag_time=0.001,
    )


def seconds(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return the seconds of some work, the median of several rounds."""
    times = []
    for _ in range(ROUNDS):
        started = clock()
        work()
        times.append(clock() - started)
    return statistics.median(times)


def figures(home: Home, kind: str) -> Iterator[Figure]:
    """Yield the figures of one kind of database."""
    # SQLite works in this process; what a server uses is not in the CPU time of its clients.
    clock, beside = (cpu_time, "CPU time") if kind == "sqlite" else (time.perf_counter, "")
    with Store.create(home) as store:
        pool = add_cup(store)
        with store.engine.connect() as connection:
            fill(connection)
            connection.commit()
            # Settings of the connection must not come back to the pool.
            connection.invalidate()
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for step in SETTLED[kind]:
                connection.exec_driver_sql(step)
        last = count_matches(store, pool) - 50
        pages: dict[str, Callable[[], object]] = {
            "the count of matches": lambda: count_matches(store, pool),
            "the first page of matches": lambda: list_matches(store, pool),
            "the last page of matches": lambda: list_matches(store, pool, skip=last),
            "a page of one bot's matches": lambda: list_matches(store, pool, entrants=[7]),
            "a page of one board's matches": lambda: list_matches(store, pool, board=7),
            "a page of matches with faults": lambda: list_matches(store, pool, faults=True),
        }
        table = seconds(lambda: table_of(store, pool), clock)
        yield Figure(f"{kind}: ratings from {last + 50:,} matches", table, "s", 1, True, beside)
        for name, page in pages.items():
            yield Figure(f"{kind}: {name}", seconds(page, clock), "s", 0.1, True, beside)
        started = clock()
        for board in range(STORED // 2):
            for room in (0, 1):
                assert add_match(store, pool, report(room, BOARDS + board), (room, 1 - room))
        yield Figure(f"{kind}: results stored one by one", STORED / (clock() - started), "/s", None, False, beside)


def measure() -> Iterator[Figure]:
    """Yield the figures."""
    with tempfile.TemporaryDirectory() as folder:
        yield from figures(Home(Path(folder)), "sqlite")
    sys.path.append(str(Path(__file__).parent.parent))
    from postgres_server import PostgresServer, programs

    if place := programs():
        server = PostgresServer(place)
        os.environ[VARIABLE] = server.url("postgres")
        try:
            with tempfile.TemporaryDirectory() as folder:
                yield from figures(Home(Path(folder)), "postgresql")
        finally:
            del os.environ[VARIABLE]
            server.remove()
