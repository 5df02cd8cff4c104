"""What the referee says, as messages: all but turns, which ``turns`` writes."""

from collections.abc import Mapping

from google.protobuf.duration_pb2 import Duration

from cardpit import TimeControl
from cardpit.games import Value, value_text
from cardpit.v1 import referee_pb2 as pb
from referee.seats.seat import Closing, Opening

CONTROL_METERS = {"wall": pb.METER_WALL, "cpu": pb.METER_CPU}
CONTROL_CLOCKS = {False: pb.CLOCK_LOCKSTEP, True: pb.CLOCK_REALTIME}


def duration(seconds: float) -> Duration:
    """Return seconds as a message; what is longer than a century is cut to one."""
    nanos = round(min(seconds, 3.2e9) * 1e9)
    return Duration(seconds=nanos // 1_000_000_000, nanos=nanos % 1_000_000_000)


def time_control(control: TimeControl) -> pb.TimeControl:
    """Return a seat's time as a message."""
    return pb.TimeControl(
        clock=CONTROL_CLOCKS[control.realtime],
        meter=CONTROL_METERS[control.meter],
        move_time=duration(control.move_time),
        bank_time=duration(control.bank_time),
        match_time=duration(control.match_time),
        tick_time=duration(control.tick_time) if control.realtime else None,
        max_strikes=control.max_strikes,
    )


def parameter_list(parameters: Mapping[str, Value]) -> list[pb.Parameter]:
    """Return parameters as messages, in their order."""
    return [pb.Parameter(name=name, value=value_text(value)) for name, value in parameters.items()]


def table_opened(table: int, opening: Opening) -> pb.TableOpened:
    """Return what opens a table."""
    return pb.TableOpened(
        table=table,
        game=opening.game,
        rules_version=opening.rules_version,
        parameters=parameter_list(opening.parameters),
        seat=opening.seat,
        seats=opening.seats,
        time_control=time_control(opening.time_control),
        bot_seed=opening.bot_seed,
    )


def match_result(closing: Closing) -> pb.MatchResult:
    """Return how a match ended as a message."""
    outcome = closing.outcome
    rows = zip(outcome.payoffs, outcome.places, outcome.margins, closing.terminations, closing.strikes, strict=True)
    return pb.MatchResult(
        termination=closing.termination.message,
        seats=[
            pb.SeatResult(payoff=payoff, place=place, margin=margin, termination=t.message, strikes=strikes)
            for payoff, place, margin, t, strikes in rows
        ],
    )
