"""A seat that knows only its turns can imagine a state of the match: it looks to the seat like the real one."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from cardpit.games import State
from games.test_laws import Match, a_match, every_game, few


class Turn(NamedTuple):
    """A turn of a seat: the state, and what the seat imagines."""

    seat: int
    state: State
    imagined: State


def turns(match: Match) -> Iterator[Turn]:
    """Yield every turn of a random match, each seat with a memory of its own."""
    memory: dict[int, State] = {}
    parameters = match.game.settle(match.parameters)
    for state in match.states():
        for seat in state.turn:
            seen = state.observe(seat)
            memory[seat] = match.game.imagine(seen, seat, match.seats, parameters, memory.get(seat))
            yield Turn(seat, state, memory[seat])


def some_turns(match: Match, number: int = 40) -> list[Turn]:
    found = list(turns(match))
    return Random(match.choices).sample(found, min(number, len(found)))


@every_game
@few
@given(data=st.data())
def test_an_imagined_state_looks_to_the_seat_like_the_real_one(game, data) -> None:
    for seat, state, imagined in some_turns(a_match(data, game)):
        assert imagined.observe(seat) == state.observe(seat)
        assert imagined.legal_actions(seat) == state.legal_actions(seat)
        assert imagined.turn == state.turn
        assert imagined.is_tick == state.is_tick
