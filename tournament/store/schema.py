"""Which tables a database has: checked whenever it is opened, and brought up to date by the migrations."""

from collections.abc import Callable

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from tournament.errors import BadDatabase

REVISION = "5"
"""The newest of ``tournament.store.migrations``: that of the tables of :mod:`tournament.store.tables`."""


def check_schema(engine: Engine, lock: Callable[[Connection], None], where: str) -> None:
    """Bring the tables of a database up to date. Raises :class:`BadDatabase` where a newer Cardpit has made them.

    ``lock`` keeps other processes from doing the same at once; ``where`` names the database in messages.
    """
    try:
        with engine.connect() as connection:
            revision = _revision(connection)
    except DBAPIError:
        # Most likely it has no such table yet. Anything else comes up again.
        revision = None
    if revision == REVISION:
        return
    # Alembic takes a quarter of a second to import: it is for the few times when there is something to do.
    from tournament.store.migrations import KNOWN, upgrade

    with engine.begin() as connection:
        lock(connection)
        found = set(inspect(connection).get_table_names())
        if "alembic_version" in found:
            revision = _revision(connection)
        elif "schema_version" in found:
            # Up to revision 2 the tables were made without Alembic.
            revision = str(connection.execute(text("SELECT version FROM schema_version")).scalar())
        if revision is not None and revision not in KNOWN:
            raise BadDatabase(
                f"database {where} has schema {revision}: this Cardpit knows {', '.join(KNOWN)}; "
                "it belongs to a newer Cardpit"
            )
        upgrade(connection, revision)


def _revision(connection: Connection) -> str | None:
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
