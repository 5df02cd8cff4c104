"""Turns written as bytes say just what the rules say."""

import random

import pytest

from cardpit.client import read_observation
from cardpit.games import GAMES
from cardpit.v1 import referee_pb2 as pb
from referee import wire
from referee.seats import turns
from referee.seats.seat import Question


@pytest.mark.parametrize("game", GAMES)
def test_a_turn_as_bytes_reads_back_as_the_observation(game: str) -> None:
    rng = random.Random(5)
    for seed in range(5):
        state = GAMES[game].deal(bytes([seed]) * 32)
        number = 0
        while state.outcome is None:
            number += 1
            for seat in state.turn:
                legal = state.legal_actions(seat)
                substitution = pb.Substitution(reason=pb.SUBSTITUTION_REASON_TIMEOUT, action=legal[0], strikes=2)
                question = Question(number, state, legal, 1.0, 0.25, 9.5, substitution if number % 2 else None)
                data = turns.turn(7, seat, question, with_actions=True)
                message = pb.Turn.FromString(data)
                assert (message.table, message.turn) == (7, number)
                assert read_observation(message.observation) == state.observe(seat)
                assert tuple(message.legal_actions) == legal
                assert message.move_time.ToMilliseconds() == 250
                assert message.bank_time.ToMilliseconds() == 9500
                assert message.HasField("substitution") == (number % 2 == 1)
            state = state.apply({seat: rng.choice(state.legal_actions(seat)) for seat in state.turn})


def test_a_turn_without_actions_carries_none() -> None:
    state = GAMES["landlord"].deal(bytes(32))
    (seat,) = state.turn
    question = Question(1, state, state.legal_actions(seat), 1.0, 0.1, 10.0, None)
    assert not pb.Turn.FromString(turns.turn(1, seat, question, with_actions=False)).legal_actions


def test_several_turns_make_one_message() -> None:
    parts = [pb.Turn(table=n, turn=1).SerializeToString() for n in (3, 4)]
    message = pb.PlayResponse.FromString(turns.message(parts))
    assert [turn.table for turn in message.turns.turns] == [3, 4]


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**31 - 1, -1, -(2**31)])
def test_numbers_are_written_as_protobuf_writes_them(value: int) -> None:
    expected = pb.Counter(name="n", value=value or 1).SerializeToString()
    assert wire.block(1, b"n") + wire.number(2, value or 1) == expected


def test_an_owner_0_is_not_left_out() -> None:
    state = GAMES["landlord"].deal(bytes(32))
    data = turns.observation(state.observe(0))
    zones = pb.Observation.FromString(data).zones
    assert [zone.owner for zone in zones if zone.name == "hand"] == [0, 1]
    assert all(zone.HasField("owner") for zone in zones if zone.name == "hand")
