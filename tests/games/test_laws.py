"""The laws that every registered game obeys, whatever is played."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardpit.cards import UNSEEN, parse_cards
from cardpit.games import ALL, GAMES, PUBLIC, BadPosition, Event, Game, IllegalAction, Observation, State, Value, Zone

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
turn_based = {name: game for name, game in GAMES.items() if not game.real_time}
every_turn_based_game = pytest.mark.parametrize("game", turn_based.values(), ids=turn_based.keys())
few = settings(max_examples=5, deadline=None, database=None, suppress_health_check=list(HealthCheck))
seeds = st.binary(min_size=32, max_size=32)
NO_MATCH_IS_LONGER = 20
"""With parameters of all kinds, no match is so many times as long as the longest with default ones."""


class Match(NamedTuple):
    """A way to play a match: everything follows from it."""

    game: Game
    seed: bytes
    seats: int
    parameters: dict[str, Value]
    choices: int

    def deal(self) -> State:
        return self.game.deal(self.seed, self.seats, self.parameters)

    def views(self) -> tuple[int, ...]:
        return (*range(self.seats), PUBLIC, ALL)

    def states(self) -> Iterator[State]:
        """Yield every state of a match of random choices, up to a length that no match has."""
        rng = Random(self.choices)
        state = self.deal()
        yield state
        for _ in range(NO_MATCH_IS_LONGER * self.game.longest_match * self.seats):
            if state.outcome is not None:
                return
            state = state.apply(random_actions(state, rng))
            yield state

    def moments(self, number: int = 5) -> list[State]:
        """Return the first and the last state of a match and some between."""
        states = list(self.states())
        between = Random(self.choices).sample(states[1:-1], min(number, len(states) - 2))
        return [states[0], *between, states[-1]]


def random_actions(state: State, rng: Random) -> dict[int, str]:
    return {seat: rng.choice(state.legal_actions(seat)) for seat in state.turn}


def values(game: Game) -> st.SearchStrategy[dict[str, Value]]:
    """Draw a value for each parameter: the default more often than not."""
    return st.fixed_dictionaries(
        {
            p.name: st.one_of(
                st.just(p.default),
                st.booleans()
                if isinstance(p.default, bool)
                else st.integers(p.low, p.high)
                if isinstance(p.default, int)
                else st.sampled_from(p.choices),
            )
            for p in game.parameters
        }
    )


def a_match(data: st.DataObject, game: Game, standard: bool = False) -> Match:
    return Match(
        game,
        data.draw(seeds, "seed"),
        data.draw(st.integers(game.min_seats, game.max_seats), "seats"),
        {} if standard else data.draw(values(game), "parameters"),
        data.draw(st.integers(0, 2**32), "choices"),
    )


def portrait(state: State, views: Sequence[int]) -> tuple[object, ...]:
    """Return all that can be asked of a state."""
    seats = [view for view in views if view >= 0]
    return (
        state.text,
        state.turn,
        state.outcome,
        state.chance,
        tuple(state.legal_actions(seat) for seat in seats),
        tuple(state.default_action(seat) for seat in state.turn),
        tuple(state.observe(view) for view in views),
    )


def places(observation: Observation) -> dict[tuple[str, int | None], Zone]:
    zones = {(zone.name, zone.owner): zone for zone in observation.zones}
    assert len(zones) == len(observation.zones)
    return zones


def known(zone: Zone) -> list[str]:
    return [card for card in zone.cards if card != UNSEEN]


@every_game
@few
@given(data=st.data())
def test_a_random_playout_ends_within_the_longest_match(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game, standard=True)
    asked = [0] * match.seats
    for state in match.states():
        for seat in state.turn:
            asked[seat] += 1
    assert state.outcome is not None
    assert max(asked) <= game.longest_match


@every_game
@few
@given(data=st.data())
def test_a_match_with_any_parameters_ends(game: Game, data: st.DataObject) -> None:
    *_, last = a_match(data, game).states()
    assert last.outcome is not None
    assert last.turn == ()


@every_game
@few
@given(data=st.data())
def test_apply_never_changes_its_argument(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    rng = Random(match.choices)
    for state in match.moments()[:-1]:
        before = portrait(state, match.views())
        state.apply(random_actions(state, rng)).observe(ALL)
        state.apply(random_actions(state, rng))
        assert portrait(state, match.views()) == before


@every_game
@few
@given(data=st.data())
def test_each_card_is_in_exactly_one_zone_of_every_view(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    pack: list[str] | None = None
    for state in match.moments():
        whole = places(state.observe(ALL))
        assert not any(zone.unseen or UNSEEN in zone.cards for zone in whole.values())
        cards = sorted(card for zone in whole.values() for card in zone.cards)
        assert len(parse_cards(" ".join(cards))) == len(set(cards)) == len(cards)
        assert cards == (pack or cards)
        pack = cards
        for view in match.views():
            seen = places(state.observe(view))
            assert seen.keys() == whole.keys()
            for place, zone in seen.items():
                assert len(zone.cards) + zone.unseen == len(whole[place].cards)
                assert set(known(zone)) <= set(whole[place].cards)


@every_game
@few
@given(data=st.data())
def test_payoffs_are_within_their_bounds_and_agree_with_the_places(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    *_, last = match.states()
    assert last.outcome is not None
    payoffs, seat_places, margins = last.outcome
    assert len(payoffs) == len(seat_places) == len(margins) == match.seats
    if game.zero_sum:
        assert sum(payoffs) == 0
    low, high = game.payoff_bounds(match.seats, game.settle(match.parameters))
    assert all(low <= payoff <= high for payoff in payoffs)
    assert seat_places == tuple(1 + sum(other > payoff for other in payoffs) for payoff in payoffs)


@every_game
@few
@given(data=st.data())
def test_a_forfeit_leaves_the_seat_at_fault_the_worst_payoff(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    *_, last = match.states()
    parameters = game.settle(match.parameters)
    low, high = game.payoff_bounds(match.seats, parameters)
    for seat in range(match.seats):
        outcome = game.forfeit(last, frozenset({seat}), match.seats, parameters)
        assert outcome.payoffs[seat] == low
        assert outcome.places[seat] == match.seats
        assert all(low <= payoff <= high for payoff in outcome.payoffs)
        assert all(place < match.seats for other, place in enumerate(outcome.places) if other != seat)


@every_game
@few
@given(data=st.data())
def test_legal_actions_are_unique_and_the_same_each_time(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    for state in match.moments():
        assert state.turn == tuple(sorted(set(state.turn)))
        again = game.parse(state.text)
        for seat in range(match.seats):
            legal = state.legal_actions(seat)
            assert isinstance(legal, tuple)
            assert len(set(legal)) == len(legal)
            assert bool(legal) == (seat in state.turn)
            assert state.legal_actions(seat) == legal
            assert again.legal_actions(seat) == legal
        for seat in state.turn:
            assert state.default_action(seat) in state.legal_actions(seat)
    assert state.turn == ()


@every_game
@few
@given(data=st.data())
def test_an_action_that_is_not_legal_now_is_refused_and_changes_nothing(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    rng = Random(match.choices)
    moments = match.moments()
    wrong = {"", "no such action", "??"} | {
        action for state in moments for seat in range(match.seats) for action in state.legal_actions(seat)[:40]
    }
    for state in moments[:-1]:
        before = portrait(state, match.views())
        right = random_actions(state, rng)
        for seat in state.turn:
            legal = state.legal_actions(seat)
            bad = [action for action in sorted(wrong) if action not in legal]
            bad += [right[seat] + " ", " " + right[seat], right[seat].upper()]
            for action in bad:
                with pytest.raises(IllegalAction) as refusal:
                    state.apply({**right, seat: action})
                assert (refusal.value.seat, refusal.value.action) == (seat, action)
                assert repr(action) in str(refusal.value)
        assert portrait(state, match.views()) == before


@every_game
@few
@given(data=st.data())
def test_a_missing_or_superfluous_seat_is_refused_and_changes_nothing(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    rng = Random(match.choices)
    for state in match.moments():
        before = portrait(state, match.views())
        right = random_actions(state, rng)
        for seat in state.turn:
            with pytest.raises(IllegalAction):
                state.apply({other: action for other, action in right.items() if other != seat})
        for seat in {*range(match.seats + 1), PUBLIC, ALL} - set(state.turn):
            action = next(iter(right.values()), "pass")
            with pytest.raises(IllegalAction) as refusal:
                state.apply({**right, seat: action})
            assert refusal.value.seat == seat
        assert portrait(state, match.views()) == before


@every_game
@few
@given(data=st.data())
def test_what_a_seat_cannot_know_changes_nothing_that_it_sees(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    rng = Random(match.choices)
    for state in match.moments(8):
        for seat in range(match.seats):
            other = state.resample(seat, rng)
            assert repr(other.observe(seat)) == repr(state.observe(seat))
            assert other.legal_actions(seat) == state.legal_actions(seat)
            assert other.turn == state.turn
            assert other.outcome == state.outcome
            assert other.observe(PUBLIC) == state.observe(PUBLIC)


@every_game
@few
@given(data=st.data())
def test_what_a_seat_cannot_know_is_dealt_anew(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    rng = Random(match.choices)
    state = match.deal()
    for seat in range(match.seats):
        others = [state.resample(seat, rng) for _ in range(6)]
        assert len({repr(other.observe(ALL).zones) for other in others}) > 1
        assert len({other.text for other in others}) == len(others)


@every_game
@few
@given(data=st.data())
def test_a_state_dealt_anew_is_a_state_like_any_other(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    rng = Random(match.choices)
    for state in match.moments(2):
        other = state.resample(rng.randrange(match.seats), rng)
        assert portrait(game.parse(other.text), match.views()) == portrait(other, match.views())
        for _ in range(60):
            if other.outcome is not None:
                break
            other = other.apply(random_actions(other, rng))
        assert portrait(game.parse(other.text), match.views()) == portrait(other, match.views())


@every_game
@few
@given(data=st.data())
def test_the_same_chance_deals_the_same_state_anew(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    for state in match.moments(3):
        assert state.resample(0, Random(7)).text == state.resample(0, Random(7)).text


@every_game
@few
@given(data=st.data())
def test_another_choice_never_changes_how_the_same_cards_fall(game: Game, data: st.DataObject) -> None:
    """What chance decides of the same name and the same cards is the same, whatever was played before."""
    match = a_match(data, game)
    orders: dict[tuple[str, ...], str] = {}
    for choices in range(20):
        for state, _ in zip(match._replace(choices=choices).states(), range(60), strict=False):
            for text in state.chance:
                assert orders.setdefault(tuple(sorted(text.split())), text) == text
    assert orders


@every_game
@few
@given(data=st.data())
def test_a_text_is_read_back_as_the_same_state(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    for state in match.moments():
        assert "\n" not in state.text
        assert portrait(game.parse(state.text), match.views()) == portrait(state, match.views())


@every_game
@settings(few, max_examples=40)
@given(text=st.text())
def test_a_text_that_is_no_position_is_refused(game: Game, text: str) -> None:
    with pytest.raises(BadPosition):
        game.parse(text)


@every_game
@few
@given(data=st.data())
def test_a_damaged_position_is_refused_or_is_another_position(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    rng = Random(match.choices)
    for state in match.moments(3):
        for _ in range(20):
            start = rng.randrange(len(state.text))
            stop = start + rng.choice((0, 1, 1, 2, 9))
            damaged = state.text[:start] + rng.choice(("", "0", "9", "-", " ", "AS", "x", "٣")) + state.text[stop:]
            try:
                other = game.parse(damaged)
            except BadPosition:
                continue
            assert game.parse(other.text).text == other.text


@every_game
@few
@given(data=st.data())
def test_the_public_view_shows_no_card_that_some_seat_may_not_see(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    for state in match.moments(10):
        public = places(state.observe(PUBLIC))
        for seat in range(match.seats):
            seen = places(state.observe(seat))
            for place, zone in public.items():
                assert set(known(zone)) <= set(known(seen[place]))


@every_turn_based_game
@few
@given(data=st.data())
def test_a_seat_sees_its_own_last_action_and_nothing_older(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    rng = Random(match.choices)
    state = match.deal()
    last: dict[int, Event] = {}
    for _ in range(80):
        if state.outcome is not None:
            break
        actions = random_actions(state, rng)
        state = state.apply(actions)
        last |= {seat: Event(seat, action) for seat, action in actions.items()}
        for seat, event in last.items():
            assert state.observe(seat).events[0] == event


WHOLE_MATCHES = """
from hashlib import sha256
from random import Random
from cardpit.games import ALL, GAMES
for game in GAMES.values():
    for seats in sorted({game.min_seats, game.max_seats}):
        rng, state, seen = Random(11), game.deal(bytes(range(32)), seats), sha256()
        for _ in range(200):
            seen.update(repr((state.text, state.chance, state.outcome)).encode())
            seen.update(repr([state.observe(seat) for seat in (*range(seats), ALL)]).encode())
            if state.outcome is not None:
                break
            seen.update(repr([state.legal_actions(seat) for seat in state.turn]).encode())
            state = state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.turn})
        seen.update(state.resample(0, rng).text.encode())
        print(game.id, seats, seen.hexdigest())
"""


def test_the_same_seed_is_the_same_match_in_processes_that_hash_differently() -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", WHOLE_MATCHES],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for hash_seed in ("1", "2")
    ]
    (one, _), (other, _) = (run.communicate(timeout=60) for run in runs)
    assert [run.returncode for run in runs] == [0, 0]
    assert len(one.splitlines()) >= len(GAMES)
    assert one == other
