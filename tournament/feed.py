"""A stored match put to a bot: it gets the turns of one seat, and what it chooses now is set beside what was chosen.

A turn needs no memory and is made again from the record, its time and its private randomness included. On the wall
clock it is that of the tick in which the answer came.
"""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass

from cardpit.client import read_time_control
from cardpit.games import State, find_game
from cardpit.games.seeds import bot_seed
from cardpit.practice import notation
from cardpit.v1 import record_pb2 as pb
from cardpit.v1 import referee_pb2
from referee.clock import SeatClock
from referee.orders import Conduct, Player
from referee.record import states
from referee.seats.grpc import BotSession
from referee.seats.seat import Opening, Question, SeatFault
from tournament.errors import Failure

ANSWER_TIME = 60.0
"""Seconds that a bot may take for a decision, whatever its turn says: this machine may be slower."""

UNANSWERED = frozenset({referee_pb2.SUBSTITUTION_REASON_FORFEITED, referee_pb2.SUBSTITUTION_REASON_MISSED_TICK})
"""Why an action was applied that answers no turn."""

STRIKES = frozenset({referee_pb2.SUBSTITUTION_REASON_TIMEOUT, referee_pb2.SUBSTITUTION_REASON_ILLEGAL_ACTION})


@dataclass(frozen=True, slots=True)
class Fed:
    """One decision of the match, made again."""

    decision: int
    """Counts the decisions of the seat, from 1."""
    step: int
    """Counts the steps of the match, from 1."""
    then: str
    """What was applied."""
    substituted: str
    """Why that is the default action, in place of the seat's own; empty if it is its own."""
    now: str
    """What the bot chooses now."""
    legal: bool
    """Whether that is legal."""

    @property
    def same(self) -> bool:
        """Whether it decides as it did then."""
        return self.now == self.then


def _questions(
    record: pb.Record, timings: pb.Timings, seed: bytes, seat: int
) -> Iterator[tuple[int, Question, pb.SeatAction]]:
    """Yield each turn of a seat as it was asked, with the number of its step and with what was applied."""
    clock = SeatClock(read_time_control(record.header.time_controls[seat]))
    times = iter(timings.used_time)
    substitution: referee_pb2.Substitution | None = None
    number = strikes = 0
    replay = states(record, seed)
    for count, step in enumerate(record.steps, 1):
        state: State = next(replay)
        for action in step.actions:
            used = next(times, None)
            if action.seat != seat or action.substituted in UNANSWERED:
                continue
            number += 1
            legal = state.legal_actions(seat)
            control = clock.control
            yield (
                count,
                Question(number, state, legal, ANSWER_TIME, control.move_time, clock.bank, substitution),
                action,
            )
            clock.charge(used.ToNanoseconds() / 1e9 if used is not None else 0.0)
            strikes += action.substituted in STRIKES
            substitution = (
                referee_pb2.Substitution(reason=action.substituted, action=action.action, strikes=strikes)
                if action.substituted
                else None
            )


async def feed(
    record: pb.Record, timings: pb.Timings, seed: bytes, seat: int, player: Player, conduct: Conduct
) -> AsyncGenerator[Fed]:
    """Have a bot decide again at each turn of a seat. However it ends, no process of the bot is left.

    Raises :class:`Failure` with what the bot wrote where it is at fault, and :class:`referee.record.BadRecord`.
    """
    header = record.header
    session = BotSession(player, header.game, conduct)
    try:
        await session.start()
        place = session.seat()
        place.open(
            Opening(
                header.game,
                header.rules_version,
                find_game(header.game).settle({p.name: p.value for p in header.parameters}),
                seat,
                len(header.players),
                read_time_control(header.time_controls[seat]),
                bot_seed(seed, seat),
            )
        )
        for step, question, action in _questions(record, timings, seed, seat):
            answer = await place.ask(question)
            chosen = None if answer.choice is None else notation(answer.choice, question.legal_actions)
            now = chosen if chosen is not None else "" if answer.choice is None else str(answer.choice)
            reason = referee_pb2.SubstitutionReason.Name(action.substituted) if action.substituted else ""
            substituted = reason.removeprefix("SUBSTITUTION_REASON_").lower().replace("_", " ")
            yield Fed(question.number, step, action.action, substituted, now, chosen is not None)
    except SeatFault as fault:
        tail = session.log.rstrip()[-2000:]
        wrote = f"what the bot wrote:\n{tail}" if tail else "the bot wrote nothing"
        raise Failure(f"bot {player.label}: {fault.termination.value}: {fault.detail}\n{wrote}") from None
    finally:
        await session.end("the match has been fed")
