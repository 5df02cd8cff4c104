"""Bots of the Python SDK as real processes, played by the referee."""

import re
from collections.abc import Sequence

import pytest

from cardpit.games.seeds import board_seed, bot_seed
from referee.orders import MatchReport, Termination
from referee.record import check, parse
from seating import play_bots, sdk_bot

SEED = bytes(32)


def assert_played_out(reports: Sequence[MatchReport], boards: int, game: str = "landlord") -> None:
    assert sorted(report.board for report in reports) == list(range(boards))
    for report in reports:
        assert [verdict.detail for verdict in report.verdicts] == []
        assert report.termination is Termination.NORMAL
        assert sum(report.strikes) == 0
        assert check(parse(report.record), board_seed(SEED, game, report.board)) == []


def comments(report: MatchReport, seat: int) -> list[str]:
    steps = parse(report.record).steps
    return [action.comment for step in steps for action in step.actions if action.seat == seat]


def test_an_async_bot_thinks_at_several_tables_at_once() -> None:
    reports, done = play_bots([sdk_bot("patient"), sdk_bot("patient")], boards=30, tables=30, move_time=2.0)
    assert_played_out(reports, 30)
    for log in done.logs:
        assert max(map(int, re.findall(r"thought at (\d+) tables", log))) > 4


@pytest.mark.parametrize("name", ["batch", "async-batch"])
def test_a_batch_bot_gets_the_turns_of_several_tables_at_once(name: str) -> None:
    reports, done = play_bots([sdk_bot(name), sdk_bot("first")], boards=8, tables=4, move_time=2.0)
    assert_played_out(reports, 8)
    closed = re.findall(r"table (\d+) closed: got (\d+) turns at once", done.logs[0])
    assert sorted(int(table) for table, _ in closed) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert 1 < int(closed[-1][1]) <= 4
    assert "two turns of one table" not in done.logs[0]


def test_the_same_room_gives_the_same_records_to_the_byte() -> None:
    runs = [play_bots([sdk_bot("draw"), sdk_bot("batch")], boards=3, tables=3, move_time=2.0)[0] for _ in range(2)]
    one, other = ({report.board: report.record for report in reports} for reports in runs)
    assert one == other
    assert len(set(one.values())) == 3


def test_what_a_bot_prints_is_its_log_and_what_it_comments_is_in_the_record() -> None:
    (report,), done = play_bots([sdk_bot("talker"), sdk_bot("first")], move_time=2.0)
    assert_played_out([report], 1)
    said = comments(report, 0)
    assert said[:3] == ["short", "", ("long " * 100)[:200]]
    assert set(comments(report, 1)) == {""}
    assert [line for line in done.logs[0].splitlines() if line.startswith("turn")] == [
        f"turn {number}" for number in range(1, len(said) + 1)
    ]
    assert done.logs[0].count("to stderr") == len(said)
    assert done.logs[1] == ""


def test_many_long_comments_travel_in_messages_that_the_referee_takes() -> None:
    boards = 100
    reports, _ = play_bots(
        [sdk_bot("wordy"), sdk_bot("first")], {"max_ticks": 20}, game="speed", boards=boards, tables=boards
    )
    assert_played_out(reports, boards, "speed")
    assert {comment for report in reports for comment in comments(report, 0)} == {chr(0x1F0CF) * 200}


@pytest.mark.parametrize(
    ("restart", "transport", "address"), [("room", "unix", "unix:/"), ("match", "tcp", "127.0.0.1:")]
)
def test_a_bot_is_opened_and_closed_once_a_match(restart: str, transport: str, address: str) -> None:
    reports, done = play_bots(
        [sdk_bot("first"), sdk_bot("diary")],
        {"max_grabs": 2, "bomb_x2": False},
        boards=2,
        move_time=2.0,
        bank_time=7.5,
        restart=restart,
        transport=transport,
    )
    assert_played_out(reports, 2)
    log = done.logs[1]
    assert "two tables" not in log
    tables = [1, 2] if restart == "room" else [1, 1]
    assert re.findall(r"opened .*", log) == [f"opened {table} landlord 1 seat 1 of 2" for table in tables]
    for number, (seed, parameters) in enumerate(re.findall(r"seed (\w+) parameters (.*)", log)):
        assert bytes.fromhex(seed) == bot_seed(board_seed(SEED, "landlord", number), 1)
        assert "'max_grabs': 2, 'four_plus_pair_as_singles': False, 'bomb_x2': False" in parameters
    assert re.findall(r"(?m)^time .*", log) == ["time 2.0 7.5 3600.0 3"] * 2
    assert re.findall(r"closed .*", log) == [
        f"closed {table} {report.payoffs} {report.places} ('normal', 'normal')"
        for table, report in zip(tables, reports, strict=True)
    ]
    turns = [len(comments(report, 1)) for report in reports]
    assert re.findall(r"(?m)^turn .*", log) == [
        f"turn {number} move_time 2.0 bank_time 7.5" for count in turns for number in range(1, count + 1)
    ]
    processes = re.findall(r"process (\d+) at (\S+)", log)
    assert len({process for process, _ in processes}) == (1 if restart == "room" else 2)
    assert all(found.startswith(address) for _, found in processes)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("wrong-type", "WrongType.act returned None: allowed is an action of turn.legal_actions, or its index"),
        ("async-wrong-type", "AsyncWrongType.act returned None: allowed is an action"),
        ("wrong-number", "WrongNumber.act_many returned 0 choices for 1 turns"),
    ],
)
def test_a_wrong_answer_is_explained_in_the_log(name: str, complaint: str) -> None:
    (report,), _ = play_bots([sdk_bot(name), sdk_bot("first")], move_time=2.0)
    (verdict,) = report.verdicts
    assert (verdict.seat, verdict.termination, verdict.detail) == (0, Termination.CRASH, "exited with 1")
    assert f"TypeError: {complaint}" in verdict.log
