"""Whole matches of Speed: cards are conserved, all end, and no seat is better than the other."""

from math import sqrt
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from cardpit.cards import PACK
from cardpit.games import State, Value
from cardpit.games.speed import SpeedState
from cardpit.games.speed_hands import cards_of
from games.real_time_tables import SEED, SPEED, all_cards, any_action, counter, first_action, playouts, states

switches = st.fixed_dictionaries(
    {
        "side": st.sampled_from(["10", "5"]),
        "refill": st.sampled_from(["action", "auto"]),
        "stall": st.integers(1, 4),
        "target": st.sampled_from([0, 0, 10]),
    }
)
some_matches = settings(max_examples=12, deadline=None, database=None)


def test_many_matches_of_any_actions_end_within_the_longest() -> None:
    ticks, longest, wins = playouts(SPEED, 10_000, any_action)
    assert ticks > 10_000 * 15
    assert longest <= SPEED.longest_match
    assert sum(wins) <= 10_000


def test_many_greedy_matches_end_within_fifty_ticks_or_so() -> None:
    ticks, longest, _ = playouts(SPEED, 10_000, first_action)
    assert 20 < ticks / 10_000 < 40
    assert longest <= 100


@some_matches
@given(parameters=switches, seed=st.binary(min_size=32, max_size=32), choices=st.integers(0, 99))
def test_all_52_cards_are_there_after_every_step_of_every_variation(
    parameters: dict[str, Value], seed: bytes, choices: int
) -> None:
    for state in states(SPEED.deal(seed, 2, parameters), (any_action, any_action), Random(choices)):
        assert all_cards(state) == sorted(PACK)


def test_two_that_never_act_end_in_a_deadlock() -> None:
    last = SPEED.deal(SEED)
    while last.outcome is None:
        last = last.apply({0: "pass", 1: "pass"})
    assert last.outcome.payoffs == (0.5, 0.5)
    assert counter(last, "tick") < 100


def test_equal_greedy_players_win_as_often_in_either_seat() -> None:
    _, _, wins = playouts(SPEED, 400, first_action)
    assert sum(wins) > 350
    assert abs(wins[0] - sum(wins) / 2) <= 2.6 * sqrt(sum(wins)) / 2


def test_the_priority_is_fair_and_does_not_depend_on_what_is_played() -> None:
    bits: dict[tuple[int, int], str] = {}
    for board in range(200):
        for choices in range(2):
            rng = Random(choices)
            state = SPEED.deal(board.to_bytes(32, "big"))
            while state.outcome is None:
                at = (board, counter(state, "tick"))
                state = state.apply({seat: any_action(state, seat, rng) for seat in state.turn})
                if state.chance and state.chance[0].startswith("bit"):
                    assert bits.setdefault(at, state.chance[0]) == state.chance[0]
    ones = sum(text == "bit 1" for text in bits.values())
    assert len(bits) > 800
    assert abs(ones - len(bits) / 2) <= 2.6 * sqrt(len(bits)) / 2


@some_matches
@given(parameters=switches, seed=st.binary(min_size=32, max_size=32), choices=st.integers(0, 99))
def test_a_text_is_read_back_as_the_same_position(parameters: dict[str, Value], seed: bytes, choices: int) -> None:
    for number, state in enumerate(states(SPEED.deal(seed, 2, parameters), (any_action, any_action), Random(choices))):
        if number % 5 == 0:
            again = SPEED.parse(state.text)
            assert again == state
            assert hash(again) == hash(state)
            assert again.observe(1) == state.observe(1)
            assert again.chance == state.chance
            if state.turn:
                actions = {seat: state.legal_actions(seat)[0] for seat in state.turn}
                assert again.apply(actions) == state.apply(actions)


@some_matches
@given(parameters=switches, seed=st.binary(min_size=32, max_size=32), choices=st.integers(0, 99))
def test_the_true_hand_always_agrees_with_what_is_known_of_it(
    parameters: dict[str, Value], seed: bytes, choices: int
) -> None:
    rng = Random(choices)
    for state in states(SPEED.deal(seed, 2, parameters), (any_action, any_action), rng):
        for seat in range(2):
            assert_agrees(state, seat)
            assert_agrees(state.resample(1 - seat, rng), seat)


def assert_agrees(state: State, seat: int) -> None:
    assert isinstance(state, SpeedState)
    assert state.clues_of(seat).agree(cards_of(state.hand(seat)), seen_by_all=False)
