"""Bots that are submitted while a tournament goes on: ``tournament run --watch`` takes them in."""

from sqlmodel import col, select

from tournament.errors import BadConfiguration
from tournament.run.sittings import schedule_of
from tournament.schedule import ScheduleError
from tournament.store.bots import plays
from tournament.store.database import Store
from tournament.store.tables import BotVersion, Tournament
from tournament.store.tournaments import StoredTournament

LOOK_TIME = 1.0
"""Seconds between two looks for new versions."""


def check_watch(tournament: StoredTournament) -> None:
    """Refuse a tournament that takes no bots after its start. Raises :class:`BadConfiguration`."""
    if tournament.configuration.sprt is not None:
        raise BadConfiguration(f"--watch: {tournament.name} is a test between two bots, which takes no other")
    for pool in tournament.pools:
        try:
            schedule_of(tournament, pool).newcomer(len(pool.versions), tournament.seed)
        except ScheduleError as error:
            held = f"{pool.game} of {tournament.name} is held as {pool.configuration.schedule}"
            raise BadConfiguration(f"--watch: {held}: {error}") from None


def latecomers(store: Store, tournament: StoredTournament) -> list[str]:
    """Return the versions that were accepted since a tournament began and are not in it yet, oldest first.

    They are named as ``--add`` takes them. A version that plays none of its games is none.
    """
    begun = select(Tournament.created_at).where(Tournament.id == tournament.id).scalar_subquery()
    query = select(BotVersion).where(col(BotVersion.submitted_at) > begun).order_by(col(BotVersion.id))
    with store.session() as session:
        found = list(session.exec(query))
    return [
        f"{version.name}@{version.version}"
        for version in found
        if any(
            plays(version, pool.game) and version.id not in {known.id for known in pool.versions}
            for pool in tournament.pools
        )
    ]
