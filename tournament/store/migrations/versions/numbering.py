"""Databases are numbered by Alembic's own table."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Take out the table that held the number before."""
    if sa.inspect(op.get_bind()).has_table("schema_version"):
        op.drop_table("schema_version")
