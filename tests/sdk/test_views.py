"""What a bot sees of a turn, and what it is told when it asks for what is not there."""

import pytest
from google.protobuf.duration_pb2 import Duration

from cardpit import Table, TimeControl, Turn
from cardpit.client import read_observation, read_result, read_substitution, read_table, read_turn
from cardpit.games import Event, Observation, Zone, find_game
from cardpit.v1 import referee_pb2 as pb

OPENED = pb.TableOpened(
    table=3,
    game="landlord",
    rules_version=1,
    parameters=[pb.Parameter(name="max_grabs", value="2"), pb.Parameter(name="spring_x2", value="false")],
    seat=1,
    seats=2,
    time_control=pb.TimeControl(
        clock=pb.CLOCK_LOCKSTEP,
        meter=pb.METER_WALL,
        move_time=Duration(nanos=250_000_000),
        bank_time=Duration(seconds=10),
        match_time=Duration(seconds=60),
        max_strikes=5,
    ),
    bot_seed=bytes(range(32)),
)


def a_turn() -> Turn:
    observation = Observation(
        "play",
        (
            Zone("hand", 0, (), 3),
            Zone("hand", 1, ("3S", "x")),
            Zone("trick", None, ("4D", "4H")),
        ),
        (("multiplier", 2), ("grabs", 0)),
        (Event(1, "pass"), Event(0, "play 44")),
    )
    return Turn(read_table(OPENED), 4, lambda: observation, ("pass", "play x"), 0.1, 5.0)


def test_a_turn_gives_the_hand_the_zones_the_counters_and_the_events() -> None:
    turn = a_turn()
    assert turn.seat == 1
    assert turn.phase == "play"
    assert turn.hand == ("3S", "x")
    assert turn.zone("hand", 0).unseen == 3
    assert turn.zone("trick").cards == ("4D", "4H")
    assert turn.counter("multiplier") == 2
    assert turn.counter("grabs") == 0
    assert turn.events == (Event(1, "pass"), Event(0, "play 44"))


def test_a_zone_that_is_not_there_is_answered_by_those_that_are() -> None:
    for name, owner in (("trick", 1), ("hand", None), ("stock", None)):
        with pytest.raises(KeyError) as error:
            a_turn().zone(name, owner)
        assert error.value.args == (f"no zone {name!r} with owner {owner}: there are hand of 0, hand of 1, trick",)


def test_a_counter_that_is_not_there_is_answered_by_those_that_are() -> None:
    with pytest.raises(KeyError) as error:
        a_turn().counter("bombs")
    assert error.value.args == ("no counter 'bombs': there are multiplier, grabs",)


def test_an_observation_is_read_when_it_is_first_looked_at_and_once() -> None:
    asked: list[int] = []

    def observe() -> Observation:
        asked.append(1)
        return Observation("play", (), (), ())

    turn = Turn(read_table(OPENED), 1, observe, ("pass",), 0.1, 5.0)
    assert asked == []
    assert (turn.phase, turn.events) == ("play", ())
    assert asked == [1]


def test_a_table_is_read_with_every_parameter_in_its_type() -> None:
    table = read_table(OPENED)
    settled = find_game("landlord").settle({"max_grabs": 2, "spring_x2": False})
    assert isinstance(table, Table)
    assert (table.number, table.game, table.rules_version, table.seat, table.seats) == (3, "landlord", 1, 1, 2)
    assert table.parameters == settled
    assert table.time_control == TimeControl(0.25, 10.0, 60.0, 5, realtime=False, tick_time=0.0)
    assert table.bot_seed == bytes(range(32))
    assert table.rng.random() == read_table(OPENED).rng.random()


def test_the_parameters_of_a_game_that_the_sdk_does_not_know_stay_texts() -> None:
    message = pb.TableOpened(game="whist", parameters=[pb.Parameter(name="tricks", value="13")])
    assert read_table(message).parameters == {"tricks": "13"}


def test_a_turn_is_read_from_its_message() -> None:
    message = pb.Turn(
        table=3,
        turn=7,
        observation=pb.Observation(
            phase="play",
            zones=[pb.Zone(name="hand", owner=0, unseen=2), pb.Zone(name="trick", cards=["QS"])],
            counters=[pb.Counter(name="bombs")],
            events=[pb.Event(text="deal"), pb.Event(seat=0, text="play Q")],
        ),
        legal_actions=["pass", "play 2"],
        move_time=Duration(nanos=100_000_000),
        bank_time=Duration(seconds=9, nanos=500_000_000),
        substitution=pb.Substitution(reason=pb.SUBSTITUTION_REASON_ILLEGAL_ACTION, action="pass", strikes=1),
    )
    turn = read_turn(message, read_table(OPENED))
    assert (turn.number, tuple(turn.legal_actions), turn.move_time, turn.bank_time) == (7, ("pass", "play 2"), 0.1, 9.5)
    assert turn.substitution == ("illegal action", "pass", 1)
    assert turn.observation == Observation(
        "play",
        (Zone("hand", 0, (), 2), Zone("trick", None, ("QS",))),
        (("bombs", 0),),
        (Event(None, "deal"), Event(0, "play Q")),
    )
    assert turn.observation == read_observation(message.observation)


def test_nothing_substituted_is_none() -> None:
    assert read_substitution(None) is None
    assert read_turn(pb.Turn(), read_table(OPENED)).substitution is None


def test_a_result_is_read_by_seat() -> None:
    result = read_result(
        pb.MatchResult(
            termination=pb.TERMINATION_ILLEGAL_ACTION,
            seats=[
                pb.SeatResult(payoff=64, place=1, termination=pb.TERMINATION_NORMAL),
                pb.SeatResult(payoff=-64, place=2, termination=pb.TERMINATION_ILLEGAL_ACTION, strikes=3),
            ],
        )
    )
    assert result == ((64.0, -64.0), (1, 2), ("normal", "illegal action"))
