"""What ends the play of bots before their time, and results that are taken out."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "benchings",
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), primary_key=True),
        sa.Column("entrant", sa.Integer(), primary_key=True),
        sa.Column("pairing", sa.Integer(), primary_key=True),
        sa.Column("board", sa.Integer(), primary_key=True),
        sa.Column("room", sa.Integer(), primary_key=True),
        sa.Column("benched_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lifted_at", sa.DateTime(timezone=True)),
    )
    op.create_table(
        "test_ends",
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), primary_key=True),
        sa.Column("board", sa.Integer(), nullable=False),
    )
    op.create_table(
        "voided_matches",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), nullable=False),
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("room", sa.Integer(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("termination", sa.String(20), nullable=False),
        sa.Column("payoffs", sa.Text(), nullable=False),
        sa.Column("record_hash", sa.LargeBinary(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("voided_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("voided_matches_of_pool", "voided_matches", ["pool_id", "pairing", "board", "room"])
