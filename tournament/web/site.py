"""What every page needs: the store, the snapshots, and what this server shows to whom."""

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Path
from starlette.requests import HTTPConnection

from cardpit.games.seeds import board_seed
from cardpit.v1 import record_pb2 as pb
from tournament.archive import open_record
from tournament.errors import UnknownName
from tournament.home import Home
from tournament.store.accounts import User, owned_bots
from tournament.store.database import Store
from tournament.store.matches import MatchRow, find_match, find_record
from tournament.store.tournaments import StoredPool, StoredTournament, find_tournament
from tournament.web.sight import Sight
from tournament.web.snapshots import Snapshot, Snapshots

MOST_ROWS = 200
"""Rows of a page at most."""


class Unseen(Exception):
    """What is asked for is shown only when the tournament is finished."""


@dataclass(frozen=True, slots=True)
class PoolView:
    """A pool that a page is about."""

    tournament: StoredTournament
    pool: StoredPool
    snapshot: Snapshot
    sight: Sight

    @property
    def url(self) -> str:
        """Return the path of its page."""
        return f"/tournaments/{self.tournament.name}/{self.pool.game}"


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match that a page is about."""

    tournament: StoredTournament
    pool: StoredPool
    match: MatchRow
    sight: Sight


class Site:
    """One server."""

    def __init__(
        self, home: Home, store: Store, *, show_logs: bool = False, jail: str | None = None, play: str = "anyone"
    ) -> None:
        self.home = home
        self.store = store
        self.show_logs = show_logs
        self.jail = jail
        self.play = play
        self.snapshots = Snapshots(store)

    def sight(self, tournament: StoredTournament) -> Sight:
        """Return what may be told of a tournament's matches."""
        return Sight.of(tournament, self.show_logs)

    def pool(self, name: str, game: str) -> PoolView:
        """Return a pool. Raises :class:`UnknownName`."""
        tournament = find_tournament(self.store, name)
        pool = tournament.pool(game)
        return PoolView(tournament, pool, self.snapshots.of(tournament, pool), self.sight(tournament))

    def match(self, name: str, game: str, pairing: int, board: int, room: int) -> MatchView:
        """Return a match that has been played. Raises :class:`UnknownName`."""
        tournament, pool, match = find_match(self.store, f"{name}/{game}/{pairing}/{board}/{room}")
        return MatchView(tournament, pool, match, self.sight(tournament))

    def heard(self, view: MatchView, user: User | None) -> set[int]:
        """Return the seats of a match whose bots' output a reader may see, once the tournament is finished.

        All, if this server shows that to everybody or to an organiser; else those of the reader's own bots.
        """
        seats = range(len(view.match.seats)) if view.tournament.finished else ()
        if self.show_logs or (user is not None and user.organiser):
            return set(seats)
        if user is None:
            return set()
        mine = owned_bots(self.store, user)
        return {seat for seat in seats if view.pool.versions[view.match.seats[seat].entrant].name in mine}

    def record(self, view: MatchView) -> tuple[pb.Record, pb.Timings, bytes]:
        """Return the record of a match, its timings and the seed of its board, which the caller keeps to itself.

        Raises :class:`UnknownName` where it is missing or damaged.
        """
        stored = find_record(self.store, view.match)
        try:
            record, timings = open_record(stored.record, stored.timings)
        except ValueError as error:
            name = view.match.name(view.tournament, view.pool)
            raise UnknownName(f"match {name}: its record is damaged: {error}") from None
        return record, timings, board_seed(view.tournament.seed, view.pool.game, view.match.board)


def _site(connection: HTTPConnection) -> Site:
    return cast("Site", connection.app.state.site)


SiteOf = Annotated[Site, Depends(_site)]

Name = Annotated[str, Path(pattern="^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$", examples=["cup"])]
GameId = Annotated[str, Path(pattern="^[a-z0-9-]{1,40}$", examples=["landlord"])]
Number = Annotated[int, Path(ge=0, lt=10**9, examples=[0])]


def _pool(site: SiteOf, name: Name, game: GameId) -> PoolView:
    return site.pool(name, game)


def _match(site: SiteOf, name: Name, game: GameId, pairing: Number, board: Number, room: Number) -> MatchView:
    return site.match(name, game, pairing, board, room)


PoolOf = Annotated[PoolView, Depends(_pool)]
MatchOf = Annotated[MatchView, Depends(_match)]
