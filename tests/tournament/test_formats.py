"""Swiss, knockout and playoff: who meets follows from results, and from nothing else."""

import csv
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardpit.games.seeds import derive
from referee.orders import Room
from tournament.home import Home
from tournament.ratings import BETA, MU, Board
from tournament.ratings.order_free import rate
from tournament.schedule import BadSchedule, NotYetKnown, Schedule, Tally, find_schedule
from tournament.schedule.knockout import bracket
from tournament.store.database import Store
from tournament.store.matches import finished_boards
from tournament.store.tournaments import find_tournament

Call = Callable[..., Result]

BOTS = Path(__file__).parent.parent.parent / "bots"
SEED = derive(bytes(32), "formats")
FORMATS = ("swiss", "knockout", "playoff")


def tally(first: float, second: float) -> Tally:
    won = (int(first > second), int(second > first))
    return Tally((first, second), won, 1 - sum(won))


def stronger(first: int, second: int) -> Tally:
    """The bot with the smaller number wins."""
    return tally(float(first < second), float(second < first))


def by_chance(seed: int) -> Callable[[int, int], Tally]:
    chance = random.Random(seed)

    def play(first: int, second: int) -> Tally:
        boards = [chance.gauss(second - first, 6) for _ in range(6)]
        return Tally(
            (sum(boards), 0.0), (sum(b > 0 for b in boards), sum(b < 0 for b in boards)), sum(b == 0 for b in boards)
        )

    return play


def play_out(schedule: Schedule, play: Callable[[int, int], Tally] = stronger) -> tuple[Schedule, dict[int, Tally]]:
    """Play every pairing as it becomes known."""
    results: dict[int, Tally] = {}
    while len(results) < schedule.total:
        schedule = schedule.after(results)
        known = [g for g in range(schedule.total) if g not in results and schedule.known(g)]
        assert known
        for g in known:
            first, second = schedule.pairing(g)
            results[g] = play(first, second)
    return schedule.after(results), results


@pytest.mark.parametrize("bots", [2, 3, 7, 8])
@pytest.mark.parametrize("schedule_id", FORMATS)
def test_pairings_are_a_function_of_the_results_before_them(schedule_id: str, bots: int) -> None:
    make = find_schedule(schedule_id)
    schedule, results = play_out(make(bots, 2, SEED), by_chance(1))
    pairings = list(schedule)
    assert len(pairings) == schedule.total
    assert all(len(set(pair)) == 2 and set(pair) <= set(range(bots)) for pair in pairings)
    for g in range(0, schedule.total, 1 + schedule.total // 12):
        # What the pairing cannot rest on may be missing.
        before = {e: result for e, result in results.items() if e < g and schedule.first_resting_on(e) <= g}
        again = make(bots, 2, SEED).after(before)
        assert again.pairing(g) == pairings[g]


def test_what_is_not_decided_is_not_known() -> None:
    for schedule_id in FORMATS:
        schedule = find_schedule(schedule_id)(8, 2, SEED)
        assert schedule.known(0)
        assert not schedule.known(schedule.total - 1)
        with pytest.raises(NotYetKnown, match="follows from earlier ones that are not finished"):
            schedule.pairing(schedule.total - 1)


@pytest.mark.parametrize("bots", [4, 6, 7, 9, 16, 21])
def test_a_swiss_has_no_rematch_and_pairs_equal_points(bots: int) -> None:
    schedule, results = play_out(find_schedule("swiss")(bots, 2, SEED), by_chance(bots))
    assert len({frozenset(pair) for pair in schedule}) == schedule.total
    size, points = bots // 2, [0.0] * bots
    gaps = []
    for g, pair in enumerate(schedule):
        if g % size == 0:
            round_bots = Counter(bot for other in range(g, g + size) for bot in schedule.pairing(other))
            assert set(round_bots.values()) == {1}
            sat_out = set(range(bots)) - round_bots.keys()
            before = list(points)
        gaps.append(abs(before[pair[0]] - before[pair[1]]))
        for bot, gained in zip(pair, results[g].points, strict=True):
            points[bot] += gained
        if g % size == size - 1:
            for bot in sat_out:
                points[bot] += 1
    assert sum(gaps) / len(gaps) < 0.75
    assert [
        float(text.rsplit(" ", 1)[1])
        for text in schedule.account([str(b) for b in range(bots)])[0].split(": ")[1].split(", ")
    ] == sorted(points, reverse=True)[:8]


def test_nobody_sits_out_twice() -> None:
    schedule, _ = play_out(find_schedule("swiss")(5, 2, SEED), by_chance(3))
    rounds = [set(range(5)).difference(*(schedule.pairing(g) for g in (2 * r, 2 * r + 1))) for r in range(3)]
    assert len(set.union(*rounds)) == schedule.rounds == 3


def test_a_rematch_that_cannot_be_avoided_is_played_on_other_boards() -> None:
    schedule, _ = play_out(find_schedule("swiss")(4, 2, SEED, rounds=5))
    met = Counter(frozenset(pair) for pair in schedule)
    assert sorted(met.values()) == [1, 1, 2, 2, 2, 2]
    assert [schedule.meeting(g) for g in range(schedule.total)] == [0] * 6 + [1] * 4


def test_the_best_win_a_swiss_of_many_bots() -> None:
    schedule, _ = play_out(find_schedule("swiss")(60, 2, SEED))
    assert schedule.account([f"b{bot}" for bot in range(60)])[0].startswith("swiss, points after round 7 of 7: b0 7,")


def test_a_bracket_keeps_the_best_seeds_apart() -> None:
    assert bracket(2) == (0, 1)
    assert bracket(6) == bracket(8) == (0, 7, 3, 4, 1, 6, 2, 5)


@pytest.mark.parametrize("bots", [2, 3, 4, 5, 6, 8, 11])
def test_a_knockout_without_surprises_ends_in_the_order_of_the_seeds(bots: int) -> None:
    schedule, _ = play_out(find_schedule("knockout")(bots, 2, SEED))
    pairings = list(schedule)
    assert schedule.total == bots - 1
    assert set(pairings[-1]) == {0, 1}
    assert Counter(max(pair) for pair in pairings) == Counter(range(1, bots))
    # The best seeds have no opponent in the first round.
    free = 2 ** (bots - 1).bit_length() - bots
    first_round = {bot for pair in pairings[: bots - 2 ** ((bots - 1).bit_length() - 1)] for bot in pair}
    assert first_round == set(range(free, bots))


def test_the_losers_of_the_semi_finals_meet_before_the_final() -> None:
    schedule, _ = play_out(find_schedule("knockout")(6, 2, SEED, third_place=True))
    assert list(schedule)[-2:] == [(3, 2), (0, 1)]
    account = schedule.account([f"b{bot}" for bot in range(6)])
    assert account[:2] == ["final: b0 against b1 1 : 0, b0 wins", "third place: b3 against b2 0 : 1, b2 wins"]
    assert account[2].startswith("semi-final: b1 against b2")


def test_a_level_pairing_goes_to_more_boards_and_then_to_the_better_seed() -> None:
    knockout = find_schedule("knockout")(4, 2, SEED)
    assert [knockout.pairing(g) for g in (0, 1)] == [(0, 3), (1, 2)]
    level = knockout.after({0: Tally((5.0, 5.0), (1, 2), 0), 1: Tally((5.0, 5.0), (1, 1), 1)})
    assert level.pairing(2) == (3, 1)


def test_a_knockout_goes_on_where_two_pairings_are_decided() -> None:
    knockout = find_schedule("knockout")(8, 2, SEED).after({0: stronger(0, 7), 1: stronger(3, 4)})
    assert [g for g in range(7) if knockout.known(g)] == [0, 1, 2, 3, 4]


def test_a_playoff_is_among_the_leaders() -> None:
    schedule, _ = play_out(find_schedule("playoff")(9, 2, SEED), by_chance(2))
    played = Counter(bot for pair in schedule for bot in pair)
    assert played[0] + played[1] + played[2] > 0.6 * played.total()
    meetings = Counter(frozenset(pair) for pair in schedule)
    assert all(schedule.meeting(g) < meetings[frozenset(schedule.pairing(g))] for g in range(schedule.total))
    assert len({(frozenset(schedule.pairing(g)), schedule.meeting(g)) for g in range(schedule.total)}) == schedule.total


@pytest.mark.parametrize(
    ("schedule_id", "bots", "seats", "options", "message"),
    [
        ("swiss", 8, 3, {}, "3 seats: swiss pairs two bots; for more, round-robin is allowed"),
        ("playoff", 8, 4, {}, "4 seats: playoff pairs two bots"),
        ("swiss", 8, 2, {"third_place": True}, "only a knockout has one"),
        ("swiss", 8, 2, {"challengers": (1,)}, r"challengers \[1\] in swiss"),
        ("knockout", 8, 2, {"rounds": 3}, "3 rounds in knockout: it has as many as the bots need"),
        ("knockout", 3, 2, {"third_place": True}, "among 3 bots in knockout: at least 4 are needed"),
        ("round-robin", 8, 2, {"third_place": True}, "only a knockout has one"),
        ("playoff", 8, 2, {"rounds": 0}, "0 rounds: allowed are 1 or more"),
    ],
)
def test_a_format_that_cannot_be_is_refused(
    schedule_id: str, bots: int, seats: int, options: dict[str, object], message: str
) -> None:
    with pytest.raises(BadSchedule, match=message):
        find_schedule(schedule_id)(bots, seats, SEED, **options)  # type: ignore[arg-type]


@pytest.fixture
def six(cup: Call, tmp_path: Path) -> Call:
    """Six bots that play alike or not."""
    for name in ("a", "b", "c", "d"):
        path = tmp_path / f"{name}.py"
        path.write_text((BOTS / ("random" if name < "c" else "first") / "bot.py").read_text() + f"\n# {name}\n")
        assert cup("submit", path).exit_code == 0
    return cup


SIX = "random,first,a,b,c,d"


def boards_of(home: Home, name: str) -> dict[tuple[int, int], bytes]:
    with Store.open(home) as store:
        return finished_boards(store, find_tournament(store, name).pools[0])


@pytest.mark.parametrize(
    ("schedule_id", "options", "pairings"),
    [("swiss", (), 9), ("knockout", ("--third-place",), 6), ("playoff", ("--rounds", "3"), 12)],
)
def test_an_adaptive_tournament_is_played_verified_and_exported(
    six: Call, home: Home, tmp_path: Path, schedule_id: str, options: tuple[str, ...], pairings: int
) -> None:
    run = ("run", "--name", "x", "--game", "landlord", "--bots", SIX, "--boards", "3", "--seed", "1")
    done = six(*run, "--schedule", schedule_id, *options)
    assert done.exit_code == 0, done.output
    boards = boards_of(home, "x")
    assert len(boards) == 3 * pairings
    assert len({pairing for pairing, _ in boards}) == pairings
    assert ("adaptive: intervals do not hold" in done.stdout) == (schedule_id != "swiss")
    assert f"{schedule_id}, points" in done.stdout or "final: " in done.stdout or schedule_id == "playoff"
    assert six("verify", "x").exit_code == 0
    assert six("export", "x", tmp_path / "out", "--no-text").exit_code == 0
    with (tmp_path / "out" / "boards.csv").open() as file:
        exported = list(csv.DictReader(file))
    # Who meets again plays other boards.
    assert len({(frozenset(row["bots"].split()), row["board"]) for row in exported}) == 3 * pairings
    toml = tmp_path / "again.toml"
    toml.write_text(six("show", "x").stdout.replace('name = "x"', 'name = "y"'))
    assert six("run", "--config", toml, "--seed", "1", "--quiet").exit_code == 0
    assert boards_of(home, "y") == boards


@pytest.mark.parametrize("schedule_id", FORMATS)
def test_an_adaptive_tournament_that_is_interrupted_again_and_again_ends_in_the_same_boards(
    six: Call, home: Home, executor: "Interrupting", schedule_id: str
) -> None:
    run = ("run", "--game", "landlord", "--bots", SIX, "--boards", "4", "--seed", "2", "--schedule", schedule_id)
    assert six(*run, "--name", "whole", "--quiet").exit_code == 0
    rooms = 0

    def fails(room: Room) -> bool:
        nonlocal rooms
        rooms += 1
        return rooms % 3 > 0

    executor.fails = fails
    codes = [six(*run, "--name", "parts", "--quiet").exit_code for _ in range(4)]
    executor.fails = lambda room: False
    assert six(*run, "--name", "parts", "--quiet").exit_code == 0
    assert 1 in codes
    assert boards_of(home, "parts") == boards_of(home, "whole")
    assert six("verify", "parts").exit_code == 0


class Interrupting:
    """What the fixture ``executor`` gives, as far as it is used here."""

    fails: Callable[[Room], bool]
    rooms: list[Room]


def test_a_pairing_begins_as_soon_as_the_results_decide_it_and_not_before(six: Call, executor: Interrupting) -> None:
    executor.rooms.clear()
    run = ("run", "--name", "x", "--game", "landlord", "--bots", SIX, "--boards", "2", "--seed", "1", "--quiet")
    assert six(*run, "--schedule", "swiss").exit_code == 0
    rounds = [room.pairing // 3 for room in executor.rooms]
    assert rounds == sorted(rounds)
    assert len(rounds) == 18


@pytest.mark.usefixtures("database")
def test_a_result_that_others_rest_on_is_not_voided(six: Call) -> None:
    run = ("run", "--name", "x", "--game", "landlord", "--bots", SIX, "--boards", "2", "--seed", "1", "--quiet")
    assert six(*run, "--schedule", "knockout").exit_code == 0
    refused = six("void", "x/landlord/0/0/0", "--why", "test")
    assert refused.exit_code == 2
    assert "who meets in pairing 2 follows from it" in refused.stderr
    assert six("void", "x/landlord/4/0/0", "--why", "test").exit_code == 0
    assert six("run", "--name", "x", "--quiet").exit_code == 0
    assert six("verify", "x").exit_code == 0


def test_an_earlier_tournament_seeds_a_knockout(six: Call) -> None:
    run = ("run", "--game", "landlord", "--boards", "3", "--seed", "1", "--quiet", "--bots")
    assert six(*run, "first,random", "--name", "league").exit_code == 0
    best = [row["bot"] for row in json.loads(six("ratings", "league", "--format", "json").stdout)]
    done = six(*run, "random,a,b,first", "--name", "x", "--schedule", "knockout", "--seeds-from", "league")
    assert done.exit_code == 0, done.output
    shown = json.loads(six("show", "x", "--format", "json").stdout)["configuration"]
    assert [bot["bot"] for bot in shown["pools"][0]["bots"]] == [*best, "a", "b"]
    assert shown["seeds_from"] == "league"
    again = six("run", "--name", "x", "--seeds-from", "cup")
    assert again.exit_code == 2
    assert "seeds-from: league, not cup" in again.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--schedule", "swiss", "--bench-after", "3"), "--bench-after 3 with --schedule swiss: 0 is allowed"),
        (("--rounds", "3"), "--rounds 3 with --schedule round-robin: it is for swiss and playoff"),
        (("--rounds", "0", "--schedule", "swiss"), "--rounds 0: 1 or more is allowed"),
        (("--third-place",), "only a knockout has one"),
        (("--schedule", "swiss", "--seeds-from", "cup"), "--seeds-from with --schedule swiss: it is for knockout"),
        (("--schedule", "knockout", "--seeds-from", "cap"), "unknown tournament 'cap'"),
        (("--schedule", "swiss", "--add", "random"), "--add random: tournament 'x' is new: --bots says who plays"),
    ],
)
def test_options_that_do_not_fit_are_refused(cup: Call, words: tuple[str, ...], message: str) -> None:
    done = cup("run", "--name", "x", "--game", "landlord", "--bots", "random,first", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


class Simulated:
    """Ten bots whose skills are known."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.skills = [MU + self.chance.gauss(0, 3) for _ in range(10)]
        self.boards: list[Board] = []

    def play(self, first: int, second: int) -> Tally:
        performances = [[self.chance.gauss(self.skills[bot], BETA) for bot in (first, second)] for _ in range(20)]
        won = sum(own > other for own, other in performances)
        self.boards += [Board((first, second), (float(own > other), float(other > own))) for own, other in performances]
        return Tally((won, 20 - won), (won, 20 - won), 0)

    def held(self) -> list[bool]:
        """Whether the truth lies in the 95 % intervals, leader first."""
        level = sum(self.skills) / len(self.skills) - MU
        rows = rate(self.boards, bots=range(10)).ranked()
        return [abs(row.mu - (self.skills[int(row.bot)] - level)) < row.half_width for row in rows]


def covered(schedule_id: str, tournaments: int) -> tuple[float, float]:
    """Return how often the intervals of all bots hold the truth, and how often the leader's does."""
    held = []
    for seed in range(tournaments):
        simulated = Simulated(seed)
        play_out(find_schedule(schedule_id)(10, 2, SEED, 5), simulated.play)
        held.append(simulated.held())
    return sum(map(sum, held)) / (10 * tournaments), sum(each[0] for each in held) / tournaments


def test_the_intervals_of_a_swiss_hold_and_those_of_a_playoff_do_not() -> None:
    whole, leaders = covered("swiss", 30)
    assert whole > 0.9
    assert leaders > 0.8
    _, leaders = covered("playoff", 12)
    assert leaders < 0.7
