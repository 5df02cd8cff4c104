"""A person's seat: what is told, what counts, and what becomes of one who leaves or says nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import uvloop

from cardpit import Bot, Result, Table, Turn
from cardpit.games.seeds import board_seed
from cardpit.v1 import record_pb2
from referee.match import Match
from referee.orders import MatchReport, Termination
from referee.record import check, parse
from referee.seats.inprocess import InProcessSeat
from referee.seats.person import PersonSeat
from rooms import make_room


class First(Bot):
    """Plays the first legal action."""

    def act(self, turn: Turn) -> int:
        return 0


def play(attend: Callable[[PersonSeat], Awaitable[None]], **options: object) -> MatchReport:
    """Play a match of a person in seat 0 against ``First``."""
    room = make_room(**{"move_time": 30.0, **options})  # type: ignore[arg-type]
    room = replace(room, conduct=replace(room.conduct, time_control=room.conduct.time_control._replace(match_time=60)))

    async def run() -> MatchReport:
        person = PersonSeat()
        match = Match(room, room.boards[0], [person, InProcessSeat(First)])
        async with asyncio.TaskGroup() as group:
            group.create_task(asyncio.wait_for(attend(person), 30))
            return await match.play()

    report = uvloop.run(run())
    assert check(parse(report.record), board_seed(bytes(32), room.game, 0)) == []
    return report


def steps(report: MatchReport) -> list[record_pb2.SeatAction]:
    """What the person did."""
    return [action for step in parse(report.record).steps for action in step.actions if action.seat == 0]


def test_a_person_is_told_what_a_bot_is_told_and_plays_to_the_end() -> None:
    told: list[object] = []

    async def attend(person: PersonSeat) -> None:
        async for piece in person.news():
            told.append(piece)
            if isinstance(piece, Turn):
                assert person.decide(piece.number, piece.legal_actions[-1], "a comment")

    report = play(attend)
    assert report.termination is Termination.NORMAL
    assert [type(piece) for piece in told] == [Table, *[Turn] * (len(told) - 2), Result]
    assert {action.comment for action in steps(report)} == {"a comment"}
    assert len(steps(report)) == len(told) - 2


def test_what_is_illegal_or_meant_for_another_turn_is_as_if_nothing_was_said() -> None:
    async def attend(person: PersonSeat) -> None:
        async for piece in person.news():
            if isinstance(piece, Turn):
                assert not person.decide(piece.number - 1, piece.legal_actions[0])
                assert not person.decide(piece.number, "play 3")
                assert person.decide(piece.number, piece.legal_actions[0])
                assert not person.decide(piece.number, piece.legal_actions[0])

    report = play(attend)
    assert (report.termination, report.strikes) == (Termination.NORMAL, (0, 0))


def test_a_person_who_leaves_forfeits_by_disconnect() -> None:
    async def attend(person: PersonSeat) -> None:
        async for piece in person.news():
            if isinstance(piece, Turn):
                person.leave()

    report = play(attend)
    (verdict,) = report.verdicts
    assert (verdict.seat, verdict.termination, verdict.detail) == (0, Termination.DISCONNECT, "left the table")
    assert report.places == (2, 1)


def test_a_person_whose_time_is_limited_is_late_like_a_bot() -> None:
    told: list[str] = []

    async def attend(person: PersonSeat) -> None:
        async for piece in person.news():
            if isinstance(piece, Turn):
                if piece.substitution is not None:
                    told.append(piece.substitution.reason)
                if piece.number > 1:
                    assert person.decide(piece.number, piece.legal_actions[0])

    report = play(attend, move_time=0.2)
    assert report.strikes == (1, 0)
    assert told == ["timeout"]


def test_on_the_wall_clock_a_person_who_says_nothing_passes_and_sees_every_tick() -> None:
    ticks: list[int] = []

    async def attend(person: PersonSeat) -> None:
        async for piece in person.news():
            if isinstance(piece, Turn):
                ticks.append(piece.counter("tick"))
                if len(ticks) == 20:
                    person.leave()

    report = play(attend, game="speed", realtime=True, tick_time=0.05)
    assert ticks == list(range(20))
    assert [(action.action, action.substituted) for action in steps(report)[:-1]] == [("pass", 0)] * 19
    assert report.verdicts[0].termination is Termination.DISCONNECT


def test_on_the_wall_clock_a_decision_counts_in_its_tick() -> None:
    chosen: list[str] = []

    async def attend(person: PersonSeat) -> None:
        async for piece in person.news():
            if isinstance(piece, Turn):
                assert person.decide(piece.number, piece.legal_actions[0])
                chosen.append(piece.legal_actions[0])

    report = play(attend, game="speed", realtime=True, tick_time=0.03)
    assert report.termination is Termination.NORMAL
    assert [action.action for action in steps(report)] == chosen
    assert "pass" not in chosen[:3]
