"""Positions of Landlord as text, what each viewer knows of the cards, and what is drawn anew for those unknown."""

import pickle
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardpit.games import ALL, PUBLIC, Event, Observation, State, Value, find_game
from cardpit.games.landlord_deal import PACK
from cardpit.games.seeds import derive

GAME = find_game("landlord")
VIEWERS = (0, 1, PUBLIC, ALL)
few = settings(max_examples=25, deadline=None, database=None)
numbers = st.integers(0, 2**32)
PARAMETERS: dict[str, Value] = {
    "all_pass": "redeal",
    "max_grabs": 3,
    "four_plus_pair_as_singles": True,
    "bomb_x2": False,
    "spring_x2": False,
    "cap": 7,
}


def states(number: int, parameters: dict[str, Value]) -> Iterator[State]:
    """Yield the states of a random match in which few call, so that some deals are redealt."""
    rng = Random(number)
    state = GAME.deal(derive(bytes(32), str(number)), 2, parameters)
    yield state
    while state.outcome is None:
        (seat,) = state.turn
        legal = state.legal_actions(seat)
        state = state.apply({seat: rng.choice((*legal, *("no",) * 2 * ("call" in legal)))})
        yield state


def everything(state: State) -> tuple[object, ...]:
    return (
        state.text,
        state.turn,
        state.outcome,
        state.chance,
        [state.legal_actions(seat) for seat in (0, 1)],
        [state.observe(viewer) for viewer in VIEWERS],
    )


def cards(observation: Observation) -> list[str]:
    return [card for zone in observation.zones for card in zone.cards]


def other_hand(state: State, viewer: int) -> tuple[set[str], int]:
    (zone,) = (z for z in state.observe(viewer).zones if z.name == "hand" and z.owner == 1 - viewer)
    return set(zone.cards), zone.unseen


@few
@given(numbers, st.sampled_from([{}, PARAMETERS]))
def test_a_position_is_read_back_from_its_text_exactly(number: int, parameters: dict[str, Value]) -> None:
    for state in states(number, parameters):
        assert everything(GAME.parse(state.text)) == everything(state)


@few
@given(numbers)
def test_a_match_goes_on_from_its_text_as_it_would_have(number: int) -> None:
    played = list(states(number, PARAMETERS))
    for state in played[:: max(1, len(played) // 4)]:
        copy = GAME.parse(state.text)
        for later in played[played.index(state) + 1 :]:
            told = later.text.rpartition(" | ")[2]
            (turn,) = copy.turn
            copy = copy.apply({turn: "no" if told == "redeal" else told[2:]})
            assert copy.text == later.text
            assert copy.chance == later.chance


def test_the_text_names_only_the_parameters_that_differ() -> None:
    seed = bytes(32)
    assert GAME.deal(seed).text.startswith(f"landlord seed={'00' * 32} deal=0 first=")
    text = GAME.deal(seed, 2, PARAMETERS).text
    assert text.startswith(
        "landlord all_pass=redeal max_grabs=3 four_plus_pair_as_singles=true bomb_x2=false spring_x2=false cap=7 seed="
    )


def test_a_position_by_ranks_has_each_card_once_and_is_read_back() -> None:
    state = GAME.parse("55566678/77889 grabs=2 cap=8 | 0 play 555+6 | 1 pass")
    assert sorted(cards(state.observe(ALL))) == sorted(PACK)
    assert everything(GAME.parse(state.text)) == everything(state)
    assert dict(state.observe(0).counters)["ceded"] == 2
    assert state.turn == (0,)


def test_a_state_can_be_pickled() -> None:
    for state in states(3, {}):
        assert everything(pickle.loads(pickle.dumps(state))) == everything(state)


@few
@given(numbers, st.sampled_from([{}, PARAMETERS]), st.sampled_from([0, 1]))
def test_what_a_seat_cannot_know_may_change_and_it_sees_no_difference(
    number: int, parameters: dict[str, Value], seat: int
) -> None:
    rng = Random(number)
    for state in states(number, parameters):
        drawn = state.resample(seat, rng)
        assert drawn.observe(seat) == state.observe(seat)
        assert drawn.observe(PUBLIC) == state.observe(PUBLIC)
        assert drawn.legal_actions(seat) == state.legal_actions(seat)
        assert (drawn.turn, drawn.outcome) == (state.turn, state.outcome)
        assert sorted(cards(drawn.observe(ALL))) == sorted(PACK)
        assert everything(GAME.parse(drawn.text)) == everything(drawn)


def test_a_drawn_state_has_other_hidden_cards_and_another_seed() -> None:
    for state in states(5, {}):
        if state.outcome is None:
            drawn = [state.resample(0, Random(number)) for number in range(20)]
            assert len({str(d.observe(ALL)) for d in drawn}) > 1
            assert not any(derive(bytes(32), "5").hex() in d.text for d in drawn)
            assert all(
                d.text == e.text for d, e in zip(drawn, [state.resample(0, Random(n)) for n in range(20)], strict=True)
            )


def test_what_is_drawn_does_not_depend_on_what_is_hidden() -> None:
    for state in states(6, {}):
        hidden = state.resample(1, Random(1))
        assert hidden.resample(1, Random(2)).text == state.resample(1, Random(2)).text


def test_each_unknown_card_may_be_anywhere_it_can_be() -> None:
    state = next(iter(states(7, {})))
    own = next(set(z.cards) for z in state.observe(0).zones if z.name == "hand" and z.owner == 0)
    found = {
        (z.name, z.owner, card)
        for number in range(400)
        for z in state.resample(0, Random(number)).observe(ALL).zones
        for card in z.cards
    }
    for card in set(PACK) - own:
        assert {place[:2] for place in found if place[2] == card} == {("hand", 1), ("bottom", None), ("unused", None)}


@few
@given(numbers)
def test_a_played_card_never_comes_back_and_a_shown_bottom_card_stays_until_it_is_played(number: int) -> None:
    shown: set[str] = set()
    landlord = -1
    for state in states(number, {}):
        view = state.observe(ALL)
        if view.phase == "auction":
            continue
        if landlord < 0:
            landlord = dict(view.counters)["landlord"]
            (bottom,) = (event.text for event in view.events if event.text.startswith("bottom"))
            shown = set(bottom.split()[1:])
        played = {card for z in view.zones if z.name in ("trick", "played") and z.owner == landlord for card in z.cards}
        held = {card for z in view.zones if z.name == "hand" and z.owner == landlord for card in z.cards}
        assert len(played) + len(held) == 20
        known, unseen = other_hand(state, 1 - landlord)
        assert known == shown - played
        assert known <= held
        assert len(known) + unseen == len(held)
        ranks_played = [card[0] for card in played]
        for rank in {card[0] for card in shown}:
            of_rank = {card for card in shown if card[0] == rank}
            assert len(of_rank - played) == max(0, len(of_rank) - ranks_played.count(rank))


def test_which_suit_is_played_first_tells_nothing_of_those_that_stay() -> None:
    first_suits = set()
    for number in range(60):
        for state in states(number, {"max_grabs": 0}):
            for zone in state.observe(PUBLIC).zones:
                if zone.name == "trick" and len(zone.cards) == 1:
                    first_suits.add(zone.cards[0][1:])
    assert first_suits >= set("SHDC")


@pytest.mark.parametrize("viewer", [0, 1])
def test_events_go_back_to_the_seats_own_last_action(viewer: int) -> None:
    told: list[Event] = []
    for state in states(8, {}):
        told += state.observe(ALL).events
        own = [place for place, event in enumerate(told) if event.seat == viewer]
        assert list(state.observe(viewer).events) == told[own[-1] if own else 0 :]
