"""Bots that come to a tournament after its start, in the store."""

from collections.abc import Mapping, Sequence

from sqlmodel import col, update

from tournament.configuration import Configuration
from tournament.store.database import Store
from tournament.store.tables import BotVersion, Entrant, Tournament
from tournament.store.tournaments import StoredTournament, find_tournament, mark_unfinished


def add_entrants(
    store: Store,
    tournament: StoredTournament,
    configuration: Configuration,
    newcomers: Mapping[int, Sequence[BotVersion]],
) -> StoredTournament:
    """Store the grown configuration, and the newcomers of each pool by its number, all or nothing.

    They are numbered behind the bots of the pool; the tournament is unfinished then.
    """
    with store.session() as session:
        session.exec(
            update(Tournament)
            .where(col(Tournament.id) == tournament.id)
            .values(configuration=configuration.model_dump_json())
        )
        for pool in tournament.pools:
            for number, version in enumerate(newcomers.get(pool.number, ()), len(pool.versions)):
                assert version.id is not None, "a stored row has a key"
                session.add(Entrant(pool_id=pool.id, number=number, bot_version_id=version.id))
        mark_unfinished(session, tournament)
    return find_tournament(store, tournament.name)
