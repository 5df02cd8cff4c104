"""Tournaments and their pools in the store."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from cardpit.games.seeds import commitment
from tournament.configuration import Configuration, PoolConfiguration
from tournament.errors import unknown
from tournament.store.bots import all_versions
from tournament.store.database import Store
from tournament.store.tables import BotVersion, Entrant, Pool, Tournament, now


@dataclass(frozen=True, slots=True)
class StoredPool:
    """One game of a tournament."""

    id: int
    """Its key in the store."""
    number: int
    configuration: PoolConfiguration
    versions: tuple[BotVersion, ...]
    """The bot versions by their number in the schedule."""

    @property
    def game(self) -> str:
        """The id of its game."""
        return self.configuration.game

    @property
    def seats(self) -> int:
        """How many bots meet at a table."""
        return self.configuration.seats

    @property
    def labels(self) -> tuple[str, ...]:
        """Name and version of each entrant."""
        return tuple(f"{version.name} {version.version}" for version in self.versions)

    @property
    def time_odds(self) -> dict[int, tuple[float, float]]:
        """Move time and bank time in seconds of the entrants that do not have everybody's, by their number."""
        odds = ((number, bot.time_odds) for number, bot in enumerate(self.configuration.bots))
        return {number: times for number, times in odds if times is not None}


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament with all that is known before its first match."""

    id: int
    name: str
    configuration: Configuration
    seed: bytes
    """Shown to nobody before the end."""
    commitment: str
    pools: tuple[StoredPool, ...]
    finished: bool

    def pool(self, game: str) -> StoredPool:
        """Return the pool of a game. Raises :class:`tournament.errors.UnknownName`."""
        for pool in self.pools:
            if pool.game == game:
                return pool
        raise unknown(f"game of tournament {self.name}", game, [pool.game for pool in self.pools])


def add_tournament(store: Store, configuration: Configuration, seed: bytes) -> StoredTournament:
    """Store a new tournament, its pools and entrants in one transaction."""
    versions = {(v.name, v.version): v for v in all_versions(store)}
    with store.session() as session:
        tournament = Tournament(
            name=configuration.name,
            configuration=configuration.model_dump_json(),
            seed=seed,
            commitment=commitment(seed).hex(),
        )
        session.add(tournament)
        session.flush()
        for number, settings in enumerate(configuration.pools):
            pool = Pool(tournament_id=_key(tournament.id), number=number, game=settings.game, seats=settings.seats)
            session.add(pool)
            session.flush()
            for entrant, choice in enumerate(settings.bots):
                version = versions[choice.bot, choice.version]
                session.add(Entrant(pool_id=_key(pool.id), number=entrant, bot_version_id=_key(version.id)))
    return find_tournament(store, configuration.name)


def tournament_names(store: Store) -> list[str]:
    """Return the names of all tournaments, newest first."""
    with store.session() as session:
        return list(session.exec(select(Tournament.name).order_by(col(Tournament.id).desc())))


def all_tournaments(store: Store) -> list[Tournament]:
    """Return all tournaments, newest first."""
    with store.session() as session:
        return list(session.exec(select(Tournament).order_by(col(Tournament.id).desc())))


def find_tournament(store: Store, name: str) -> StoredTournament:
    """Return the tournament of this name. Raises :class:`tournament.errors.UnknownName`."""
    with store.session() as session:
        row = session.exec(select(Tournament).where(Tournament.name == name)).first()
        if row is None:
            raise unknown("tournament", name, tournament_names(store))
        pools = session.exec(select(Pool).where(Pool.tournament_id == row.id).order_by(col(Pool.number))).all()
        configuration = Configuration.model_validate_json(row.configuration)
        stored = []
        for pool in pools:
            entrants: Sequence[BotVersion] = session.exec(
                select(BotVersion)
                .join(Entrant, col(Entrant.bot_version_id) == col(BotVersion.id))
                .where(Entrant.pool_id == pool.id)
                .order_by(col(Entrant.number))
            ).all()
            settings = configuration.pools[pool.number]
            stored.append(StoredPool(_key(pool.id), pool.number, settings, tuple(entrants)))
    return StoredTournament(
        id=_key(row.id),
        name=row.name,
        configuration=configuration,
        seed=row.seed,
        commitment=row.commitment,
        pools=tuple(stored),
        finished=row.finished_at is not None,
    )


def mark_finished(store: Store, tournament: StoredTournament) -> None:
    """Say that every match has been played."""
    with store.session() as session:
        row = session.get_one(Tournament, tournament.id)
        row.finished_at = row.finished_at or now()
        session.add(row)


def mark_unfinished(session: Session, tournament: StoredTournament) -> None:
    """Say that some matches are still to be played, within a transaction."""
    row = session.get_one(Tournament, tournament.id)
    row.finished_at = None
    session.add(row)


def _key(key: int | None) -> int:
    assert key is not None, "a stored row has a key"
    return key
