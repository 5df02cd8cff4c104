"""Whole matches of Spit: cards are conserved, all end, and no seat is better than the other."""

import os
from math import sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardpit.cards import PACK
from cardpit.games import ALL, PUBLIC, Value
from games.real_time_tables import (
    SEED,
    SPIT,
    Policy,
    all_cards,
    any_action,
    both,
    counter,
    first_action,
    playouts,
    spit_table,
    states,
    zone,
)

MATCHES = int(os.environ.get("CARDPIT_SPIT_MATCHES", "500"))
"""Ten thousand take over a minute: ``make soak`` plays them."""
LONGEST_LAYOUT = SPIT.longest_match // 100

switches = st.fixed_dictionaries(
    {
        "four_piles": st.booleans(),
        "winner_chooses": st.booleans(),
        "alternate_colours": st.booleans(),
        "slap_tie": st.sampled_from(["coin", "finisher"]),
        "stack_equal": st.booleans(),
        "auto_flip": st.booleans(),
        "must_play": st.booleans(),
        "literal_win": st.booleans(),
    }
)
some_matches = settings(max_examples=8, deadline=None, database=None)


@pytest.mark.parametrize("policy", [any_action, first_action])
def test_many_matches_end_within_the_longest(policy: Policy) -> None:
    ticks, longest, wins = playouts(SPIT, MATCHES, policy)
    assert ticks > 100 * MATCHES
    assert longest <= SPIT.longest_match
    assert sum(wins) == MATCHES


@some_matches
@given(parameters=switches, seed=st.binary(min_size=32, max_size=32), choices=st.integers(0, 99))
def test_all_52_cards_are_there_after_every_step_of_every_variation(
    parameters: dict[str, Value], seed: bytes, choices: int
) -> None:
    ticks = 0
    layout = 1
    for state in states(SPIT.deal(seed, 2, parameters), (any_action, any_action), Random(choices)):
        assert all_cards(state) == sorted(PACK)
        if state.outcome is None and counter(state, "layout") != layout:
            layout, ticks = counter(state, "layout"), 0
        ticks += 1
        assert ticks <= LONGEST_LAYOUT + 20


def test_two_that_never_act_end_at_the_cap() -> None:
    state = SPIT.deal(SEED)
    ticks = 0
    while state.outcome is None:
        state = state.apply({seat: state.default_action(seat) for seat in state.turn})
        ticks += 1
    assert counter(state, "layout") == 100 or max(state.outcome.margins) == 52
    assert ticks <= SPIT.longest_match


def test_equal_greedy_players_win_as_often_in_either_seat() -> None:
    _, _, wins = playouts(SPIT, 400, first_action)
    assert sum(wins) == 400
    assert abs(wins[0] - 200) <= 2.6 * sqrt(400) / 2


def test_the_priority_is_fair_and_does_not_depend_on_what_is_played() -> None:
    bits: dict[tuple[int, int, int], str] = {}
    for board in range(6):
        for choices in range(2):
            rng = Random(choices)
            state = SPIT.deal(board.to_bytes(32, "big"))
            while state.outcome is None:
                at = (board, counter(state, "layout"), counter(state, "tick"))
                state = state.apply({seat: any_action(state, seat, rng) for seat in state.turn})
                if state.chance and state.chance[0].startswith("bit"):
                    assert bits.setdefault(at, state.chance[0]) == state.chance[0]
    ones = sum(text == "bit 1" for text in bits.values())
    assert len(bits) > 300
    assert abs(ones - len(bits) / 2) <= 2.6 * sqrt(len(bits)) / 2


@some_matches
@given(parameters=switches, seed=st.binary(min_size=32, max_size=32), choices=st.integers(0, 99))
def test_a_text_is_read_back_as_the_same_position(parameters: dict[str, Value], seed: bytes, choices: int) -> None:
    for number, state in enumerate(states(SPIT.deal(seed, 2, parameters), (any_action, any_action), Random(choices))):
        if number % 17 == 0 or state.observe(0).phase != "play":
            again = SPIT.parse(state.text)
            assert again == state
            assert hash(again) == hash(state)
            assert again.observe(1) == state.observe(1)
            assert again.chance == state.chance
            if state.turn:
                actions = {seat: state.legal_actions(seat)[-1] for seat in state.turn}
                assert again.apply(actions) == state.apply(actions)


@some_matches
@given(seed=st.binary(min_size=32, max_size=32), choices=st.integers(0, 99))
def test_a_state_dealt_anew_agrees_with_all_that_was_ever_shown(seed: bytes, choices: int) -> None:
    """Whoever a card was seen to belong to in an earlier layout has it in every state dealt anew."""
    rng = Random(choices)
    owners: dict[str, int] = {}
    layout = 0
    for state in states(SPIT.deal(seed), (any_action, any_action), rng):
        if counter(state, "layout") != layout and state.outcome is None:
            layout = counter(state, "layout")
            for text in state.chance:
                if text.startswith(f"deal {layout} "):
                    owners |= {card: int(text.split()[2]) for card in text.split()[3:] if card in owners}
        shown = [(z.owner, card) for z in state.observe(PUBLIC).zones for card in z.cards]
        if rng.random() < 0.05:
            other = state.resample(0, rng)
            assert other.observe(0) == state.observe(0)
            assert all_cards(other) == sorted(PACK)
            for hidden in other.observe(ALL).zones:
                for card in hidden.cards:
                    if card in owners and hidden.owner is not None and (hidden.owner, card) not in shown:
                        assert owners[card] == hidden.owner
        owners |= {card: -1 if owner is None else owner for owner, card in shown}


def test_cards_that_nobody_has_seen_may_be_either_players() -> None:
    state = SPIT.deal(SEED)
    rng = Random(1)
    own = {card for z in state.observe(ALL).zones if z.owner == 0 for card in z.cards}
    counts = [
        sum(card in own for z in state.resample(0, rng).observe(ALL).zones if z.owner == 0 for card in z.cards)
        for _ in range(100)
    ]
    assert 5 + 10 < sum(counts) / 100 < 5 + 13


def test_cards_of_a_taken_pile_stay_with_their_new_owner_in_states_dealt_anew() -> None:
    pile1 = "".join(card for card in PACK if card[1] in "SH")
    state = spit_table("9C", "9D", pile0="8C", pile1=pile1, phase="slap", finisher=0)
    after = both(state, "slap 1", "slap 0")
    rng = Random(2)
    for _ in range(20):
        other = after.resample(1, rng)
        owned = [zone(other, f"slot {slot}", 0).cards for slot in range(5)] + [zone(other, "spit", 0).cards]
        mine = {card for part in owned for card in part}
        assert mine == {*PACK[:26], "9C"} - set(zone(other, "pile 0").cards)
