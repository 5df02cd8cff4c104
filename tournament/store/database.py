"""Opening the database."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Protocol, Self

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import Session

from tournament.errors import BadHome, StoreFailed, StoreLost
from tournament.home import Home
from tournament.store.postgresql import VARIABLE, PostgresqlBackend
from tournament.store.schema import check_schema
from tournament.store.sqlite import SqliteBackend


class Backend(Protocol):
    """A kind of database: what differs between them."""

    where: str
    """How messages name the database; never with a password."""

    @property
    def exists(self) -> bool:
        """Whether there is a database to be opened."""

    def engine(self) -> Engine:
        """Return what makes connections."""

    def lock_schema(self, connection: Connection) -> None:
        """Let no other process change the tables until the transaction ends."""

    def lost(self, error: DBAPIError) -> bool:
        """Tell whether an error says that the connection is lost, and may come back."""

    def locked(self, engine: Engine, tournament: str) -> AbstractContextManager[Callable[[], None]]:
        """Hold a tournament for this process alone; yields what raises where it is held no more."""


def find_backend(home: Home) -> Backend:
    """Return the database of ``CARDPIT_DATABASE_URL``, else that of the home.

    Raises :class:`tournament.errors.BadDatabase`.
    """
    if value := os.environ.get(VARIABLE):
        return PostgresqlBackend.read(value)
    return SqliteBackend(home)


class Store:
    """An open database."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._still_held: Callable[[], None] | None = None
        self.engine = backend.engine()

    @classmethod
    def exists(cls, home: Home) -> bool:
        """Tell whether a home has a database."""
        return find_backend(home).exists

    @classmethod
    def open(cls, home: Home) -> Self:
        """Open the database of a home that exists already. Raises :class:`BadHome` where there is none."""
        backend = find_backend(home)
        if not backend.exists:
            raise BadHome(
                f"home {home.folder} has no tournaments and no bots yet: give another with --home, or submit one"
            )
        return cls._connect(backend)

    @classmethod
    def create(cls, home: Home) -> Self:
        """Open the database of a home, made if need be."""
        home.prepare()
        return cls._connect(find_backend(home))

    @classmethod
    def _connect(cls, backend: Backend) -> Self:
        store = cls(backend)
        try:
            with store.guard():
                check_schema(store.engine, backend.lock_schema, backend.where)
        except BaseException:
            store.close()
            raise
        return store

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Turn what the database raises into :class:`StoreFailed`, but for a key that is there already.

        A connection that may come back is :class:`StoreLost`.
        """
        try:
            yield
        except IntegrityError:
            raise
        except DBAPIError as error:
            kind = StoreLost if self._backend.lost(error) else StoreFailed
            reason = " ".join(str(error.orig).split())
            raise kind(f"database {self._backend.where}: {reason}: what was stored before is kept") from error

    @contextmanager
    def locked(self, tournament: str) -> Iterator[None]:
        """Hold a tournament for this process alone. Raises :class:`tournament.errors.Busy`.

        Until then every access makes sure that it is still held; where the lock was lost with the connection, it is
        taken again, or :class:`tournament.errors.Busy` raised.
        """
        with self.guard(), self._backend.locked(self.engine, tournament) as still_held:
            self._still_held = still_held
            try:
                yield
            finally:
                self._still_held = None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Hold one transaction: all of it is stored, or nothing."""
        with self._access(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Hold a session for reading or for few rows; what is added is stored when it ends well."""
        with self._access(), Session(self.engine, expire_on_commit=False) as session:
            yield session
            session.commit()

    @contextmanager
    def _access(self) -> Iterator[None]:
        with self.guard():
            if self._still_held is not None:
                self._still_held()
            yield

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
