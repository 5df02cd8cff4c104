"""Tournaments that a sequential test ends."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol

import pytest
from click.testing import Result
from sqlalchemy import text

from referee.orders import MatchReport, Room, RoomReport
from tournament.bundle import copy_bundle, read_bundle
from tournament.configuration import SprtConfiguration
from tournament.home import Home
from tournament.request import Request, settle
from tournament.run.coordinator import Coordinator
from tournament.run.sittings import Sitting
from tournament.scores import SeatScore, board_scores
from tournament.sequential import SequentialTest
from tournament.statistics import Sprt
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.matches import finished_boards, list_matches
from tournament.store.tournaments import StoredPool, add_tournament, find_tournament
from tournament.store.voids import list_voided

BOTS = Path(__file__).parent.parent.parent / "bots"

Call = Callable[..., Result]

pytestmark = pytest.mark.usefixtures("database")

WORDS = ("run", "--name", "duel", "--game", "landlord", "--sprt", "landlord_rules", "random")
ELO = ("--elo0", "0", "--elo1", "200")


class Trusted(Protocol):
    """What the fixture ``executor`` gives."""

    capacity: int

    async def start(self) -> None: ...

    def play(self, room: Room) -> AsyncIterator[MatchReport | RoomReport]: ...

    async def close(self) -> None: ...


class Notes:
    """A watcher that stops the run after some matches."""

    def __init__(self, stop_after: int) -> None:
        self.left = stop_after
        self.planned: list[int] = []
        self.coordinator: Coordinator | None = None

    def match_ended(self, pool: StoredPool, report: MatchReport, entrants: tuple[int, ...]) -> None:
        self.left -= 1
        if self.left == 0 and self.coordinator is not None:
            self.coordinator.drain()

    def room_failed(self, pool: StoredPool, sitting: Sitting, detail: str, last: bool) -> None:
        raise AssertionError(detail)

    def bot_benched(self, pool: StoredPool, entrant: int, planned: int) -> None:
        raise AssertionError(entrant)

    def test_ended(self, pool: StoredPool, test: SequentialTest, planned: int) -> None:
        self.planned.append(planned)


@pytest.fixture
def bots(store: Store, home: Home) -> None:
    for name in ("landlord_rules", "random"):
        bundle = read_bundle(BOTS / name)
        copy_bundle(bundle, home.bundles)
        add_version(store, bundle)


def a_board(*payoffs: float) -> bytes:
    """Return a board of which the first bot of the pool won the matches with a payoff above 0."""
    rooms = []
    for room, payoff in enumerate(payoffs):
        for seat in range(2):
            entrant = (seat + room) % 2
            won = payoff if entrant == 0 else -payoff
            rooms.append(SeatScore(room, seat, entrant, won, 1 if won > 0 else 2, 0, 0, 0, "normal"))
    return board_scores(2, rooms)


def test_boards_are_judged_in_their_order_whatever_the_order_in_which_they_end() -> None:
    settings = SprtConfiguration(p0=0.4, p1=0.6)
    boards = [a_board(1, -1 if number % 3 else 1) for number in range(60)]
    straight, mixed = SequentialTest(settings, 2), SequentialTest(settings, 2)
    for number, board in enumerate(boards):
        straight.add(number, board)
    for number in [*range(1, 60), 0]:
        mixed.add(number, boards[number])
    assert straight.end is not None
    assert straight.end == mixed.end
    assert straight.verdict == mixed.verdict
    last = straight.end.board
    scores = [0.5 if number % 3 else 1.0 for number in range(60)]
    assert Sprt(0.4, 0.6).judge(scores[: last + 1]) == straight.verdict
    assert Sprt(0.4, 0.6).judge(scores[:last]).accepted is None


def test_a_board_counts_for_the_first_bot_wherever_it_stands_in_the_pairing() -> None:
    test = SequentialTest(SprtConfiguration(p0=0.4, p1=0.6), 2)
    turned = [
        SeatScore(r, s, (s + r + 1) % 2, 0.0, 1 if (s + r) % 2 else 2, 0, 0, 0, "normal")
        for r in (0, 1)
        for s in (0, 1)
    ]
    test.add(0, board_scores(2, turned))
    assert test.verdict.score == 1


@pytest.mark.usefixtures("bots")
def test_the_test_ends_on_the_same_board_with_any_number_of_jobs_and_interruptions(
    home: Home, store: Store, executor: Trusted
) -> None:
    ends = set()
    for number, (capacity, stop) in enumerate(((1, 1 << 30), (5, 1 << 30), (2, 17))):
        name = f"duel{number}"
        bots = ("landlord_rules", "random")
        wanted = Request(name=name, games=("landlord",), bots=bots, sprt=(0.7, 0.85), seed=bytes(32))
        tournament = add_tournament(store, settle(wanted, store), bytes(32))
        executor.capacity = capacity
        runs = 0
        while not find_tournament(store, name).finished:
            notes = Notes(stop)
            notes.coordinator = Coordinator(home, store, find_tournament(store, name), executor, notes)
            asyncio.run(notes.coordinator.run())
            runs += 1
            assert runs < 30
        (pool,) = tournament.pools
        test = SequentialTest.of(store, tournament, pool)
        assert test is not None
        assert test.end is not None
        assert test.end.board > 10
        last = test.end.board
        assert [board for _, board in sorted(finished_boards(store, pool))] == list(range(last + 1))
        assert len(list_matches(store, pool, limit=1000)) == 2 * (last + 1)
        assert notes.planned in ([2 * (last + 1)], [])
        assert all(row.why == "the test has ended before it" for row in list_voided(store, pool))
        ends.add((test.end, test.verdict))
    assert len(ends) == 1


def test_run_plays_a_test_and_says_its_answer(call: Call, executor: Trusted) -> None:
    for name in ("landlord_rules", "random"):
        assert call("submit", BOTS / name).exit_code == 0
    result = call(*WORDS, *ELO, "--seed", "7", "--plain")
    assert result.exit_code == 0, result.output
    assert (
        "a test ends it: is the score of landlord_rules 1 against random 1 rather 0.5000 or rather 0.7597"
        in result.stderr
    )
    said = "test of landlord_rules 1 against random 1: p1 is accepted after "
    assert f"landlord: {said}" in result.stderr
    assert f"\n{said}" in result.stdout
    assert "(p0 0.5000, p1 0.7597), log likelihood ratio +" in result.stdout
    (listed,) = json.loads(call("list", "--format", "json").stdout)
    assert listed["state"] == "finished"
    assert listed["played"] == listed["matches"] < 400
    assert call("verify", "duel").exit_code == 0
    assert call(*WORDS, *ELO).exit_code == 0
    assert "sprt: 0.5,0.7597" in call(*WORDS, "--elo0", "0", "--elo1", "10").stderr
    shown = call("show", "duel").stdout
    assert "[sprt]\np0 = 0.5\np1 = 0.7597" in shown


def test_a_test_without_an_answer_ends_with_its_boards(call: Call, executor: Trusted) -> None:
    for name in ("landlord_rules", "random"):
        assert call("submit", BOTS / name).exit_code == 0
    result = call(*WORDS, *ELO, "--boards", "3", "--seed", "7")
    assert result.exit_code == 0
    assert "no answer yet after 3 boards" in result.stdout
    assert call("verify", "duel").exit_code == 0


def test_verify_finds_a_test_that_has_not_ended_where_its_boards_end_it(
    call: Call, executor: Trusted, home: Home
) -> None:
    for name in ("landlord_rules", "random"):
        assert call("submit", BOTS / name).exit_code == 0
    assert call(*WORDS, *ELO, "--seed", "7").exit_code == 0
    with Store.open(home) as store, store.transaction() as connection:
        connection.execute(text("UPDATE test_ends SET board = board - 1"))
    result = call("verify", "duel")
    assert result.exit_code == 1
    assert "the test in landlord has not ended where the boards end it" in result.stdout


NEW = ("run", "--name", "new", "--game", "landlord", "--sprt", "random", "first")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (NEW, "a test needs --sprt A B, and --elo0 with --elo1, or --p0 with --p1"),
        ((*NEW[:5], "--p0", "0.5", "--p1", "0.6"), "a test needs --sprt A B"),
        ((*NEW, "--p0", "0.5"), "sprt with p0 0.5: p0 and p1, or elo0 and elo1, are allowed"),
        ((*NEW, "--p0", "0.5", "--p1", "0.6", "--elo0", "1"), "sprt with p0 0.5, p1 0.6, elo0 1: p0 and p1, or"),
        ((*NEW, "--p0", "0.6", "--p1", "0.5"), "--sprt: p0 0.6 and p1 0.5: allowed are 0 < p0 < p1 < 1"),
        ((*NEW, "--p0", "0.5", "--p1", "0.6", "--bots", "first"), "the one or the other is allowed"),
        ((*NEW, "--p0", "0.5", "--p1", "0.6", "--game", "spit"), "--sprt with 2 games: one is allowed"),
        ((*NEW[:6], "random", "random", "--p0", "0.5", "--p1", "0.6"), "bot random 1 is named twice"),
        (
            ("run", "--name", "new", "--game", "twenty-two", "--seats", "3", *NEW[5:], "--p0", "0.5", "--p1", "0.6"),
            "--sprt is not for twenty-two with more than two seats",
        ),
        (("run", "--name", "cup", *NEW[5:], "--p0", "0.5", "--p1", "0.6"), "sprt: none, not 0.5,0.6"),
    ],
)
def test_wrong_use_of_a_test_is_refused(cup: Call, words: tuple[str, ...], message: str) -> None:
    result = cup(*words)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert "new" not in cup("list").stdout
