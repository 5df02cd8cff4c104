"""Bots, tournaments, and the results of matches."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "bot_versions",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("bundle_hash", sa.String(64), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("name", "version"),
        sa.UniqueConstraint("name", "bundle_hash"),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False, unique=True),
        sa.Column("configuration", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
    )
    op.create_table(
        "pools",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey("tournaments.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.UniqueConstraint("tournament_id", "number"),
        sa.UniqueConstraint("tournament_id", "game"),
    )
    op.create_table(
        "entrants",
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("bot_version_id", sa.Integer(), sa.ForeignKey("bot_versions.id"), nullable=False),
    )
    op.create_index("ix_entrants_bot_version_id", "entrants", ["bot_version_id"])
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), nullable=False),
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("room", sa.Integer(), nullable=False),
        sa.Column("termination", sa.String(20), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("lag_time", sa.Float(), nullable=False),
        sa.Column("record_hash", sa.LargeBinary(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("pool_id", "pairing", "board", "room"),
    )
    op.create_table(
        "seats",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("payoff", sa.Float(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("margin", sa.Integer(), nullable=False),
        sa.Column("strikes", sa.Integer(), nullable=False),
        sa.Column("timeouts", sa.Integer(), nullable=False),
        sa.Column("termination", sa.String(20), nullable=False),
        sa.Column("used_time", sa.Float(), nullable=False),
    )
    op.create_index("seats_of_entrant", "seats", ["pool_id", "entrant", "match_id"])
    op.create_table(
        "records",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("timings", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "faults",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("termination", sa.String(20), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("last_turn", sa.LargeBinary(), nullable=False),
        sa.Column("log", sa.Text(), nullable=False),
    )
    op.create_table(
        "boards",
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), primary_key=True),
        sa.Column("pairing", sa.Integer(), primary_key=True),
        sa.Column("board", sa.Integer(), primary_key=True),
        sa.Column("scores", sa.LargeBinary(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "room_logs",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), nullable=False),
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("room", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("log", sa.Text(), nullable=False),
    )
    op.create_index("room_logs_of_room", "room_logs", ["pool_id", "pairing", "room"])
    op.create_table(
        "platform_failures",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("pool_id", sa.Integer(), sa.ForeignKey("pools.id"), nullable=False),
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("room", sa.Integer(), nullable=False),
        sa.Column("boards", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("pool_id", "pairing", "room"),
    )
