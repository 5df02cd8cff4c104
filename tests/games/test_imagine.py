"""A seat that knows only its turns can imagine a state of the match: it looks to the seat like the real one."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cardpit.games import GAMES, Game, State, Value
from cardpit.games.speed import SpeedState
from cardpit.games.spit import SpitState
from cardpit.games.twenty_two import TwentyTwoState
from cardpit.games.twenty_two_position import holdings, plays
from games.test_laws import Match, a_match, every_game, few

once = settings(few, phases=(Phase.generate,))
"""A failure says which match it is; to look for a simpler one would take long."""
LONGEST_WATCH = 600
"""Turns of a match that are looked at."""


class Turn(NamedTuple):
    """A turn of a seat: the state, and what the seat imagines."""

    seat: int
    state: State
    imagined: State


def turns(match: Match, lively: bool = False) -> Iterator[Turn]:
    """Yield the turns of a random match, each seat with a memory of its own.

    In a lively match seats take the first legal action more often than not, so that tables seldom stand still.
    """
    memory: dict[int, State] = {}
    parameters = match.game.settle(match.parameters)
    rng = Random(match.choices)
    state = match.deal()
    for _ in range(LONGEST_WATCH):
        actions = {}
        for seat in state.turn:
            memory[seat] = match.game.imagine(state.observe(seat), seat, match.seats, parameters, memory.get(seat))
            yield Turn(seat, state, memory[seat])
            legal = state.legal_actions(seat)
            actions[seat] = legal[0] if lively and rng.random() < 0.8 else rng.choice(legal)
        if state.outcome is not None:
            return
        state = state.apply(actions)


def matches(game_id: str, number: int, parameters: dict[str, Value] | None = None) -> list[Match]:
    return [Match(GAMES[game_id], Random(n).randbytes(32), 2, parameters or {}, n) for n in range(number)]


@every_game
@once
@given(data=st.data())
def test_an_imagined_state_and_those_drawn_from_it_look_to_the_seat_like_the_real_one(
    game: Game, data: st.DataObject
) -> None:
    match = a_match(data, game)
    rng = Random(match.choices)
    for seat, state, imagined in turns(match):
        drawn = imagined.resample(seat, rng) if rng.random() < 0.1 else imagined
        for other in (imagined, drawn):
            assert other.observe(seat) == state.observe(seat)
            assert other.legal_actions(seat) == state.legal_actions(seat)
            assert (other.turn, other.is_tick) == (state.turn, state.is_tick)


@every_game
@once
@given(data=st.data())
def test_what_a_seat_cannot_know_changes_nothing_that_it_imagines(game: Game, data: st.DataObject) -> None:
    match = a_match(data, game)
    state = match.deal()
    parameters = game.settle(match.parameters)
    for seat in state.turn:
        others = [state.resample(seat, Random(chance)) for chance in range(3)]
        imagined = [game.imagine(other.observe(seat), seat, match.seats, parameters) for other in others]
        assert len({other.text for other in others}) == 3
        assert len({state.text for state in imagined}) == 1


@every_game
def test_the_real_cards_are_not_imagined(game: Game) -> None:
    state = game.deal(bytes(32))
    (seat, *_) = state.turn
    imagined = game.imagine(state.observe(seat), seat, game.min_seats, game.settle(None))
    assert imagined.text != state.text


@pytest.mark.parametrize("seats", [2, 5])
def test_at_twenty_two_all_that_was_played_and_drawn_is_kept(seats: int) -> None:
    later = 0
    for seat, state, imagined in turns(Match(GAMES["twenty-two"], bytes(32), seats, {}, 6)):
        assert isinstance(state, TwentyTwoState)
        assert isinstance(imagined, TwentyTwoState)
        assert plays(imagined) == plays(state)
        own, real = holdings(imagined)[seat], holdings(state)[seat]
        assert own.drawn == real.drawn
        assert sorted(own.kept + own.aside) == sorted(real.kept + real.aside)
        later += bool(own.drawn) and state.best is not None
    assert later > 10


def test_at_twenty_two_the_events_before_this_hand_must_have_been_told() -> None:
    game = GAMES["twenty-two"]
    late = [state for _, state, _ in turns(matches("twenty-two", 1)[0])][5]
    with pytest.raises(ValueError, match="no event tells of the beginning of this hand"):
        game.imagine(late.observe(late.turn[0]), late.turn[0], 2, game.settle(None))


def test_at_speed_what_the_table_shows_of_a_hidden_hand_is_kept() -> None:
    kinds = set()
    for match in [*matches("speed", 6), *matches("speed", 3, {"side": "5", "stall": 1})]:
        for seat, state, imagined in turns(match, lively=not match.parameters):
            assert isinstance(state, SpeedState)
            assert isinstance(imagined, SpeedState)
            clues = state.clues_of(1 - seat)
            assert imagined.clues_of(1 - seat) == clues
            kinds |= {"barred"} if clues.barred else set()
            kinds |= {f"held {public}" for _, public in clues.held}
            if state.reshuffles:
                kinds.add("reshuffle")
                sides, real = (sorted(card >> 2 for card in s.side0 + s.side1) for s in (imagined, state))
                assert sides == real
    assert kinds == {"barred", "held True", "held False", "reshuffle"}


def test_at_spit_cards_that_lay_face_up_are_known_to_be_their_owners() -> None:
    known = 0
    for match in matches("spit", 2):
        for _, state, imagined in turns(match, lively=True):
            assert isinstance(state, SpitState)
            assert isinstance(imagined, SpitState)
            for owner in range(2):
                told = imagined.layout.seen().intersection(imagined.hidden(owner))
                real = state.layout.seen().intersection(state.hidden(owner))
                assert told <= real
                assert len(real - told) <= 2
                known += len(told)
    assert known > 200
