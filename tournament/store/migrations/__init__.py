"""The steps that make the tables of a database, and bring older ones up to date: Alembic's, in ``versions``.

A change of :mod:`tournament.store.tables` needs a new file there, and its number as
``tournament.store.schema.REVISION``.
"""

from pathlib import Path

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

SCRIPTS = ScriptDirectory(str(Path(__file__).parent))

KNOWN = tuple(script.revision for script in SCRIPTS.walk_revisions())[::-1]
"""Every revision, oldest first."""


def upgrade(connection: Connection, revision: str | None) -> None:
    """Make the newest tables out of those of an older revision, or of none, within the transaction that is open."""
    context = MigrationContext.configure(connection, opts={"fn": lambda now, _: SCRIPTS._upgrade_revs("head", now)})
    if revision is not None:
        context.stamp(SCRIPTS, revision)
    with Operations.context(context):
        context.run_migrations()
