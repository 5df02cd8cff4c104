"""The tables of the store.

``boards`` is derived from ``matches`` and ``seats`` and written in the same transaction as the match that completes a
board: ratings and crosstables read it alone, so that a million matches cost them one short row a board.

Every change here needs a migration: see :mod:`tournament.store.migrations`.
"""

from datetime import UTC, datetime

import sqlalchemy
from sqlalchemy import Dialect, TypeDecorator
from sqlmodel import Field, Index, LargeBinary, SQLModel, UniqueConstraint


def now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


class Text(TypeDecorator[str]):
    """Text of any length. A NUL character, which PostgreSQL cannot hold and bots may write, becomes a sign for it."""

    impl = sqlalchemy.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text as it is stored."""
        return value and value.replace("\0", "\N{SYMBOL FOR NULL}")


class BotVersion(SQLModel, table=True):
    """One immutable submission of a bot."""

    __tablename__ = "bot_versions"
    __table_args__ = (UniqueConstraint("name", "version"), UniqueConstraint("name", "bundle_hash"))

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=40)
    version: int
    """From 1."""
    description: str = Field(sa_type=Text)
    command: str = Field(sa_type=Text)
    """The words as JSON."""
    games: str = Field(sa_type=Text)
    """The ids of the games it plays, as JSON; an empty list means all."""
    bundle_hash: str = Field(max_length=64)
    submitted_at: datetime = Field(default_factory=now)


class Tournament(SQLModel, table=True):
    """A tournament and its configuration."""

    __tablename__ = "tournaments"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=40, unique=True)
    configuration: str = Field(sa_type=Text)
    """A ``tournament.configuration.Configuration`` as JSON."""
    seed: bytes = Field(sa_type=LargeBinary)
    """32 bytes, shown to nobody before the end."""
    commitment: str = Field(max_length=64)
    """SHA-256 of the seed, in hexadecimal."""
    created_at: datetime = Field(default_factory=now)
    finished_at: datetime | None = None
    """When every match had been played; empty until then."""


class Pool(SQLModel, table=True):
    """One game of a tournament: what is rated in one table."""

    __tablename__ = "pools"
    __table_args__ = (UniqueConstraint("tournament_id", "number"), UniqueConstraint("tournament_id", "game"))

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    number: int
    """From 0, in the order of the configuration."""
    game: str = Field(max_length=40)
    seats: int


class Entrant(SQLModel, table=True):
    """A bot version in a pool."""

    __tablename__ = "entrants"

    pool_id: int = Field(foreign_key="pools.id", primary_key=True)
    number: int = Field(primary_key=True)
    """Its number in the schedule, from 0."""
    bot_version_id: int = Field(foreign_key="bot_versions.id", index=True)


class Match(SQLModel, table=True):
    """A match that has ended. The unique key makes a second result for it impossible."""

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("pool_id", "pairing", "board", "room"),
        Index("matches_of_board", "pool_id", "board", "pairing", "room"),
    )

    id: int | None = Field(default=None, primary_key=True)
    pool_id: int = Field(foreign_key="pools.id")
    pairing: int
    board: int
    room: int
    termination: str = Field(max_length=20)
    decisions: int
    """How many actions were applied, of all seats."""
    lag_time: float
    """How late the referee itself was, in seconds: 99 % of its looks at the clock were not later."""
    record_hash: bytes = Field(sa_type=LargeBinary)
    """SHA-256 of the record before compression."""
    finished_at: datetime = Field(default_factory=now)


class Seat(SQLModel, table=True):
    """The result of a match for one seat."""

    __tablename__ = "seats"
    __table_args__ = (Index("seats_of_entrant", "pool_id", "entrant", "match_id"),)

    match_id: int = Field(foreign_key="matches.id", primary_key=True)
    seat: int = Field(primary_key=True)
    pool_id: int = Field(foreign_key="pools.id")
    entrant: int
    """The number of the bot version in its pool."""
    payoff: float
    place: int
    margin: int
    strikes: int
    timeouts: int
    """How many of the strikes were late answers."""
    termination: str = Field(max_length=20)
    used_time: float
    """Seconds used for all decisions."""


class MatchRecord(SQLModel, table=True):
    """The record of a match, compressed with zstandard."""

    __tablename__ = "records"

    match_id: int = Field(foreign_key="matches.id", primary_key=True)
    record: bytes = Field(sa_type=LargeBinary)
    timings: bytes = Field(sa_type=LargeBinary)


class Fault(SQLModel, table=True):
    """The verdict on a seat at fault."""

    __tablename__ = "faults"

    match_id: int = Field(foreign_key="matches.id", primary_key=True)
    seat: int = Field(primary_key=True)
    termination: str = Field(max_length=20)
    detail: str = Field(sa_type=Text)
    last_turn: bytes = Field(sa_type=LargeBinary)
    """The last ``cardpit.v1.Turn`` that the seat was sent; empty if it had none."""
    log: str = Field(sa_type=Text)


class BoardScore(SQLModel, table=True):
    """A board that was played in every rotation."""

    __tablename__ = "boards"
    # The rows of a pool lie together, so that reading all of them is one sweep.
    __table_args__ = {"sqlite_with_rowid": False}

    pool_id: int = Field(foreign_key="pools.id", primary_key=True)
    pairing: int = Field(primary_key=True)
    board: int = Field(primary_key=True)
    scores: bytes = Field(sa_type=LargeBinary)
    """One ``tournament.scores.SCORE`` for each bot, in the order of the pairing."""


class RoomLog(SQLModel, table=True):
    """What the bot in a seat wrote in a room, or in one part of it."""

    __tablename__ = "room_logs"
    __table_args__ = (Index("room_logs_of_room", "pool_id", "pairing", "room"),)

    id: int | None = Field(default=None, primary_key=True)
    pool_id: int = Field(foreign_key="pools.id")
    pairing: int
    room: int
    seat: int
    log: str = Field(sa_type=Text)


class PlatformFailure(SQLModel, table=True):
    """Matches of a room that the platform could not play. They are played again when the tournament is run again."""

    __tablename__ = "platform_failures"
    __table_args__ = (UniqueConstraint("pool_id", "pairing", "room"),)

    id: int | None = Field(default=None, primary_key=True)
    pool_id: int = Field(foreign_key="pools.id")
    pairing: int
    room: int
    boards: str = Field(sa_type=Text)
    """The numbers of the boards, as JSON."""
    detail: str = Field(sa_type=Text)
    failed_at: datetime = Field(default_factory=now)


class Benching(SQLModel, table=True):
    """A bot version that plays no more in a pool after too many faults in a row."""

    __tablename__ = "benchings"

    pool_id: int = Field(foreign_key="pools.id", primary_key=True)
    entrant: int = Field(primary_key=True)
    pairing: int = Field(primary_key=True)
    """With board and room: the match of the last of these faults."""
    board: int = Field(primary_key=True)
    room: int = Field(primary_key=True)
    benched_at: datetime = Field(default_factory=now)
    lifted_at: datetime | None = None
    """When the organiser let it play again; its faults up to that match count no more."""


class TestEnd(SQLModel, table=True):
    """Where a sequential test has ended: the last board that is played."""

    __tablename__ = "test_ends"

    pool_id: int = Field(foreign_key="pools.id", primary_key=True)
    board: int


class VoidedMatch(SQLModel, table=True):
    """A result that was taken out, with the reason. The match itself may have been played again since."""

    __tablename__ = "voided_matches"
    __table_args__ = (Index("voided_matches_of_pool", "pool_id", "pairing", "board", "room"),)

    id: int | None = Field(default=None, primary_key=True)
    pool_id: int = Field(foreign_key="pools.id")
    pairing: int
    board: int
    room: int
    why: str = Field(sa_type=Text)
    termination: str = Field(max_length=20)
    payoffs: str = Field(sa_type=Text)
    """By seat, as JSON."""
    record_hash: bytes = Field(sa_type=LargeBinary)
    record: bytes = Field(sa_type=LargeBinary)
    """Compressed with zstandard; empty where it was missing."""
    finished_at: datetime
    voided_at: datetime = Field(default_factory=now)


class Account(SQLModel, table=True):
    """Somebody who may do more with the page than look at it."""

    __tablename__ = "accounts"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=40, unique=True)
    role: str = Field(max_length=20)
    """A value of ``tournament.store.accounts.Role``."""
    token_hash: str | None = Field(default=None, max_length=64, unique=True)
    """SHA-256 of the token, in hexadecimal; empty where it was revoked."""
    created_at: datetime = Field(default_factory=now)


class BotOwner(SQLModel, table=True):
    """Whose a bot is: who submitted its first version over the network."""

    __tablename__ = "bot_owners"

    bot: str = Field(max_length=40, primary_key=True)
    account_id: int = Field(foreign_key="accounts.id", index=True)


class Submission(SQLModel, table=True):
    """An archive that was handed in over the network, and what became of it."""

    __tablename__ = "submissions"
    __table_args__ = (Index("submissions_of_account", "account_id", "submitted_at"),)

    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="accounts.id")
    bot: str = Field(max_length=40)
    """The name it was handed in under; empty until the archive has been read."""
    size: int
    """Bytes of the archive."""
    status: str = Field(max_length=20, index=True)
    """A value of ``tournament.store.submissions.Status``."""
    log: str = Field(default="", sa_type=Text)
    """What was said while it was built and tried, once that has ended."""
    bot_version_id: int | None = Field(default=None, foreign_key="bot_versions.id")
    """What it became, where it was accepted."""
    submitted_at: datetime = Field(default_factory=now)
    ended_at: datetime | None = None


class Exhibition(SQLModel, table=True):
    """A match of a person against a bot. It counts for nothing."""

    __tablename__ = "exhibitions"

    id: int | None = Field(default=None, primary_key=True)
    account_id: int | None = Field(default=None, foreign_key="accounts.id")
    """Whose match it is; empty where nobody was logged in."""
    bot_version_id: int = Field(foreign_key="bot_versions.id")
    game: str = Field(max_length=40)
    person_seat: int
    seed: bytes = Field(sa_type=LargeBinary)
    """The board's: 32 bytes."""
    termination: str = Field(max_length=20)
    payoffs: str = Field(sa_type=Text)
    """By seat, as JSON."""
    record: bytes = Field(sa_type=LargeBinary)
    """Compressed with zstandard."""
    timings: bytes = Field(sa_type=LargeBinary)
    finished_at: datetime = Field(default_factory=now)
