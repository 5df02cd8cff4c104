"""Bots that come after the start: their boards are played, and nothing that was played changes."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import Result

from cardpit.games.seeds import derive
from tournament.home import Home
from tournament.schedule import BadSchedule, Grown, Schedule, find_schedule
from tournament.store.database import Store
from tournament.store.matches import finished_boards
from tournament.store.tournaments import find_tournament

Call = Callable[..., Result]

BOTS = Path(__file__).parent.parent.parent / "bots"
SEED = derive(bytes(32), "newcomers")


def grown(schedule_id: str, founders: int, newcomers: int, seats: int = 2) -> Schedule:
    return Grown(find_schedule(schedule_id)(founders, seats, SEED), newcomers, SEED)


@pytest.mark.parametrize(("schedule_id", "seats"), [("round-robin", 2), ("round-robin", 4), ("every-table", 3)])
def test_pairings_keep_their_numbers_whoever_comes(schedule_id: str, seats: int) -> None:
    alone = list(find_schedule(schedule_id)(6, seats, SEED))
    one, three = list(grown(schedule_id, 6, 1, seats)), list(grown(schedule_id, 6, 3, seats))
    assert one[: len(alone)] == alone
    assert three[: len(one)] == one
    assert all(6 in table for table in one[len(alone) :])


def test_a_grown_round_robin_has_every_pair_once() -> None:
    pairs = [frozenset(pair) for pair in grown("round-robin", 5, 3)]
    assert sorted(map(sorted, pairs)) == [list(pair) for pair in combinations(range(8), 2)]


def test_a_newcomer_meets_all_others_equally_often_at_tables_of_four() -> None:
    tables = list(grown("round-robin", 6, 1, 4))[find_schedule("round-robin")(6, 4, SEED).total :]
    met = Counter(bot for table in tables for bot in table)
    assert met.pop(6) == len(tables)
    assert len(met) == 6
    assert len(set(met.values())) == 1


def test_every_table_with_a_newcomer_is_played_once() -> None:
    tables = [tuple(sorted(table)) for table in grown("every-table", 5, 2, 3)]
    assert sorted(tables) == list(combinations(range(7), 3))


def test_a_newcomer_to_a_gauntlet_meets_the_challenger() -> None:
    assert list(grown("gauntlet", 4, 2))[-2:] == [(0, 4), (0, 5)]


@pytest.mark.parametrize(("schedule_id", "seats"), [("gauntlet", 3), ("swiss", 2), ("knockout", 2), ("playoff", 2)])
def test_other_schedules_take_no_newcomers(schedule_id: str, seats: int) -> None:
    with pytest.raises(
        BadSchedule, match="no bot can come later: round-robin, every-table and a gauntlet of two seats"
    ):
        grown(schedule_id, 4, 1, seats)


@pytest.fixture
def late(cup: Call, tmp_path: Path) -> Call:
    """The bot ``late``, which was not there when ``cup`` was played."""
    path = tmp_path / "late.py"
    path.write_text((BOTS / "random" / "bot.py").read_text() + "\n# late\n")
    assert cup("submit", path).exit_code == 0
    return cup


def boards_of(home: Home) -> dict[tuple[int, int], bytes]:
    with Store.open(home) as store:
        return finished_boards(store, find_tournament(store, "cup").pools[0])


@pytest.mark.usefixtures("database")
def test_an_added_bot_plays_just_the_missing_boards(late: Call, home: Home, tmp_path: Path) -> None:
    before = boards_of(home)
    done = late("run", "--name", "cup", "--add", "late", "--quiet")
    assert done.exit_code == 0, done.output
    assert "the seed of cup has been revealed: who comes now could know the cards" in done.stderr
    after = boards_of(home)
    assert len(after) == 3 * len(before)
    assert {key: after[key] for key in before} == before
    rows = json.loads(late("ratings", "cup", "--format", "json").stdout)
    assert {row["bot"]: row["boards"] for row in rows} == {"random": 8, "first": 8, "late": 8}
    assert late("verify", "cup").exit_code == 0
    assert late("export", "cup", tmp_path / "out", "--no-text").exit_code == 0
    shown = json.loads(late("show", "cup", "--format", "json").stdout)["configuration"]["pools"][0]["bots"]
    assert [(bot["bot"], bot["added"]) for bot in shown] == [("random", False), ("first", False), ("late", True)]


def test_the_same_command_again_goes_on_with_whoever_has_come(late: Call, home: Home) -> None:
    begun = ("run", "--name", "cup", "--game", "landlord", "--bots", "random,first", "--boards", "4", "--seed", "7")
    assert late("run", "--name", "cup", "--add", "late", "--quiet").exit_code == 0
    boards = boards_of(home)
    for again in (begun, (*begun[:-2], "--add", "late"), ("run", "--name", "cup", "--add", "late@1")):
        done = late(*again, "--quiet")
        assert done.exit_code == 0, done.output
    assert boards_of(home) == boards
    other = late("run", "--name", "cup", "--bots", "random,late")
    assert other.exit_code == 2
    assert "bots: random@1,first@1,late@1, not random@1,late@1" in other.stderr


def test_a_tournament_with_an_added_bot_goes_on_after_an_interruption(late: Call, home: Home, executor: object) -> None:
    executor.fails = lambda room: room.room == 1  # type: ignore[attr-defined]
    assert late("run", "--name", "cup", "--add", "late", "--quiet").exit_code == 1
    executor.fails = lambda room: False  # type: ignore[attr-defined]
    assert late("run", "--name", "cup", "--quiet").exit_code == 0
    assert len(boards_of(home)) == 12
    assert late("verify", "cup").exit_code == 0


def test_a_bot_that_cannot_be_added_is_refused_and_nothing_changes(late: Call, home: Home) -> None:
    run = ("run", "--game", "landlord", "--bots", "random,first", "--boards", "2", "--seed", "1", "--quiet")
    assert late(*run, "--name", "x", "--schedule", "swiss").exit_code == 0
    for words, message in (
        (("--name", "x", "--add", "late"), "--add: landlord of x is held as swiss: no bot can come later"),
        (("--name", "cup", "--add", "spitter"), "--add spitter 1: it does not play landlord, which cup is of"),
        (("--name", "cup", "--add", "lat"), "unknown bot 'lat'"),
        (("--name", "cup", "--add", "late", "--boards", "9"), "boards: 4, not 9"),
    ):
        done = late("run", *words)
        assert done.exit_code == 2
        assert message in done.stderr
    with Store.open(home) as store:
        assert find_tournament(store, "cup").finished
