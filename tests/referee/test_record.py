"""Records: canonical bytes, exact replay, and no flipped byte that goes unnoticed."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from cardpit import Bot, Turn
from cardpit.games import GAMES, find_game
from cardpit.games.seeds import board_seed
from cardpit.v1 import record_pb2 as pb
from cardpit.v1 import referee_pb2
from referee.match import Match
from referee.orders import Board, MatchReport, Room
from referee.record import BadRecord, check, parse, seal, states
from referee.seats.inprocess import InProcessSeat
from rooms import make_room

SEED = bytes(32)


class Draw(Bot):
    """Draws any action from its private randomness."""

    def act(self, turn: Turn) -> int:
        self.comment = "a guess" if turn.number == 1 else ""
        return self.table.rng.randrange(len(turn.legal_actions))


def play(game: str, board: int = 0, room: Room | None = None) -> MatchReport:
    seats = find_game(game).min_seats
    room = room or make_room(["honest"] * seats, game=game)
    return asyncio.run(
        Match(room, Board(board, board_seed(SEED, game, board)), [InProcessSeat(Draw) for _ in range(seats)]).play()
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_record_replays_to_the_same_result(game: str) -> None:
    for board in range(5):
        report = play(game, board)
        record = parse(report.record)
        seed = board_seed(SEED, game, board)
        assert check(record, seed) == []
        last = list(states(record, seed))[-1]
        assert last.outcome is not None
        assert last.outcome.payoffs == report.payoffs
        assert len(pb.Timings.FromString(report.timings).used_time) == report.decisions


def test_the_same_seed_and_bots_give_the_same_bytes() -> None:
    assert play("landlord").record == play("landlord").record
    assert play("landlord").record != play("landlord", board=1).record


def test_another_bot_gets_the_same_deal() -> None:
    first, second = parse(play("landlord").record), parse(play("landlord").record)
    room = make_room(("late", "quit"))
    other = parse(play("landlord", room=room).record)
    assert first.deal == second.deal == other.deal
    assert other.header.players[0].bot == "late"


def test_a_record_holds_no_seed_before_it_is_revealed() -> None:
    report = play("landlord")
    assert board_seed(SEED, "landlord", 0) not in report.record


def test_any_flipped_byte_is_found() -> None:
    data = play("landlord").record
    rng = random.Random(3)
    for place in range(len(data)):
        bad = bytearray(data)
        bad[place] ^= 1 << rng.randrange(8)
        with pytest.raises(BadRecord):
            parse(bytes(bad))


def test_a_record_with_its_seed_revealed_is_whole_again() -> None:
    record = parse(play("landlord").record)
    assert seal(record) == play("landlord").record
    record.header.seed = board_seed(SEED, "landlord", 0)
    assert check(parse(seal(record)), record.header.seed) == []


def substitute_all(record: pb.Record) -> None:
    for step in record.steps:
        step.actions[0].substituted = referee_pb2.SUBSTITUTION_REASON_TIMEOUT


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda r: setattr(r.header, "seed_commitment", bytes(32)), "the seed is not the one that was committed to"),
        (lambda r: r.deal.pop(), "the deal does not come from the seed"),
        (lambda r: r.steps.pop(), "the last step has no state hash"),
        (lambda r: setattr(r.result.seats[0], "payoff", 99.0), "the result is not what the rules give"),
        (lambda r: r.result.seats.pop(), "the result is not for as many seats as there are players"),
        (lambda r: setattr(r.steps[0].actions[0], "action", "fold"), "fold"),
        (substitute_all, "was substituted but is not the default"),
        (lambda r: r.steps[0].actions.add(seat=r.steps[0].actions[0].seat, action="no"), "a seat acts twice"),
        (lambda r: setattr(r.header, "rules_version", 99), "rules version 99"),
        (lambda r: setattr(r.header, "game", "chess"), "unknown game 'chess'"),
        (lambda r: r.steps[2].chance.append("lightning"), "its chance does not come from the seed"),
        (lambda r: setattr(r.steps[-1], "state_hash", bytes(8)), "the state is not the recorded one"),
        (lambda r: setattr(r.header, "seed", bytes(32)), "the revealed seed is not the board's"),
    ],
)
def test_a_changed_record_is_found_out(change: Callable[[pb.Record], None], problem: str) -> None:
    record = parse(play("landlord").record)
    change(record)
    assert problem in "; ".join(check(record, board_seed(SEED, "landlord", 0)))


def test_bytes_that_are_no_record_are_refused() -> None:
    with pytest.raises(BadRecord, match="no record"):
        parse(b"\xff\xff\xff")
    with pytest.raises(BadRecord, match="digest"):
        parse(play("landlord").record + b"\xfa\x01\x00")
    with pytest.raises(BadRecord, match="digest"):
        parse(b"")


def test_parameters_travel_with_the_record() -> None:
    room = make_room()
    room = replace(room, parameters=find_game("landlord").settle({"cap": 2, "max_grabs": 1}))
    record = parse(play("landlord", room=room).record)
    assert ("cap", "2") in [(p.name, p.value) for p in record.header.parameters]
    assert check(record, board_seed(SEED, "landlord", 0)) == []
