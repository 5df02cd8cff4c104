"""Faults of bots, each with a real process: the verdict is right, and the other side is not harmed."""

import time

import pytest

from cardpit.games.seeds import board_seed
from referee.orders import MatchReport, Termination
from referee.record import check, parse
from rooms import BOTS, HostRoom
from seating import play_bots, script, sdk_bot


def the_verdict(reports: list[MatchReport]) -> tuple[int, Termination, str]:
    (report,) = reports
    (verdict,) = report.verdicts
    assert report.termination is verdict.termination
    assert check(parse(report.record), board_seed(bytes(32), "landlord", 0)) == []
    honest = 1 - verdict.seat
    assert report.places[honest] == 1
    assert report.payoffs[honest] > report.payoffs[verdict.seat]
    return verdict.seat, verdict.termination, verdict.detail


def test_two_honest_bots_play_to_the_end(host: HostRoom) -> None:
    (report,), done = host("honest", "honest")
    assert report.termination is Termination.NORMAL
    assert report.verdicts == ()
    assert report.strikes == (0, 0)
    assert sum(report.payoffs) == 0
    assert report.decisions > 10
    assert done.logs == ("", "")
    assert check(parse(report.record), board_seed(bytes(32), "landlord", 0)) == []


def test_a_late_answer_is_a_strike_and_never_applied_to_the_next_turn(host: HostRoom) -> None:
    (report,), done = host("late", "honest", max_strikes=9)
    assert report.termination is Termination.NORMAL
    assert report.strikes[0] == report.timeouts[0] >= 1
    assert report.strikes[1] == 0
    assert "told: timeout" in done.logs[0]
    assert check(parse(report.record), board_seed(bytes(32), "landlord", 0)) == []


def test_a_bank_pays_for_what_goes_beyond_the_move_time(host: HostRoom) -> None:
    (report,), _ = host("late", "honest", bank_time=5.0)
    assert report.strikes == (0, 0)
    assert report.used_times[0] >= 0.6 > report.used_times[1]


@pytest.mark.parametrize("bot", ["spin", "stop"])
def test_a_bot_that_never_answers_again_forfeits_after_its_strikes(host: HostRoom, bot: str) -> None:
    started = time.monotonic()
    reports, _ = host("honest", bot, move_time=0.2)
    seat, termination, detail = the_verdict(reports)
    assert (seat, termination) == (1, Termination.TIMEOUT)
    assert "strike 3 of 3" in detail
    assert "the move time of 0.2 s" in detail
    assert reports[0].timeouts == (0, 3)
    assert time.monotonic() - started < 25


def test_a_crash_forfeits_at_once_and_keeps_the_log(host: HostRoom) -> None:
    reports, done = host("crash", "honest")
    seat, termination, detail = the_verdict(reports)
    assert (seat, termination, detail) == (0, Termination.CRASH, "exited with 1")
    (verdict,) = reports[0].verdicts
    assert "this bot cannot count to two" in verdict.log
    assert verdict.last_turn
    assert "this bot cannot count to two" in done.logs[0]


def test_a_crash_by_a_signal_names_the_signal(host: HostRoom) -> None:
    reports, _ = host("honest", "segfault")
    assert the_verdict(reports) == (1, Termination.CRASH, "was killed by SIGSEGV")


def test_a_bot_that_ends_without_an_error_has_disconnected(host: HostRoom) -> None:
    reports, _ = host("quit", "honest")
    assert the_verdict(reports)[:2] == (0, Termination.DISCONNECT)


@pytest.mark.parametrize(("bot", "answer"), [("wrong-index", "10000"), ("gibberish", "'castle kingside'")])
def test_illegal_answers_are_strikes_and_then_forfeit(host: HostRoom, bot: str, answer: str) -> None:
    reports, _ = host(bot, "honest")
    seat, termination, detail = the_verdict(reports)
    assert (seat, termination) == (0, Termination.ILLEGAL_ACTION)
    assert answer in detail
    assert "legal were" in detail
    assert reports[0].strikes == (3, 0)
    assert reports[0].timeouts == (0, 0)


def test_a_slow_start_is_not_charged_to_a_decision(host: HostRoom) -> None:
    (report,), _ = host("slow-start", "honest")
    assert report.termination is Termination.NORMAL
    assert report.strikes == (0, 0)


def test_a_bot_that_says_no_hello_fails_its_start(host: HostRoom) -> None:
    reports, _ = host("no-hello", "honest", startup_time=2.5)
    seat, termination, detail = the_verdict(reports)
    assert (seat, termination) == (0, Termination.STARTUP)
    assert detail == "said no Hello within its startup time of 2.5 s"


def test_a_bot_that_ends_before_its_hello_says_why(host: HostRoom) -> None:
    reports, _ = host("honest", "exit-early")
    assert the_verdict(reports) == (1, Termination.CRASH, "exited with 3 before its Hello")
    assert "a syntax error, say" in reports[0].verdicts[0].log


def test_when_both_fail_both_have_verdicts(host: HostRoom) -> None:
    (report,), _ = host("exit-early", "exit-early")
    assert [verdict.seat for verdict in report.verdicts] == [0, 1]
    assert report.places == (1, 1)
    assert report.payoffs[0] == report.payoffs[1] < 0


@pytest.mark.parametrize(
    "bot", ["wrong-token", "two-streams", "flood", "second-hello", "large", "huge", "garbage", "half-close"]
)
def test_breaking_the_protocol_ends_that_bot_alone(host: HostRoom, bot: str) -> None:
    started = time.monotonic()
    reports, _ = host(bot, "honest", move_time=3.0)
    seat, termination, _ = the_verdict(reports)
    assert seat == 0
    assert termination is (Termination.DISCONNECT if bot == "half-close" else Termination.PROTOCOL)
    assert time.monotonic() - started < 25


def test_decisions_that_nobody_asked_for_make_none_cheaper(host: HostRoom) -> None:
    (report,), _ = host("padder", "honest", bank_time=10.0)
    assert report.termination is Termination.NORMAL
    assert report.used_times[0] >= 0.1 * (report.decisions // 2)


def test_a_flood_of_output_does_no_harm_and_is_kept_in_bounds(host: HostRoom) -> None:
    (report,), done = host("chatty", "honest", bank_time=20.0)
    assert report.termination is Termination.NORMAL
    assert report.strikes == (0, 0)
    log = done.logs[0]
    assert log.startswith("the very first line\n")
    assert "bytes dropped" in log
    assert "from below" in log
    assert len(log) < 70_000


def test_a_room_goes_on_after_a_crash_with_a_new_process(host: HostRoom) -> None:
    reports, _ = host("crash", "honest", boards=3)
    assert [report.termination for report in reports] == [Termination.CRASH] * 3
    assert [report.board for report in reports] == [0, 1, 2]


def test_a_bot_that_cannot_start_is_not_started_for_every_board(host: HostRoom) -> None:
    started = time.monotonic()
    reports, _ = host("no-hello", "honest", boards=8, startup_time=2.5)
    assert [report.termination for report in reports] == [Termination.STARTUP] * 8
    assert time.monotonic() - started < 18


def test_time_odds_give_one_bot_more_time_than_the_other(host: HostRoom) -> None:
    (even,), _ = host("late", "late", max_strikes=9)
    assert even.timeouts[0] >= 1
    assert even.timeouts[1] >= 1
    (odds,), _ = host("late", "late", max_strikes=9, time_odds=(None, (0.3, 30.0)))
    assert odds.timeouts[0] >= 1
    assert odds.timeouts[1] == 0
    controls = parse(odds.record).header.time_controls
    assert [control.bank_time.seconds for control in controls] == [0, 30]


def test_a_forfeit_at_one_table_leaves_the_others_of_the_process_alone(host: HostRoom) -> None:
    reports, _ = host("wrong-at-the-first", "honest", boards=3, tables=2)
    ends = {report.board: report.termination for report in reports}
    assert ends == {0: Termination.ILLEGAL_ACTION, 1: Termination.NORMAL, 2: Termination.ILLEGAL_ACTION}


def test_the_slowest_answers_for_a_match_that_takes_too_long(host: HostRoom) -> None:
    reports, _ = host("honest", "ponder", move_time=5.0, match_time=1.0)
    seat, termination, detail = the_verdict(reports)
    assert (seat, termination) == (1, Termination.TIMEOUT)
    assert detail == "used most of the time of a match that took longer than its 1 s"


def test_a_comment_is_cut_off_by_the_referee_too() -> None:
    (report,), _ = play_bots([script(BOTS / "subtle.py", "long-comment"), sdk_bot("first")])
    assert {len(a.comment) for step in parse(report.record).steps for a in step.actions if a.seat == 0} == {200}
