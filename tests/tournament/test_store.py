import sqlite3
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel, col, func, select

from referee.orders import MatchReport, RoomReport, Termination, Verdict
from tournament.archive import decompress
from tournament.bundle import Bundle
from tournament.configuration import (
    ConductConfiguration,
    Configuration,
    EntrantConfiguration,
    PoolConfiguration,
)
from tournament.errors import BadHome, Busy, StoreFailed, UnknownName, WrongUse
from tournament.home import Home
from tournament.scores import Scores
from tournament.store.bots import add_version, all_versions, check_spelling, find_same, find_version, label
from tournament.store.database import Store
from tournament.store.matches import (
    board_blobs,
    count_matches,
    find_match,
    find_record,
    list_faults,
    list_matches,
    records,
    room_logs,
)
from tournament.store.results import add_failure, add_match, add_room_logs, clear_failures, played
from tournament.store.tables import BoardScore, Match, MatchRecord, Seat
from tournament.store.tournaments import StoredPool, StoredTournament, add_tournament, find_tournament

pytestmark = pytest.mark.usefixtures("database")

sqlite_only = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def a_bundle(name: str, content: str = "1") -> Bundle:
    return Bundle(name, "", ("python", "bot.py"), (), (), (), content * 64)


@pytest.fixture
def cup(store: Store) -> StoredTournament:
    bots = tuple(
        EntrantConfiguration(bot=v.name, version=v.version, bundle_hash=v.bundle_hash)
        for v in (add_version(store, a_bundle(name)) for name in ("alice", "bob"))
    )
    pool = PoolConfiguration(
        game="landlord",
        rules_version=1,
        parameters={"cap": 64, "bomb_x2": True, "all_pass": "first"},
        seats=2,
        schedule="round-robin",
        boards=3,
        max_strikes=3,
        bots=bots,
    )
    configuration = Configuration(name="cup", conduct=ConductConfiguration(), pools=(pool,))
    return add_tournament(store, configuration, bytes(32))


@pytest.fixture
def pool(cup: StoredTournament) -> StoredPool:
    return cup.pools[0]


def a_report(board: int = 0, room: int = 0, **changes: object) -> MatchReport:
    report = MatchReport(
        pairing=0,
        board=board,
        room=room,
        record=b"record",
        timings=b"timings",
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
    return replace(report, **changes)  # type: ignore[arg-type]


def test_a_tournament_is_read_back_as_it_was_stored(store: Store, cup: StoredTournament) -> None:
    assert find_tournament(store, "cup") == cup
    assert cup.pools[0].labels == ("alice 1", "bob 1")
    assert cup.configuration.pools[0].parameters == {"cap": 64, "bomb_x2": True, "all_pass": "first"}
    assert type(cup.configuration.pools[0].parameters["bomb_x2"]) is bool
    with pytest.raises(UnknownName, match="unknown tournament 'cap': did you mean cup"):
        find_tournament(store, "cap")


def test_a_match_is_stored_with_all_that_belongs_to_it(store: Store, cup: StoredTournament, pool: StoredPool) -> None:
    verdict = Verdict(1, Termination.CRASH, "exit status 3", b"turn", "Traceback")
    assert add_match(store, pool, a_report(verdicts=(verdict,), termination=Termination.CRASH), (0, 1))
    _, _, match = find_match(store, "cup/landlord/0/0/0")
    assert [seat.termination for seat in match.seats] == ["normal", "crash"]
    assert [seat.payoff for seat in match.seats] == [4.0, -4.0]
    assert decompress(find_record(store, match).record) == b"record"
    (fault,) = list_faults(store, pool)
    assert (fault.seat, fault.detail, fault.last_turn, fault.log) == (1, "exit status 3", b"turn", "Traceback")
    assert list_faults(store, pool, entrants=[0]) == []
    assert [m.name(cup, pool) for m in list_matches(store, pool, faults=True)] == ["cup/landlord/0/0/0"]


def test_a_second_result_for_a_match_changes_nothing(store: Store, pool: StoredPool) -> None:
    assert add_match(store, pool, a_report(), (0, 1))
    assert not add_match(store, pool, a_report(payoffs=(-1.0, 1.0), record=b"other"), (0, 1))
    with store.session() as session:
        assert session.exec(select(func.count()).select_from(Match)).one() == 1
        assert session.exec(select(Seat.payoff).order_by(col(Seat.seat))).all() == [4.0, -4.0]
        assert decompress(session.exec(select(MatchRecord.record)).one()) == b"record"


def test_a_match_is_stored_whole_or_not_at_all(store: Store, pool: StoredPool) -> None:
    broken = Verdict(0, Termination.CRASH, None, b"", "")  # type: ignore[arg-type]
    with pytest.raises(Exception, match=r"(?i)not.null"):
        add_match(store, pool, a_report(verdicts=(broken,)), (0, 1))
    with store.session() as session:
        for table in (Match, Seat, MatchRecord):
            assert session.exec(select(func.count()).select_from(table)).one() == 0


def test_a_board_is_rated_once_all_of_its_rooms_are_there(store: Store, pool: StoredPool) -> None:
    add_match(store, pool, a_report(0, 0), (0, 1))
    assert board_blobs(store, pool) == []
    add_match(store, pool, a_report(0, 1, payoffs=(1.0, -1.0), strikes=(2, 1), timeouts=(1, 0)), (1, 0))
    (board,) = Scores.of(2, 2, board_blobs(store, pool)).boards
    assert board["entrant"].tolist() == [0, 1]
    assert board["score"].tolist() == [3.0, -3.0]
    assert board["ahead"].tolist() == [[0, 1], [1, 0]]
    assert board["timeouts"].tolist() == [0, 1]
    assert board["errors"].tolist() == [1, 1]


def test_records_are_read_in_order_over_many_queries(
    store: Store, cup: StoredTournament, pool: StoredPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.store.matches.RECORDS_AT_ONCE", 2)
    for board, room in ((2, 1), (0, 0), (1, 1), (1, 0), (2, 0)):
        add_match(store, pool, a_report(board, room), (0, 1))
    assert [(r.match.board, r.match.room) for r in records(store, pool)] == [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert played(store, pool, 0, 9) == {0: {(0, 0), (0, 1), (1, 1), (0, 2), (1, 2)}}
    assert count_matches(store, pool) == 5


def test_logs_of_rooms_are_kept_and_failures_replaced(store: Store, pool: StoredPool) -> None:
    add_room_logs(store, pool, RoomReport(0, 1, ("hello", "")))
    assert room_logs(store, pool, 0, 1) == [(0, "hello")]
    for boards in ([1, 2], [2]):
        add_failure(store, pool, 0, 1, boards=boards, detail="it died")
    with store.engine.connect() as connection:
        assert connection.execute(text("SELECT boards FROM platform_failures")).all() == [("[2]",)]
    clear_failures(store, pool)
    with store.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM platform_failures")).scalar() == 0


def test_versions_count_up_and_identical_content_is_found(store: Store) -> None:
    first = add_version(store, a_bundle("carol", "a"))
    second = add_version(store, a_bundle("carol", "b"))
    assert (label(first), label(second)) == ("carol 1", "carol 2")
    same = find_same(store, a_bundle("carol", "a"))
    assert same is not None
    assert same.version == 1
    assert find_version(store, "carol").version == 2
    assert find_version(store, "carol@1").version == find_version(store, "carol:1").version == 1
    with pytest.raises(UnknownName, match="unknown version '3' of bot carol: known are 1, 2"):
        find_version(store, "carol@3")
    with pytest.raises(UnknownName, match="unknown bot 'carrol': did you mean carol"):
        find_version(store, "carrol")
    with pytest.raises(WrongUse, match="there is 'carol' already"):
        check_spelling(store, "Carol")


def test_bots_are_listed_by_the_codes_of_their_letters_and_by_version(store: Store) -> None:
    for name, content in (("bob", "1"), ("alice", "1"), ("Carol", "1"), ("alice", "2")):
        add_version(store, a_bundle(name, content))
    assert [label(version) for version in all_versions(store)] == ["Carol 1", "alice 1", "alice 2", "bob 1"]


def test_a_nul_character_that_a_bot_writes_becomes_a_sign(store: Store, pool: StoredPool) -> None:
    verdict = Verdict(1, Termination.CRASH, "exit\0status", b"\0", "\0")
    assert add_match(store, pool, a_report(verdicts=(verdict,), termination=Termination.CRASH), (0, 1))
    add_room_logs(store, pool, RoomReport(0, 0, ("a\0b", "")))
    (fault,) = list_faults(store, pool)
    assert (fault.detail, fault.last_turn, fault.log) == ("exit␀status", b"\0", "␀")
    assert room_logs(store, pool, 0, 0) == [(0, "a␀b")]


@sqlite_only
def test_a_file_that_is_no_database_is_an_error_of_the_store(home: Home) -> None:
    home.prepare()
    home.database.write_text("not a database, and long enough to be read as one" * 100)
    with pytest.raises(StoreFailed, match="not a database"):
        Store.open(home)


@sqlite_only
def test_a_full_disk_keeps_what_was_stored(home: Home, store: Store, pool: StoredPool) -> None:
    assert add_match(store, pool, a_report(0, 0), (0, 1))
    with store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    store.close()
    full = Store.open(home)
    with full.engine.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    blob = bytes(range(256)) * 4096
    with pytest.raises(StoreFailed, match="full"):
        add_match(
            full,
            pool,
            a_report(
                0,
                1,
                record=b"".join(bytes([i]) + blob for i in range(9))[::-1],
                timings=__import__("os").urandom(1 << 20),
            ),
            (1, 0),
        )
    full.close()
    with Store.open(home) as again:
        assert count_matches(again, pool) == 1
        assert add_match(again, pool, a_report(0, 1), (1, 0))


def test_writers_of_two_threads_wait_for_each_other(store: Store, pool: StoredPool) -> None:
    reports = [[a_report(board, room) for board in range(20)] for room in (0, 1)]
    threads = [
        threading.Thread(target=lambda room=room: [add_match(store, pool, r, (0, 1)) for r in reports[room]])
        for room in (0, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.session() as session:
        assert session.exec(select(func.count()).select_from(BoardScore)).one() == 20


@sqlite_only
def test_the_store_uses_wal_and_foreign_keys(home: Home, store: Store) -> None:
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    with sqlite3.connect(home.database) as raw:
        tables = {name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    raw.close()
    assert set(SQLModel.metadata.tables) <= tables


def test_a_tournament_is_locked_for_one_process(home: Home, store: Store) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from pathlib import Path; from tournament.home import Home; from tournament.store import Store\n"
        "with Store.open(Home(Path(sys.argv[1]))) as store, store.locked('cup'):\n"
        "    print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(home.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Busy, match=f"run by process {holder.pid}"), store.locked("cup"):
            pass
        with store.locked("other"):
            pass
        holder.kill()
    for _ in range(2):
        _wait_until_free(store)


def _wait_until_free(store: Store) -> None:
    """Hold the lock for a moment; a server needs a moment to notice that its holder is dead."""
    deadline = time.monotonic() + 10
    while True:
        try:
            with store.locked("cup"):
                return
        except Busy:
            assert time.monotonic() < deadline
            time.sleep(0.02)


def test_a_home_that_cannot_be_used_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(BadHome, match=f"home {file} is a file: a folder is wanted"):
        Home.find(str(file))
    with pytest.raises(BadHome, match="cannot be written"):
        Home(file / "below").prepare()
    with pytest.raises(BadHome, match="cannot be written"):
        Home(Path("/proc/cardpit")).prepare()
    monkeypatch.setenv("CARDPIT_HOME", str(tmp_path / "other"))
    assert Home.find(None).folder == tmp_path / "other"
    monkeypatch.delenv("CARDPIT_HOME")
    assert Home.find(None).folder.name == ".cardpit"
