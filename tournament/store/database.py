"""Opening the database."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, SQLModel

from tournament.errors import BadHome, StoreFailed
from tournament.home import Home
from tournament.store import tables

log = logging.getLogger(__name__)

BUSY_TIME = 30.0
"""Seconds to wait for another process that writes."""


def _prepare_connection(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    # Readers never wait in WAL mode. NORMAL may lose the last transactions when the machine loses power, never when a
    # process is killed; they are then played again.
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


class Store:
    """An open database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @classmethod
    def open(cls, home: Home) -> Self:
        """Open the database of a home that exists already. Raises :class:`BadHome` where there is none."""
        if not home.database.exists():
            raise BadHome(
                f"home {home.folder} has no tournaments and no bots yet: give another with --home, or submit one"
            )
        return cls._connect(home)

    @classmethod
    def create(cls, home: Home) -> Self:
        """Open the database of a home, made if need be."""
        home.prepare()
        return cls._connect(home)

    @classmethod
    def _connect(cls, home: Home) -> Self:
        engine = create_engine(f"sqlite:///{home.database}", connect_args={"timeout": BUSY_TIME})
        event.listen(engine, "connect", _prepare_connection)
        store = cls(engine)
        with store.guard():
            try:
                store._check_schema(home)
            except BaseException:
                engine.dispose()
                raise
        return store

    def _check_schema(self, home: Home) -> None:
        with self.engine.begin() as connection:
            known = inspect(connection).get_table_names()
            if not known:
                # Two commands may come here at once: the second waits for the first, then finds the tables.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                SQLModel.metadata.create_all(connection)
                if connection.execute(select(tables.SchemaVersion)).first() is None:
                    connection.execute(
                        SQLModel.metadata.tables["schema_version"].insert(), {"version": tables.SCHEMA_VERSION}
                    )
                return
            version = 0
            if "schema_version" in known:
                version = connection.execute(select(SQLModel.metadata.tables["schema_version"].c.version)).scalar() or 0
            if version in tables.EXTENDED_VERSIONS:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                SQLModel.metadata.create_all(connection)
                connection.execute(
                    SQLModel.metadata.tables["schema_version"].update().values(version=tables.SCHEMA_VERSION)
                )
            elif version != tables.SCHEMA_VERSION:
                raise BadHome(
                    f"database {home.database} has schema version {version}: this Cardpit reads {tables.SCHEMA_VERSION}"
                )

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Turn what the database raises into :class:`StoreFailed`, but for a key that is there already."""
        try:
            yield
        except IntegrityError:
            raise
        except DatabaseError as error:
            raise StoreFailed(
                f"database {self.engine.url.database}: {error.orig}: what was stored before is kept"
            ) from error

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Hold one transaction: all of it is stored, or nothing."""
        with self.guard(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Hold a session for reading or for few rows; what is added is stored when it ends well."""
        with self.guard(), Session(self.engine, expire_on_commit=False) as session:
            yield session
            session.commit()

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
