"""What was handed in over the network, in the store: who, when, what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import ColumnElement
from sqlmodel import col, func, select

from tournament.errors import UnknownName
from tournament.store.accounts import User, as_user
from tournament.store.database import Store
from tournament.store.tables import Account, BotVersion, Submission, now


class Status(StrEnum):
    """How far a submission is."""

    WAITING = "waiting"
    RUNNING = "running"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    """It is no bundle, it could not be built, or its bot did not get through."""
    FAILED = "failed"
    """The platform could not try it: it may be submitted again."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will become of it."""
        return self not in OPEN


OPEN = (Status.WAITING, Status.RUNNING)


@dataclass(frozen=True, slots=True)
class StoredSubmission:
    """A submission with the names of what belongs to it."""

    id: int
    user: User
    bot: str
    """Empty until the archive has been read."""
    version: int | None
    """What it became, where it was accepted."""
    size: int
    """Bytes of the archive."""
    status: Status
    log: str
    """Empty until it has ended."""
    submitted_at: datetime


@dataclass(frozen=True, slots=True)
class Counts:
    """How many submissions an account has."""

    waiting: int
    """Neither accepted nor refused yet."""
    minute: int
    """Of the last minute."""
    day: int
    """Of the last 24 hours."""


def counts_of(store: Store, user: User) -> Counts:
    """Return how many submissions a user has."""
    mine = select(func.count()).where(Submission.account_id == user.id)
    with store.session() as session:
        return Counts(
            session.exec(mine.where(col(Submission.status).in_(OPEN))).one(),
            session.exec(mine.where(col(Submission.submitted_at) > now() - timedelta(minutes=1))).one(),
            session.exec(mine.where(col(Submission.submitted_at) > now() - timedelta(days=1))).one(),
        )


def add_submission(store: Store, user: User, bot: str, size: int) -> int:
    """Store a submission that waits, and return its key."""
    row = Submission(account_id=user.id, bot=bot, size=size, status=Status.WAITING)
    with store.session() as session:
        session.add(row)
    assert row.id is not None, "the store has given it"
    return row.id


def find_submission(store: Store, key: int) -> StoredSubmission:
    """Return a submission. Raises :class:`UnknownName`."""
    rows = _read(store, col(Submission.id) == key)
    if not rows:
        raise UnknownName(f"unknown submission {key}")
    return rows[0]


def submissions_page(store: Store, user: User, before: int | None, limit: int) -> list[StoredSubmission]:
    """Return the submissions that a user may see, newest first, from behind a key on: his own; an organiser all."""
    conditions = [] if user.organiser else [col(Submission.account_id) == user.id]
    if before is not None:
        conditions.append(col(Submission.id) < before)
    return _read(store, *conditions, limit=limit)


def waiting(store: Store) -> list[int]:
    """Return the keys of the submissions that wait, oldest first."""
    query = select(Submission.id).where(Submission.status == Status.WAITING).order_by(col(Submission.id))
    with store.session() as session:
        return [key for key in session.exec(query) if key is not None]


def running(store: Store) -> list[int]:
    """Return the keys of the submissions that are being tried, or were when their server stopped."""
    with store.session() as session:
        return [key for key in session.exec(select(Submission.id).where(Submission.status == Status.RUNNING)) if key]


def set_status(store: Store, key: int, status: Status, log: str = "") -> None:
    """Say how far a submission is; with its log, once it has ended."""
    with store.session() as session:
        row = session.get_one(Submission, key)
        row.status, row.log = status, log
        row.ended_at = now() if status.ended else None
        session.add(row)


def set_bot(store: Store, key: int, bot: str, version: BotVersion | None = None) -> None:
    """Say which bot a submission is, and which version it became."""
    with store.session() as session:
        row = session.get_one(Submission, key)
        row.bot = bot
        row.bot_version_id = None if version is None else version.id
        session.add(row)


def _read(store: Store, *conditions: ColumnElement[bool], limit: int = 1) -> list[StoredSubmission]:
    query = (
        select(Submission, Account, BotVersion.version)
        .join(Account, col(Account.id) == col(Submission.account_id))
        .outerjoin(BotVersion, col(BotVersion.id) == col(Submission.bot_version_id))
        .where(*conditions)
        .order_by(col(Submission.id).desc())
        .limit(limit)
    )
    with store.session() as session:
        rows: Sequence[tuple[Submission, Account, int | None]] = session.exec(query).all()
    return [
        StoredSubmission(
            id=row.id or 0,
            user=as_user(account),
            bot=row.bot,
            version=version,
            size=row.size,
            status=Status(row.status),
            log=row.log,
            submitted_at=row.submitted_at,
        )
        for row, account, version in rows
    ]
