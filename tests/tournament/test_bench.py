"""A bot that is at fault in match after match is benched, whatever the order in which matches end."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest
from click.testing import Result
from sqlalchemy import text

from referee.orders import MatchReport, Room, RoomReport
from tournament.bundle import copy_bundle, read_bundle
from tournament.home import Home
from tournament.request import Request, settle
from tournament.run.bench import count_left_out, find_benched, left_out
from tournament.run.coordinator import Coordinator
from tournament.run.sittings import Sitting, schedule_of
from tournament.sequential import SequentialTest
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.ends import Place, benched, fault_counts
from tournament.store.matches import count_matches, finished_boards, list_matches
from tournament.store.tournaments import StoredPool, StoredTournament, add_tournament, find_tournament
from tournament.store.voids import list_voided, void_matches

BOTS = Path(__file__).parent.parent.parent / "bots"

Call = Callable[..., Result]

pytestmark = pytest.mark.usefixtures("database")

HEAD = "from cardpit import Bot\n\n\nclass Tester(Bot):\n    def act(self, turn):\n"
CRASHER = HEAD + '        raise ValueError("oh no")\n'
CRASHES_IN_SEAT_0 = HEAD + "        return 0 if turn.seat else 1 // 0\n"


class Trusted(Protocol):
    """What the fixture ``executor`` gives."""

    capacity: int
    rooms: list[Room]
    closed: bool

    async def start(self) -> None: ...

    def play(self, room: Room) -> AsyncIterator[MatchReport | RoomReport]: ...

    async def close(self) -> None: ...


class Notes:
    """A watcher that stops the run after some matches and notes who is benched."""

    def __init__(self, stop_after: int = 1 << 30) -> None:
        self.left = stop_after
        self.benched: list[tuple[str, int]] = []
        self.coordinator: Coordinator | None = None

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        self.left -= 1
        if self.left == 0 and self.coordinator is not None:
            self.coordinator.drain()

    def room_failed(self, pool: StoredPool, sitting: Sitting, detail: str, last: bool) -> None:
        raise AssertionError(detail)

    def bot_benched(self, pool: StoredPool, entrant: int, planned: int) -> None:
        self.benched.append((pool.labels[entrant], planned))

    def test_ended(self, pool: StoredPool, test: SequentialTest, planned: int) -> None:
        pass


@pytest.fixture
def bots(store: Store, home: Home, tmp_path: Path) -> None:
    for name, code in (("crasher", CRASHER), ("half", CRASHES_IN_SEAT_0)):
        (tmp_path / f"{name}.py").write_text(code)
    for path in (tmp_path / "crasher.py", tmp_path / "half.py", BOTS / "first", BOTS / "random"):
        bundle = read_bundle(path)
        copy_bundle(bundle, home.bundles)
        add_version(store, bundle)


def begin(store: Store, *bots: str, **changes: object) -> StoredTournament:
    wanted = {"games": ("landlord",), "boards": 6, "bench_after": 4, "seed": bytes(32), **changes}
    request = Request(name="cup", bots=bots, **wanted)  # type: ignore[arg-type]
    assert request.seed is not None
    return add_tournament(store, settle(request, store), request.seed)


def play(home: Home, store: Store, executor: Trusted, notes: Notes | None = None) -> bool:
    notes = notes or Notes()
    coordinator = Coordinator(home, store, find_tournament(store, "cup"), executor, notes)
    notes.coordinator = coordinator
    return asyncio.run(coordinator.run()).finished


def stored(store: Store, pool: StoredPool) -> list[tuple[int, int, int]]:
    return [(m.pairing, m.board, m.room) for m in list_matches(store, pool, limit=1000)]


@pytest.mark.usefixtures("bots")
def test_a_bot_is_benched_and_its_other_matches_are_not_played(home: Home, store: Store, executor: Trusted) -> None:
    tournament = begin(store, "crasher", "first", "random")
    notes = Notes()
    assert play(home, store, executor, notes)
    (pool,) = tournament.pools
    first = min(p for p in range(3) if 0 in schedule_of(tournament, pool).pairing(p))
    assert benched(store, pool) == {0: Place(first, 1, 1)}
    assert notes.benched == [("crasher 1", 12 + 4)]
    faulty = [place for place in stored(store, pool) if 0 in schedule_of(tournament, pool).pairing(place[0])]
    assert faulty == [(first, board, room) for board in (0, 1) for room in (0, 1)]
    assert count_matches(store, pool) == 12 + 4
    assert find_tournament(store, "cup").finished


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(("capacity", "stop"), [(1, 1 << 30), (7, 1 << 30), (3, 3), (1, 1)])
def test_neither_the_number_of_jobs_nor_interruptions_change_what_counts(
    home: Home, store: Store, executor: Trusted, capacity: int, stop: int
) -> None:
    tournament = begin(store, "crasher", "first", "half", "random", boards=4)
    executor.capacity = capacity
    for _ in range(60):
        if play(home, store, executor, Notes(stop)):
            break
    (pool,) = tournament.pools
    schedule = schedule_of(tournament, pool)
    ((entrant, last),) = benched(store, pool).items()
    every = [Place(p, b, r) for p in range(6) for b in range(4) for r in range(2)]
    due = [place for place in every if 0 not in schedule.pairing(place.pairing) or place <= last]
    assert entrant == 0
    assert [place for place in due if 0 in schedule.pairing(place.pairing)][3] == last
    assert stored(store, pool) == due
    assert len(finished_boards(store, pool)) == len(due) // 2
    assert all("benched before it" in row.why for row in list_voided(store, pool))


@pytest.mark.usefixtures("bots")
def test_a_bot_that_plays_some_matches_well_is_not_benched(home: Home, store: Store, executor: Trusted) -> None:
    tournament = begin(store, "half", "first")
    executor.capacity = 1
    assert play(home, store, executor)
    assert benched(store, tournament.pools[0]) == {}
    assert count_matches(store, tournament.pools[0]) == 12


@pytest.mark.usefixtures("bots")
def test_a_room_of_a_faulty_bot_waits_until_the_other_rooms_have_answered(
    home: Home, store: Store, executor: Trusted
) -> None:
    tournament = begin(store, "crasher", "first", boards=20)
    executor.capacity = 1
    assert play(home, store, executor)
    played = count_matches(store, tournament.pools[0]) + len(list_voided(store, tournament.pools[0]))
    assert played == 4 + 2


@pytest.mark.usefixtures("bots")
def test_nobody_is_benched_with_0(home: Home, store: Store, executor: Trusted) -> None:
    tournament = begin(store, "crasher", "first", bench_after=0)
    assert play(home, store, executor)
    assert count_matches(store, tournament.pools[0]) == 12


@pytest.mark.usefixtures("bots")
def test_nothing_is_concluded_behind_a_match_that_is_still_to_be_played(
    home: Home, store: Store, executor: Trusted
) -> None:
    tournament = begin(store, "crasher", "first", "half", boards=12, bench_after=0, seed=bytes([2]) * 32)
    assert [set(schedule_of(tournament, tournament.pools[0]).pairing(p)) for p in (0, 1)] == [{0, 1}, {0, 2}]
    assert play(home, store, executor)
    configuration = tournament.configuration.model_copy(update={"bench_after": 4})
    strict, (pool,) = replace(tournament, configuration=configuration), tournament.pools
    # A second bot with many faults, so that the count goes on behind the first bot's missing match.
    assert min(fault_counts(store, pool).get(number, 0) for number in (0, 2)) >= 4
    assert find_benched(store, strict, pool) == {0: Place(0, 1, 1)}
    void_matches(store, tournament, pool, list_matches(store, pool, limit=1), "a test")
    assert find_benched(store, strict, pool) == {}


def test_matches_up_to_the_last_fault_are_played_and_later_ones_left_out() -> None:
    benchings = {3: Place(5, 2, 1)}
    assert not left_out(benchings, (3, 4), Place(5, 2, 1))
    assert left_out(benchings, (4, 3), Place(5, 3, 0))
    assert left_out(benchings, (4, 3), Place(6, 0, 0))
    assert not left_out(benchings, (4, 5), Place(6, 0, 0))


@pytest.mark.usefixtures("bots")
def test_what_is_left_out_is_counted(store: Store) -> None:
    tournament = begin(store, "crasher", "first", "random")
    (pool,) = tournament.pools
    schedule = schedule_of(tournament, pool)
    every = [Place(p, b, r) for p in range(3) for b in range(6) for r in range(2)]
    for benchings in ({}, {0: Place(0, 0, 0)}, {0: Place(1, 3, 1), 2: Place(1, 3, 0)}):
        out = [place for place in every if left_out(benchings, schedule.pairing(place.pairing), place)]
        assert count_left_out(tournament, pool, benchings) == len(out)


@pytest.mark.usefixtures("bots")
def test_the_table_marks_a_benched_bot_and_unbench_plays_what_is_missing(call: Call, executor: Trusted) -> None:
    words = ("run", "--name", "cup", "--game", "landlord", "--bots", "crasher,first", "--boards", "4")
    result = call(*words, "--bench-after", "3", "--plain")
    assert result.exit_code == 0, result.output
    assert "landlord: crasher 1 is benched: its other matches are not played" in result.stderr
    assert "a bot at fault in 3 matches in a row is benched" in result.stderr
    table = call("ratings", "cup").stdout
    assert "crasher 1 †" in table
    assert "† crasher 1 is benched after 3 faults in a row, the last in cup/landlord/0/1/0" in table
    assert "† 5 matches of benched bots are not played" in table
    rows = {row["bot"]: row["benched"] for row in json.loads(call("ratings", "cup", "--format", "json").stdout)}
    assert rows == {"crasher": True, "first": False}
    (listed,) = json.loads(call("list", "--format", "json").stdout)
    assert (listed["state"], listed["played"], listed["matches"]) == ("finished", 3, 3)
    assert call("verify", "cup").exit_code == 0

    lifted = call("bots", "--unbench", "crasher")
    assert lifted.stdout == "crasher 1 may play landlord again in cup\n"
    assert "tournament run --name cup" in lifted.stderr
    assert "the seed of cup has been revealed" in lifted.stderr
    assert json.loads(call("list", "--format", "json").stdout)[0]["state"] == "unfinished"
    assert call("run", "--name", "cup").exit_code == 0
    # Its row began anew behind the first benching: three more faults bench it again.
    assert "the last in cup/landlord/0/2/1" in call("ratings", "cup").stdout
    assert call("bots", "--unbench", "crasher@1", "--tournament", "cup").exit_code == 0
    assert call("run", "--name", "cup").exit_code == 0
    assert "8 matches" in call("ratings", "cup").stdout
    assert "†" not in call("ratings", "cup").stdout
    assert call("verify", "cup").exit_code == 0


def test_verify_finds_a_bot_that_was_benched_without_reason(cup: Call, home: Home) -> None:
    with Store.open(home) as store, store.transaction() as connection:
        connection.execute(text("INSERT INTO benchings VALUES (1, 0, 0, 9, 1, '2026-01-01 00:00:00', NULL)"))
    result = cup("verify", "cup")
    assert result.exit_code == 1
    assert "the bots of landlord that are benched are not those that the results bench" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("bots", "--unbench", "random"), "bot random is not benched in any tournament"),
        (("bots", "--unbench", "random", "--tournament", "cup"), "bot random is not benched in tournament cup"),
        (("bots", "--unbench", "rondom"), "unknown bot 'rondom': did you mean random?"),
        (("bots", "random", "--unbench", "first"), "give the one or the other"),
        (("bots", "--tournament", "cup"), "--tournament cup: it is for --unbench only"),
        (("run", "--name", "new", "--game", "spit", "--bench-after", "-1"), "--bench-after -1: 0 (never) or more"),
        (("run", "--name", "cup", "--bench-after", "3"), "bench-after: 10, not 3"),
    ],
)
def test_wrong_use_of_the_bench_is_refused(cup: Call, words: tuple[str, ...], message: str) -> None:
    result = cup(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
