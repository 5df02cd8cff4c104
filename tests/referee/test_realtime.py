"""Real-time games on both clocks: the referee waits for everybody, or for nobody."""

import pytest

from cardpit.games.seeds import board_seed
from cardpit.v1 import record_pb2
from cardpit.v1 import referee_pb2 as pb
from referee.orders import MatchReport, Termination
from referee.record import check, parse
from rooms import HostRoom

SEED = bytes(32)


def reasons(report: MatchReport, seat: int) -> list[int]:
    """Why each action of a seat was substituted, tick by tick."""
    return [action.substituted for step in parse(report.record).steps for action in step.actions if action.seat == seat]


def actions(report: MatchReport) -> list[list[str]]:
    return [[action.action for action in step.actions] for step in parse(report.record).steps]


def test_on_the_wall_clock_a_slow_bot_misses_ticks_as_its_record_says(host: HostRoom) -> None:
    (report,), done = host("honest", "ponder", game="speed", realtime=True)
    assert report.termination is Termination.NORMAL
    assert report.strikes == (0, 0)
    assert check(parse(report.record), board_seed(SEED, "speed", 0)) == []
    quick, slow = reasons(report, 0), reasons(report, 1)
    missed = pb.SUBSTITUTION_REASON_MISSED_TICK
    assert slow.count(missed) > len(slow) * 0.6
    assert quick.count(missed) < len(quick) * 0.3
    # Four ticks of 0.05 s go by in 0.2 s: at least three in a row are missed before each answer.
    runs = "".join("m" if reason == missed else "." for reason in slow).split(".")
    assert min(len(run) for run in runs[:-1]) >= 3
    assert "told: missed" not in done.logs[1]
    assert len(record_pb2.Timings.FromString(report.timings).used_time) == 2 * len(actions(report))


def test_an_answer_that_is_no_longer_legal_is_too_late_and_no_strike(host: HostRoom) -> None:
    reports, done = host("honest", "ponder", game="speed", realtime=True, boards=3)
    late = [reason for report in reports for reason in reasons(report, 1) if reason == pb.SUBSTITUTION_REASON_TOO_LATE]
    assert late
    assert "told: too late 0" in done.logs[1]
    assert all(report.strikes == (0, 0) for report in reports)


def test_in_lockstep_a_slow_bot_misses_nothing(host: HostRoom) -> None:
    (report,), _ = host("honest", "hesitate", game="speed", move_time=1.0)
    assert set(reasons(report, 1)) == {pb.SUBSTITUTION_REASON_UNSPECIFIED}


def test_arrival_order_within_a_tick_changes_nothing(host: HostRoom) -> None:
    (slow_second,), _ = host("honest", "hesitate", game="speed", move_time=1.0)
    (slow_first,), _ = host("hesitate", "honest", game="speed", move_time=1.0)
    (both_quick,), _ = host("honest", "honest", game="speed", move_time=1.0)
    assert actions(slow_second) == actions(slow_first) == actions(both_quick)
    assert slow_second.payoffs == slow_first.payoffs == both_quick.payoffs


@pytest.mark.parametrize("game", ["spit", "speed"])
def test_two_honest_bots_play_a_real_time_game_to_its_end(host: HostRoom, game: str) -> None:
    (report,), _ = host(game=game, max_strikes=50)
    assert report.termination is Termination.NORMAL
    assert sum(report.payoffs) == 1
    assert check(parse(report.record), board_seed(SEED, game, 0)) == []


def test_spit_on_the_wall_clock_waits_for_slaps(host: HostRoom) -> None:
    (report,), _ = host("honest", "ponder", game="spit", realtime=True, tick_time=0.01, match_time=20.0, move_time=2.0)
    steps = parse(report.record).steps
    slaps = [a for step in steps for a in step.actions if a.action.startswith("slap")]
    assert check(parse(report.record), board_seed(SEED, "spit", 0)) == []
    assert slaps
    assert all(a.substituted != pb.SUBSTITUTION_REASON_MISSED_TICK for a in slaps)


def test_a_bot_that_hangs_on_the_wall_clock_lets_the_match_go_on(host: HostRoom) -> None:
    (report,), _ = host("honest", "spin", game="speed", realtime=True, tick_time=0.01, match_time=10.0)
    assert report.termination is Termination.NORMAL
    assert report.payoffs == (1.0, 0.0)


def test_an_earlier_slap_is_underneath(host: HostRoom) -> None:
    """Both slap pile 0; the second bot thinks about it, so the first one's hand is underneath."""
    (report,), _ = host("honest", "ponder", game="spit", realtime=True, tick_time=0.01, match_time=20.0, move_time=2.0)
    slaps = [
        [action.action for action in step.actions]
        for step in parse(report.record).steps
        if step.actions[0].action.startswith("slap")
    ]
    assert slaps
    assert all(slap == ["slap 0", "slap 1"] for slap in slaps)


def test_a_slap_in_place_of_a_missing_one_leaves_a_record_that_is_right(host: HostRoom) -> None:
    """Seat 1 slaps pile 0; seat 0 says nothing in time, and its default is pile 0 too."""
    (report,), _ = host(
        "never-slaps", "honest", game="spit", realtime=True, tick_time=0.01, match_time=20.0, move_time=0.2
    )
    slaps = [step.actions[0] for step in parse(report.record).steps if step.actions[0].action.startswith("slap")]
    assert any(slap.substituted == pb.SUBSTITUTION_REASON_MISSED_TICK for slap in slaps)
    assert check(parse(report.record), board_seed(SEED, "spit", 0)) == []
