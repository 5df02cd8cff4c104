"""The schedules: who meets whom, how evenly, and that each pairing is a function of its number."""

import tracemalloc
from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import pytest

from cardpit.games.seeds import derive
from tournament.schedule import (
    ADAPTIVE,
    SCHEDULES,
    BadSchedule,
    NoSuchPairing,
    Schedule,
    Tally,
    UnknownSchedule,
    find_schedule,
)
from tournament.schedule.every_table import combination
from tournament.schedule.permutation import Permutation

SEED = derive(bytes(32), "test")


def plan(schedule_id: str, bots: int, seats: int, rounds: int | None = None, seed: bytes = SEED) -> Schedule:
    return find_schedule(schedule_id)(bots, seats, seed, rounds)


def meetings(schedule: Schedule) -> list[int]:
    """Return how often each two bots meet, those that never do included."""
    met = Counter(frozenset(pair) for table in schedule for pair in combinations(table, 2))
    return [met[frozenset(pair)] for pair in combinations(range(schedule.bots), 2)]


@pytest.mark.parametrize("bots", [2, 3, 4, 5, 8, 9, 30, 31])
def test_every_pair_meets_once_in_every_cycle(bots: int) -> None:
    schedule = plan("round-robin", bots, 2, rounds=3)
    pairs = comb(bots, 2)
    assert schedule.total == 3 * pairs
    everybody = {frozenset(pair) for pair in combinations(range(bots), 2)}
    played = [frozenset(pair) for pair in schedule]
    for cycle in range(3):
        assert set(played[cycle * pairs : (cycle + 1) * pairs]) == everybody


@pytest.mark.parametrize("bots", [2, 3, 4, 5, 8, 9, 30, 31])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_nobody_is_first_more_than_once_oftener_than_second(bots: int, rounds: int) -> None:
    schedule = plan("round-robin", bots, 2, rounds)
    first, second = (Counter(pair[seat] for pair in schedule) for seat in (0, 1))
    assert all(abs(first[bot] - second[bot]) <= rounds % 2 for bot in range(bots))


@pytest.mark.parametrize("bots", [8, 9])
def test_bots_of_a_round_robin_play_and_lead_equally_often_at_any_time(bots: int) -> None:
    played: Counter[int] = Counter()
    lead: Counter[int] = Counter()
    for first, second in plan("round-robin", bots, 2, rounds=2):
        played.update((first, second))
        lead.update({first: 1, second: -1})
        counts = [played[bot] for bot in range(bots)]
        assert max(counts) - min(counts) <= 2
        assert max(map(abs, lead.values())) <= 2


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("bots", [7, 12, 20, 31])
def test_each_round_of_tables_seats_every_bot_once_in_each_place(bots: int, seats: int) -> None:
    schedule = plan("round-robin", bots, seats, rounds=2)
    assert schedule.total == 2 * bots
    tables = list(schedule)
    for start in (0, bots):
        for seat in range(seats):
            assert sorted(table[seat] for table in tables[start : start + bots]) == list(range(bots))
    assert all(len(set(table)) == seats for table in tables)


def test_two_hundred_tables_of_four_among_twenty_meet_six_or_seven_times() -> None:
    met = meetings(plan("round-robin", 20, 4, rounds=10))
    assert (min(met), max(met)) == (6, 7)


def test_bots_meet_within_one_of_each_other_in_most_cases_and_within_two_in_all() -> None:
    spreads: Counter[int] = Counter()
    for bots in range(4, 23, 3):
        for seats in (3, 4, 5, 6):
            if bots > seats:
                met = meetings(plan("round-robin", bots, seats, rounds=3))
                spreads[max(met) - min(met)] += 1
    assert max(spreads) <= 2
    assert spreads[2] <= 0.2 * spreads.total()


@pytest.mark.parametrize(("bots", "seats"), [(7, 3), (13, 4), (7, 6), (6, 5), (11, 5), (11, 6)])
def test_all_meet_equally_often_where_the_numbers_allow(bots: int, seats: int) -> None:
    met = meetings(plan("round-robin", bots, seats, rounds=1))
    assert set(met) == {seats * (seats - 1) // (bots - 1)}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_everybody_meets_everybody_without_a_number_of_rounds(seats: int) -> None:
    for bots in (seats, seats + 1, 10, 16, 25, 40):
        schedule = plan("round-robin", bots, seats)
        assert min(meetings(schedule)) >= 1
        assert schedule.total <= 3 * bots * max(bots, 20) / (seats * (seats - 1)) + bots


def test_as_many_bots_as_seats_are_the_one_table() -> None:
    for seats in (2, 3, 4, 6):
        schedule = plan("round-robin", seats, seats)
        assert schedule.total == 1
        assert sorted(schedule.pairing(0)) == list(range(seats))
        assert plan("round-robin", seats, seats, rounds=3).total == 3


@pytest.mark.parametrize("schedule_id", [each for each in SCHEDULES if each not in ADAPTIVE])
@pytest.mark.parametrize(("bots", "seats"), [(9, 2), (12, 2), (11, 3), (12, 4), (13, 6)])
def test_a_pairing_is_a_function_of_its_number(schedule_id: str, bots: int, seats: int) -> None:
    schedule = plan(schedule_id, bots, seats, rounds=2)
    pairings = list(schedule)
    assert len(pairings) == len(schedule) == schedule.total
    order = list(range(schedule.total))
    Random(1).shuffle(order)
    again = plan(schedule_id, bots, seats, rounds=2)
    assert all(again.pairing(g) == pairings[g] for g in order[:300])
    assert list(plan(schedule_id, bots, seats, rounds=2, seed=derive(SEED, "other"))) != pairings


def test_the_pairings_of_a_seed_never_change() -> None:
    assert [plan("round-robin", 7, 2).pairing(g) for g in range(3)] == [(2, 3), (0, 5), (4, 1)]
    assert [plan("round-robin", 12, 4).pairing(g) for g in (0, 1, 20)] == [(7, 1, 0, 9), (1, 10, 3, 11), (5, 8, 3, 7)]
    assert [plan("gauntlet", 12, 4).pairing(g) for g in (0, 1, 7)] == [(0, 7, 3, 10), (8, 0, 6, 2), (11, 10, 8, 0)]
    assert [plan("every-table", 12, 4).pairing(g) for g in (0, 1, 494)] == [(1, 5, 7, 9), (0, 2, 8, 10), (1, 2, 4, 8)]
    assert [plan("swiss", 7, 2).pairing(g) for g in range(3)] == [(0, 6), (1, 4), (3, 5)]
    assert [plan("knockout", 7, 2).pairing(g) for g in range(3)] == [(3, 4), (1, 6), (2, 5)]
    assert [plan("playoff", 7, 2).pairing(g) for g in range(4)] == [(2, 6), (6, 3), (6, 0), (4, 1)]


def test_the_pairings_of_a_seed_and_its_results_never_change() -> None:
    for schedule_id, size, expected in (
        ("swiss", 3, [(0, 2), (1, 3), (4, 5)]),
        ("playoff", 4, [(1, 0), (2, 5), (0, 5), (2, 3)]),
    ):
        schedule = plan(schedule_id, 7, 2)
        won = [(int(first < second), int(second < first)) for first, second in map(schedule.pairing, range(size))]
        results = {g: Tally((float(wins[0]), float(wins[1])), wins, 0) for g, wins in enumerate(won)}
        assert [schedule.after(results).pairing(g) for g in range(size, 2 * size)] == expected


def test_a_thousand_bots_are_planned_without_a_list_of_their_pairings() -> None:
    schedule = plan("round-robin", 1000, 2)
    assert schedule.total == 499_500
    assert len({frozenset(schedule.pairing(g)) for g in range(0, schedule.total, 997)}) == 502


def test_memory_does_not_grow_with_the_pairings_gone_through() -> None:
    schedule = plan("round-robin", 400, 2)
    tracemalloc.start()
    try:
        assert sum(1 for _ in zip(range(20_000), schedule, strict=False)) == 20_000
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_challengers_meet_all_others_equally_often_and_never_one_another(seats: int) -> None:
    schedule = find_schedule("gauntlet")(12, seats, SEED, 2, (3, 8))
    assert schedule.total == 2 * 2 * 10
    for challenger in (3, 8):
        tables = [table for table in schedule if challenger in table]
        met = Counter(bot for table in tables for bot in table if bot != challenger)
        assert set(met.values()) == {2 * (seats - 1)}
        assert sorted(met) == [bot for bot in range(12) if bot not in {3, 8}]
        seated = Counter(table.index(challenger) for table in tables)
        assert max(seated.values()) - min(seated[seat] for seat in range(seats)) <= 1
    assert all(len({3, 8} & set(table)) == 1 and len(set(table)) == seats for table in schedule)


def test_a_gauntlet_is_run_by_the_first_bot_if_none_is_named() -> None:
    assert {table[0] if g % 2 == 0 else table[1] for g, table in enumerate(plan("gauntlet", 5, 2))} == {0}
    assert plan("gauntlet", 4, 4).total == 1


@pytest.mark.parametrize(("bots", "seats"), [(5, 2), (8, 3), (9, 6)])
def test_every_table_comes_once_in_each_round(bots: int, seats: int) -> None:
    schedule = plan("every-table", bots, seats, rounds=2)
    tables = list(schedule)
    everything = set(combinations(range(bots), seats))
    assert set(tables[: len(everything)]) == set(tables[len(everything) :]) == everything
    assert tables[: len(everything)] != sorted(everything)


def test_combinations_are_found_by_rank() -> None:
    assert sorted(combination(rank, 3) for rank in range(comb(9, 3))) == list(combinations(range(9), 3))
    assert combination(comb(10**6, 6) - 1, 6) == tuple(range(10**6 - 6, 10**6))


@pytest.mark.parametrize("size", [1, 2, 3, 16, 17, 1000])
def test_a_permutation_holds_every_number_once(size: int) -> None:
    permutation = Permutation(size, SEED, "test")
    order = [permutation.place(index) for index in range(size)]
    assert sorted(order) == list(range(size))
    assert size < 16 or order != sorted(order)


@pytest.mark.parametrize(
    ("schedule_id", "sizes", "challengers", "message"),
    [
        ("round-robin", (3, 4, None), (), r"3 bots for 4 seats: at least 4 bots are needed"),
        ("round-robin", (9, 7, None), (), r"7 seats: allowed are 2 to 6"),
        ("round-robin", (9, 1, None), (), r"1 seats: allowed are 2 to 6"),
        ("round-robin", (9, 2, 0), (), r"0 rounds: allowed are 1 or more"),
        ("round-robin", (9, 2, None), (1,), r"challengers \[1\] in a round robin: only a gauntlet has challengers"),
        ("every-table", (9, 2, None), (1,), r"challengers \[1\] at every table: only a gauntlet has challengers"),
        ("gauntlet", (9, 2, None), (9,), r"challengers \[9\]: allowed are 0 to 8, one or more, each once"),
        ("gauntlet", (9, 2, None), (1, 1), r"challengers \[1, 1\]: allowed are 0 to 8, one or more, each once"),
        ("gauntlet", (9, 2, None), (), r"challengers \[\]: allowed are 0 to 8, one or more, each once"),
        ("gauntlet", (5, 4, None), (0, 1, 2), r"2 bots beside 3 challengers for 4 seats: at least 3 others are needed"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(
    schedule_id: str, sizes: tuple[int, int, int | None], challengers: tuple[int, ...], message: str
) -> None:
    bots, seats, rounds = sizes
    with pytest.raises(BadSchedule, match=message):
        find_schedule(schedule_id)(bots, seats, SEED, rounds, challengers)


def test_a_short_seed_is_refused() -> None:
    with pytest.raises(BadSchedule, match=r"a seed of 4 bytes: it has 32"):
        plan("round-robin", 4, 2, seed=b"seed")


def test_a_pairing_beyond_the_last_is_refused() -> None:
    schedule = plan("round-robin", 4, 2)
    for g in (-1, 6):
        with pytest.raises(NoSuchPairing, match=rf"pairing {g} of 6: allowed are 0 to 5"):
            schedule.pairing(g)


def test_an_unknown_schedule_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(
        UnknownSchedule, match=r"unknown schedule 'swis': known are round-robin, gauntlet, every-table, swiss"
    ):
        find_schedule("swis")
