"""Databases are made, and older ones brought up to date, by migrations."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from click.testing import Result
from sqlalchemy import text
from sqlmodel import SQLModel

from postgres_server import PostgresServer
from tournament.errors import BadDatabase
from tournament.home import Home
from tournament.store.database import Store
from tournament.store.migrations import KNOWN
from tournament.store.postgresql import VARIABLE
from tournament.store.schema import REVISION
from tournament.store.tournaments import all_tournaments

Call = Callable[..., Result]

OLD = (Path(__file__).parent / "databases" / "schema_2.sql").read_text()
"""A home that an older Cardpit made: random and first, and ``cup``, finished, with a result that was taken out."""

NEWER_TABLES = ("benchings", "test_ends", "voided_matches")
"""What schema 1 had not."""


@pytest.fixture
def nothing(database: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No table yet."""
    if database == "postgresql":
        server: PostgresServer = request.getfixturevalue("server")
        server.execute("DROP DATABASE IF EXISTS nothing")
        server.execute("CREATE DATABASE nothing")
        monkeypatch.setenv(VARIABLE, server.url("nothing"))


def make(home: Home, *statements: str) -> None:
    """Make a database as an older Cardpit did, and change it."""
    home.prepare()
    connection = sqlite3.connect(home.database)
    connection.executescript(OLD)
    connection.executescript(";".join(statements))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


@pytest.mark.usefixtures("nothing")
def test_the_migrations_make_the_tables_that_the_code_knows(home: Home) -> None:
    with Store.create(home) as store, store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
    assert KNOWN[-1] == REVISION


def test_a_missing_migration_would_be_found(home: Home) -> None:
    with Store.create(home) as store:
        with store.transaction() as connection:
            connection.execute(text("DROP INDEX seats_of_entrant"))
            connection.execute(text("ALTER TABLE tournaments ADD COLUMN more INTEGER"))
        with store.engine.connect() as connection:
            assert len(compare_metadata(MigrationContext.configure(connection), SQLModel.metadata)) == 2


@pytest.mark.parametrize("version", [1, 2])
def test_a_database_of_an_older_cardpit_is_taken_over_with_all_that_it_holds(
    call: Call, home: Home, version: int
) -> None:
    dropped = [f"DROP TABLE {table}" for table in NEWER_TABLES]
    make(home, *(dropped if version == 1 else ()), f"UPDATE schema_version SET version = {version}")
    for _ in range(2):
        rows = json.loads(call("ratings", "cup", "--format", "json").stdout)
        assert [(row["bot"], row["matches"], row["mu"]) for row in rows] == [
            ("first", 2, pytest.approx(29.20707045250691)),
            ("random", 2, pytest.approx(20.79292954749309)),
        ]
    voided = json.loads(call("matches", "cup", "--voided", "--format", "json").stdout)
    assert [row["why"] for row in voided] == (["a test"] if version == 2 else [])
    assert call("verify", "cup").exit_code == 0
    with Store.open(home) as store, store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == REVISION


@pytest.mark.parametrize("table", ["schema_version", "alembic_version"])
def test_a_database_of_a_newer_cardpit_is_refused_and_left_as_it_is(home: Home, table: str) -> None:
    make(home, "UPDATE schema_version SET version = 99")
    if table == "alembic_version":
        with sqlite3.connect(home.database) as connection:
            connection.executescript(
                "CREATE TABLE alembic_version (version_num VARCHAR(32)); INSERT INTO alembic_version VALUES (99)"
            )
        connection.close()
    before = home.database.read_bytes()
    with pytest.raises(BadDatabase, match=r"has schema 99: this Cardpit knows 1, 2, .*it belongs to a newer"):
        Store.open(home)
    assert home.database.read_bytes() == before


def test_a_migration_that_fails_leaves_the_database_as_it_was(home: Home) -> None:
    # A table of the next step is there already.
    make(home, "UPDATE schema_version SET version = 1", "DROP TABLE benchings", "DROP TABLE voided_matches")
    with pytest.raises(Exception, match="already exists"):
        Store.open(home)
    connection = sqlite3.connect(home.database)
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert {"benchings", "alembic_version"}.isdisjoint(names)
    assert connection.execute("SELECT version FROM schema_version").fetchall() == [(1,)]
    connection.close()


@pytest.mark.usefixtures("nothing")
def test_commands_that_come_at_once_make_the_tables_once(home: Home) -> None:
    home.prepare()
    code = "import sys; from tournament.cli import main; sys.stdin.read(); main()"
    words = [sys.executable, "-c", code, "--home", str(home.folder), "list"]
    if VARIABLE not in os.environ:
        home.database.touch()
    commands = [
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for command in commands:
        assert command.stdin is not None
        command.stdin.close()
        command.stdin = None
    for command in commands:
        _, err = command.communicate()
        assert (command.returncode, "no tournaments yet" in err) == (0, True), err
    with Store.open(home) as store:
        assert all_tournaments(store) == []


def test_alembic_is_not_imported_where_there_is_nothing_to_do(home: Home) -> None:
    Store.create(home).close()
    code = (
        "import sys; from pathlib import Path; from tournament.home import Home; from tournament.store import Store\n"
        "Store.open(Home(Path(sys.argv[1]))).close(); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(home.folder)], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
