"""The database as a file of the home: SQLite."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from tournament.home import Home

BUSY_TIME = 30.0
"""Seconds to wait for another process that writes."""


class SqliteBackend:
    """A database for the processes of one machine."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self.where = str(home.database)

    @property
    def exists(self) -> bool:
        """Whether the file has been made."""
        return self._home.database.exists()

    def engine(self) -> Engine:
        """Return what opens the file; where it cannot be written, for reading alone."""
        path = self._home.database
        if path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
            # A writer may come at any time: each connection looks again how the file is to be read.
            return create_engine("sqlite://", creator=lambda: _connect_to_read(path), poolclass=NullPool)
        engine = create_engine(URL.create("sqlite", database=str(path)), connect_args={"timeout": BUSY_TIME})
        event.listen(engine, "connect", _prepare_connection)
        return engine

    def lock_schema(self, connection: Connection) -> None:
        """Begin to write: other processes wait until the transaction ends."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def lost(self, error: DBAPIError) -> bool:
        """Return False: a file that fails does not come back by itself."""
        return False

    @contextmanager
    def locked(self, engine: Engine, tournament: str) -> Iterator[Callable[[], None]]:
        """Hold a tournament for this process alone. Raises :class:`tournament.errors.Busy`."""
        with self._home.locked(tournament):
            yield _held


def _held() -> None:
    """Do nothing: the kernel takes no lock away from a process that lives."""


def _prepare_connection(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    # Readers never wait in WAL mode. NORMAL may lose the last transactions when the machine loses power, never when a
    # process is killed; they are then played again.
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _connect_to_read(path: Path) -> sqlite3.Connection:
    # Without a writer there is no write-ahead log, and none can be made here: the file is all there is to read.
    alone = "" if path.with_name(path.name + "-wal").exists() else "&immutable=1"
    uri = f"file:{quote(str(path))}?mode=ro{alone}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_TIME, check_same_thread=False)
