"""The coordinator with an executor in this process."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Protocol

import pytest

from referee.orders import MatchReport, Room, RoomReport
from tournament.bundle import copy_bundle, read_bundle
from tournament.errors import StoreFailed
from tournament.home import Home
from tournament.request import Request, settle
from tournament.run.coordinator import MOST_ATTEMPTS, Conclusion, Coordinator
from tournament.run.sittings import FEWEST_BOARDS, Sitting, matches_of, sittings
from tournament.sequential import SequentialTest
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.matches import count_matches, finished_boards, platform_failures
from tournament.store.postgresql import VARIABLE
from tournament.store.results import add_match
from tournament.store.tournaments import StoredPool, StoredTournament, add_tournament, find_tournament

pytestmark = pytest.mark.usefixtures("database")

BOTS = Path(__file__).parent.parent.parent / "bots"


class Trusted(Protocol):
    """What the fixture ``executor`` gives."""

    capacity: int
    rooms: list[Room]
    closed: bool

    def fails(self, room: Room) -> bool: ...

    async def start(self) -> None: ...

    def play(self, room: Room) -> AsyncIterator[MatchReport | RoomReport]: ...

    async def close(self) -> None: ...


class Notes:
    """A watcher that stops the run after some matches."""

    def __init__(self, stop_after: int = 1 << 30) -> None:
        self.matches = 0
        self.failures: list[bool] = []
        self.stop_after = stop_after
        self.coordinator: Coordinator | None = None

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        self.matches += 1
        if self.matches == self.stop_after and self.coordinator is not None:
            self.coordinator.drain()

    def room_failed(self, pool: StoredPool, sitting: Sitting, detail: str, last: bool) -> None:
        self.failures.append(last)

    def bot_benched(self, pool: StoredPool, entrant: int, planned: int) -> None:
        pass

    def test_ended(self, pool: StoredPool, test: SequentialTest, planned: int) -> None:
        pass


@pytest.fixture
def bots(store: Store, home: Home) -> None:
    for name in ("random", "first"):
        for bot in (name, f"{name}2"):
            bundle = read_bundle(BOTS / name, bot)
            copy_bundle(bundle, home.bundles)
            add_version(store, bundle)


def begin(store: Store, **changes: object) -> StoredTournament:
    wanted = {"name": "cup", "games": ("landlord",), "boards": 3, "seed": bytes(32), **changes}
    request = Request(**wanted)  # type: ignore[arg-type]
    assert request.seed is not None
    return add_tournament(store, settle(request, store), request.seed)


def play(home: Home, store: Store, executor: Trusted, notes: Notes | None = None) -> Conclusion:
    notes = notes or Notes()
    coordinator = Coordinator(home, store, find_tournament(store, "cup"), executor, notes)
    notes.coordinator = coordinator
    return asyncio.run(coordinator.run())


@pytest.mark.usefixtures("bots")
def test_every_board_is_played_once_in_every_rotation(home: Home, store: Store, executor: Trusted) -> None:
    tournament = begin(store)
    assert play(home, store, executor) == Conclusion(finished=True, interrupted=False, failed_matches=0)
    (pool,) = tournament.pools
    assert count_matches(store, pool) == matches_of(tournament, pool) == 6 * 3 * 2
    assert len(finished_boards(store, pool)) == 6 * 3
    assert executor.closed
    by_room = {(room.pairing, room.room): [p.bot for p in room.players] for room in executor.rooms}
    for pairing in range(6):
        assert by_room[pairing, 0] == by_room[pairing, 1][::-1]
    seeds = {board.number: board.seed for room in executor.rooms for board in room.boards}
    assert all(seeds[board.number] == board.seed for room in executor.rooms for board in room.boards)
    assert find_tournament(store, "cup").finished


@pytest.mark.usefixtures("bots")
def test_tables_of_four_rotate_through_all_seats(home: Home, store: Store, executor: Trusted) -> None:
    tournament = begin(store, games=("twenty-two",), seats=4, boards=1)
    assert play(home, store, executor).finished
    (pool,) = tournament.pools
    assert matches_of(tournament, pool) == count_matches(store, pool) == len(executor.rooms)
    players = [[p.bot for p in room.players] for room in executor.rooms if room.pairing == 0]
    assert len(players) == 4
    assert {tuple(sorted(seated)) for seated in zip(*players, strict=True)} == {tuple(sorted(players[0]))}


@pytest.mark.usefixtures("bots")
def test_a_run_goes_on_where_it_was_stopped_and_ends_in_the_same_boards(
    home: Home, store: Store, executor: Trusted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = begin(store)
    stopped = 0
    while not play(home, store, executor, Notes(stop_after=5)).finished:
        stopped += 1
        assert stopped < 20
    assert stopped > 3
    (pool,) = tournament.pools
    interrupted = finished_boards(store, pool)
    played = sum(len(room.boards) for room in executor.rooms)
    assert count_matches(store, pool) == matches_of(tournament, pool) <= played

    monkeypatch.delenv(VARIABLE, raising=False)
    with Store.create(Home(tmp_path / "other")) as fresh:
        for name in ("random", "random2", "first", "first2"):
            add_version(fresh, read_bundle(BOTS / name.rstrip("2"), name))
        assert begin(fresh).seed == tournament.seed
        assert play(home, fresh, executor).finished
        assert finished_boards(fresh, find_tournament(fresh, "cup").pools[0]) == interrupted


@pytest.mark.usefixtures("bots")
def test_a_drained_run_begins_no_match_any_more(home: Home, store: Store, executor: Trusted) -> None:
    begin(store, boards=20)
    notes = Notes(stop_after=3)
    conclusion = play(home, store, executor, notes)
    assert conclusion.interrupted
    assert not conclusion.finished
    assert 3 <= notes.matches <= 3 + executor.capacity
    assert not find_tournament(store, "cup").finished


@pytest.mark.usefixtures("bots")
def test_a_room_that_the_platform_fails_in_is_tried_again_and_the_rest_is_played(
    home: Home, store: Store, executor: Trusted, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = begin(store, boards=5)
    monkeypatch.setattr(executor, "fails", lambda room: (room.pairing, room.room) == (1, 0))
    notes = Notes()
    conclusion = play(home, store, executor, notes)
    assert conclusion == Conclusion(finished=False, interrupted=False, failed_matches=5 - MOST_ATTEMPTS)
    assert notes.failures == [False] * (MOST_ATTEMPTS - 1) + [True]
    (pool,) = tournament.pools
    assert count_matches(store, pool) == matches_of(tournament, pool) - conclusion.failed_matches
    ((where, detail),) = platform_failures(store, tournament)
    assert where.startswith("cup/landlord/1, room 0, boards ")
    assert detail == "the test pulled the plug"

    monkeypatch.setattr(executor, "fails", lambda room: False)
    assert play(home, store, executor).finished
    assert platform_failures(store, tournament) == []


@pytest.mark.usefixtures("bots")
def test_the_first_board_that_failed_is_tried_last(
    home: Home, store: Store, executor: Trusted, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, boards=5, bots=("random", "first"))
    monkeypatch.setattr(executor, "fails", lambda room: room.room == 0)
    play(home, store, executor)
    tried = [[board.number for board in room.boards] for room in executor.rooms if room.room == 0]
    assert tried == [[0, 1, 2, 3, 4], [2, 3, 4, 1], [4, 1, 3]]


@pytest.mark.usefixtures("bots")
def test_a_result_of_a_new_version_is_not_taken_for_the_old_one(home: Home, store: Store, executor: Trusted) -> None:
    begin(store, boards=1, bots=("random", "first"))
    newer = read_bundle(BOTS / "first", "random")
    copy_bundle(newer, home.bundles)
    assert add_version(store, newer).version == 2
    assert play(home, store, executor).finished
    assert {(p.bot, p.version) for room in executor.rooms for p in room.players} == {("random", 1), ("first", 1)}


@pytest.mark.usefixtures("bots")
def test_a_store_that_fails_ends_the_run_and_keeps_what_it_has(
    home: Home, store: Store, executor: Trusted, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = begin(store)
    calls = 0

    def failing(*arguments: object) -> bool:
        nonlocal calls
        calls += 1
        if calls > 4:
            raise StoreFailed("the disk is full")
        return add_match(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("tournament.run.coordinator.add_match", failing)
    with pytest.raises(StoreFailed, match="the disk is full"):
        play(home, store, executor)
    assert executor.closed
    assert count_matches(store, tournament.pools[0]) == 4
    monkeypatch.setattr("tournament.run.coordinator.add_match", add_match)
    assert play(home, store, executor).finished


@pytest.mark.usefixtures("bots")
def test_few_rooms_are_cut_into_parts_so_that_all_cores_have_work(store: Store) -> None:
    tournament = begin(store, boards=40, bots=("random", "first"))
    for capacity, parts in ((1, 1), (4, 4), (64, 40 // FEWEST_BOARDS)):
        cut = list(sittings(store, tournament, capacity))
        assert len(cut) == 2 * parts
        assert sorted(board for s in cut if s.room == 0 for board in s.boards) == list(range(40))


@pytest.mark.usefixtures("bots")
def test_what_is_to_be_played_is_streamed(store: Store) -> None:
    tournament = begin(store, boards=1_000_000, bots=("random", "first"))
    first = next(sittings(store, tournament, 2))
    assert first.boards == tuple(range(100))
