"""Bots that come to a tournament after its start: ``tournament run --add``."""

from collections.abc import Sequence

from tournament.configuration import EntrantConfiguration
from tournament.errors import BadConfiguration
from tournament.run.sittings import schedule_of
from tournament.schedule import ScheduleError
from tournament.store.bots import find_version, label, plays
from tournament.store.database import Store
from tournament.store.entrants import add_entrants
from tournament.store.tables import BotVersion
from tournament.store.tournaments import StoredTournament


def add_newcomers(store: Store, tournament: StoredTournament, names: Sequence[str]) -> StoredTournament:
    """Return the tournament with these bots in every pool whose game they play; those that take part are left alone.

    Their pairings stand behind all others, so that whatever was played stays as it is. Raises
    :class:`tournament.errors.WrongUse` where a bot plays none of the games, or the schedule takes no newcomers.
    """
    versions = [find_version(store, name) for name in names]
    newcomers = {
        pool.number: [
            version
            for version in {each.id: each for each in versions}.values()
            if plays(version, pool.game) and version.id not in {known.id for known in pool.versions}
        ]
        for pool in tournament.pools
    }
    for version in versions:
        if not any(plays(version, pool.game) for pool in tournament.pools):
            games = " or ".join(pool.game for pool in tournament.pools)
            raise BadConfiguration(f"--add {label(version)}: it does not play {games}, which {tournament.name} is of")
    if not any(newcomers.values()):
        return tournament
    _check_growth(tournament, newcomers)
    pools = tuple(
        pool.configuration.model_copy(
            update={"bots": (*pool.configuration.bots, *map(_entrant, newcomers[pool.number]))}
        )
        for pool in tournament.pools
    )
    return add_entrants(store, tournament, tournament.configuration.model_copy(update={"pools": pools}), newcomers)


def _check_growth(tournament: StoredTournament, newcomers: dict[int, list[BotVersion]]) -> None:
    if tournament.configuration.sprt is not None:
        raise BadConfiguration(f"--add: {tournament.name} is a test between two bots, which takes no other")
    for pool in tournament.pools:
        if newcomers[pool.number]:
            try:
                schedule_of(tournament, pool).newcomer(len(pool.versions), tournament.seed)
            except ScheduleError as error:
                held = f"{pool.game} of {tournament.name} is held as {pool.configuration.schedule}"
                raise BadConfiguration(f"--add: {held}: {error}") from None


def _entrant(version: BotVersion) -> EntrantConfiguration:
    return EntrantConfiguration(bot=version.name, version=version.version, bundle_hash=version.bundle_hash, added=True)
