"""An index for pages of the matches on one board."""

from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Add the index."""
    op.create_index("matches_of_board", "matches", ["pool_id", "board", "pairing", "room"])
