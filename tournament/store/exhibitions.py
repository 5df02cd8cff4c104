"""Matches of persons against bots, in the store."""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, delete, select

from referee.orders import MatchReport, Room
from tournament.archive import compress
from tournament.errors import UnknownName
from tournament.store.accounts import User
from tournament.store.bots import label
from tournament.store.database import Store
from tournament.store.tables import Account, BotVersion, Exhibition

MOST_KEPT = 10_000
"""The newest so many are kept."""


@dataclass(frozen=True, slots=True)
class StoredExhibition:
    """A match of a person against a bot."""

    id: int
    user: str | None
    """Who played; None where nobody was logged in."""
    bot: str
    """Name and version."""
    bot_name: str
    bot_version: int
    game: str
    person_seat: int
    seed: bytes
    termination: str
    payoffs: tuple[float, ...]
    """By seat."""
    record: bytes
    timings: bytes
    finished_at: datetime


def add_exhibition(
    store: Store, user: User | None, version: BotVersion, room: Room, *, person_seat: int, report: MatchReport
) -> int:
    """Store a match that has ended in a room, and return its key."""
    assert version.id is not None, "it comes from the store"
    row = Exhibition(
        account_id=None if user is None else user.id,
        bot_version_id=version.id,
        game=room.game,
        person_seat=person_seat,
        seed=room.boards[0].seed,
        termination=report.termination.value,
        payoffs=json.dumps(report.payoffs),
        record=compress(report.record),
        timings=compress(report.timings),
    )
    with store.session() as session:
        session.add(row)
        session.flush()
        assert row.id is not None, "the store has given it"
        session.exec(delete(Exhibition).where(col(Exhibition.id) <= row.id - MOST_KEPT))
    return row.id


def find_exhibition(store: Store, key: int) -> StoredExhibition:
    """Return a match. Raises :class:`UnknownName`."""
    found = _read(store, before=key + 1, limit=1)
    if not found or found[0].id != key:
        raise UnknownName(f"unknown exhibition {key}: the newest {MOST_KEPT} are kept")
    return found[0]


def exhibitions_page(store: Store, before: int | None, limit: int) -> list[StoredExhibition]:
    """Return matches, newest first, from behind a key on."""
    return _read(store, before=before, limit=limit)


def _read(store: Store, *, before: int | None, limit: int) -> list[StoredExhibition]:
    query = (
        select(Exhibition, BotVersion, Account.name)
        .join(BotVersion, col(BotVersion.id) == col(Exhibition.bot_version_id))
        .outerjoin(Account, col(Account.id) == col(Exhibition.account_id))
        .order_by(col(Exhibition.id).desc())
        .limit(limit)
    )
    if before is not None:
        query = query.where(col(Exhibition.id) < before)
    with store.session() as session:
        rows = session.exec(query).all()
    return [
        StoredExhibition(
            id=row.id or 0,
            user=user,
            bot=label(version),
            bot_name=version.name,
            bot_version=version.version,
            game=row.game,
            person_seat=row.person_seat,
            seed=row.seed,
            termination=row.termination,
            payoffs=tuple(json.loads(row.payoffs)),
            record=row.record,
            timings=row.timings,
            finished_at=row.finished_at,
        )
        for row, version, user in rows
    ]
