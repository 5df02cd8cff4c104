"""The database on a PostgreSQL server, for coordinators and pages on several machines."""

import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from threading import Lock
from typing import Self

from sqlalchemy import URL, Connection, Engine, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from tournament.errors import BadDatabase, Busy

VARIABLE = "CARDPIT_DATABASE_URL"
"""The environment variable that says where the database is."""

ALLOWED = "allowed is postgresql://user:password@host:port/database; without it the database is a file of the home"

CONNECTION = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "tcp_user_timeout": "30000",
}
"""Options of libpq, where the address has no others: a server that is gone is noticed within half a minute."""

LOST = ("08", "57P01", "57P02", "57P03")
"""SQLSTATEs that say that the connection is lost, or the server not ready; they may be the beginning of one."""


class PostgresqlBackend:
    """A database for the processes of many machines."""

    def __init__(self, url: URL) -> None:
        query = {key: value for key, value in CONNECTION.items() if key not in url.query}
        query["application_name"] = f"cardpit {os.getpid()} {socket.gethostname()}"
        self._url = url.set(drivername="postgresql+psycopg").update_query_dict(query)
        self.where = hide_password(url.set(drivername="postgresql").render_as_string(hide_password=True))

    @classmethod
    def read(cls, value: str) -> Self:
        """Return the database of an address. Raises :class:`BadDatabase`."""
        try:
            url = make_url(value)
        except (ArgumentError, ValueError):
            raise BadDatabase(f"{VARIABLE} {hide_password(value)!r} is no address: {ALLOWED}") from None
        if url.drivername not in ("postgresql", "postgresql+psycopg"):
            raise BadDatabase(f"{VARIABLE} {hide_password(value)!r}: {ALLOWED}")
        if find_spec("psycopg") is None:
            raise BadDatabase(
                f"{VARIABLE} {hide_password(value)!r}: PostgreSQL needs psycopg: "
                'pip install "cardpit-platform[postgresql]"'
            )
        return cls(url)

    @property
    def exists(self) -> bool:
        """Return True: a server's database is made by its owner."""
        return True

    def engine(self) -> Engine:
        """Return what connects to the server."""
        return create_engine(self._url, pool_pre_ping=True)

    def lock_schema(self, connection: Connection) -> None:
        """Wait until no other process changes the tables, and let none do so until the transaction ends."""
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _key("schema")})

    def lost(self, error: DBAPIError) -> bool:
        """Tell whether the connection is lost, or none could be had: it may come back."""
        state = getattr(error.orig, "sqlstate", None)
        return error.connection_invalidated or (state or "08").startswith(LOST)

    @contextmanager
    def locked(self, engine: Engine, tournament: str) -> Iterator[Callable[[], None]]:
        """Hold a tournament for this process alone, among those of all machines.

        Yields what makes sure that it is still held: the server lets go of it when the connection is lost.
        Both raise :class:`tournament.errors.Busy`.
        """
        lock = _TournamentLock(engine, tournament)
        lock.ensure()
        try:
            yield lock.ensure
        finally:
            lock.release()


class _TournamentLock:
    """An advisory lock of the server, which belongs to one connection."""

    def __init__(self, engine: Engine, tournament: str) -> None:
        self._engine = engine
        self._tournament = tournament
        self._key = _key(f"tournament/{tournament}")
        self._connection: Connection | None = None
        self._mutex = Lock()

    def ensure(self) -> None:
        with self._mutex:
            if self._connection is not None:
                try:
                    self._connection.exec_driver_sql("SELECT 1")
                except DBAPIError:
                    self._connection.close()
                    self._connection = None
                    raise
                return
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            try:
                if not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": self._key}).scalar_one():
                    raise Busy(
                        f"tournament {self._tournament} is being run by {self._holder(connection)}: "
                        "wait for its end or stop it, then run the same command again"
                    )
            except BaseException:
                connection.close()
                raise
            self._connection = connection

    def release(self) -> None:
        if self._connection is not None:
            # The server ends a session some time after its connection; another run may begin at once.
            with suppress(DBAPIError):
                self._connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": self._key})
            # A connection that goes back to the pool would keep a lock.
            self._connection.invalidate()
            self._connection.close()

    def _holder(self, connection: Connection) -> str:
        query = text(
            "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'"
            " AND granted AND ((classid::bigint << 32) | objid::bigint) = :key AND objsubid = 1"
        )
        name = connection.execute(query, {"key": self._key}).scalar() or ""
        match name.split(" ", 2):
            case ["cardpit", process, host]:
                return f"process {process} on {host}"
        return "another process"


def hide_password(value: str) -> str:
    """Return an address, well formed or not, without its password."""
    return re.sub(r"(password=)[^&]*", r"\1***", re.sub(r":(?!/).*@", ":***@", value))


def _key(name: str) -> int:
    """Return the number of an advisory lock."""
    return int.from_bytes(sha256(f"cardpit/{name}".encode()).digest()[:8], "big", signed=True)
