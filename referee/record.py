"""The record of a match: written as it is played, replayed and checked afterwards.

A record holds what was played and nothing of when or where, so that the same seed, rules and actions always give the
same bytes. How long each answer took is kept apart from it.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Protocol, TypeAlias

from google.protobuf.message import DecodeError

import cardpit
from cardpit.games import GameError, Outcome, State, Value, find_game
from cardpit.games.seeds import commitment
from cardpit.v1 import record_pb2 as pb
from cardpit.v1 import referee_pb2
from referee.orders import Board, Room, Termination
from referee.seats import messages
from referee.seats.seat import Closing
from referee.wire import block, number

Reason: TypeAlias = referee_pb2.SubstitutionReason.ValueType

HASH_INTERVAL = 16
"""A state hash is taken after every so many steps, and after the last."""


class BadRecord(ValueError):
    """A record that does not replay: damaged, or not of the match it claims to be."""


class SeatStep(Protocol):
    """What one seat did in one step."""

    @property
    def notation(self) -> str:
        """The action that was applied."""

    @property
    def substituted(self) -> Reason:
        """Why it is the default action."""

    @property
    def used_time(self) -> float:
        """Seconds."""

    @property
    def comment(self) -> str:
        """What the bot said with it."""


class Recorder:
    """Writes the record of one match."""

    def __init__(self, room: Room, board: Board) -> None:
        self._record = pb.Record(
            header=pb.Header(
                game=room.game,
                rules_version=find_game(room.game).rules_version,
                parameters=messages.parameter_list(room.parameters),
                seed_commitment=commitment(board.seed),
                players=[
                    pb.Player(bot=p.bot, version=p.version, bundle_hash=bytes.fromhex(p.bundle_hash))
                    for p in room.players
                ],
                time_controls=[messages.time_control(control) for control in room.time_controls],
                jail=room.conduct.jail,
                tournament=room.tournament,
                pairing=room.pairing,
                board=board.number,
                room=room.room,
                cardpit_version=cardpit.__version__,
            )
        )
        self._steps: list[bytes] = []
        self._timings: list[bytes] = []
        self._state: State | None = None

    def deal(self, state: State) -> None:
        """Write the deal."""
        self._record.deal.extend(state.chance)
        self._state = state

    def step(self, actions: Mapping[int, SeatStep], state: State) -> None:
        """Write one transition and the state that it led to."""
        if self._state is not None and self._steps and len(self._steps) % HASH_INTERVAL == 0:
            self._steps[-1] += block(3, state_hash(self._state))
        parts = []
        for seat, action in actions.items():
            parts.append(_seat_action(seat, action.notation, action.substituted, action.comment))
            self._timings.append(_used_time(round(action.used_time * 1e9)))
        parts += [block(2, text.encode()) for text in state.chance]
        self._steps.append(b"".join(parts))
        self._state = state

    def finish(self, closing: Closing) -> tuple[bytes, bytes]:
        """Write the result, and return record and timings, serialised."""
        if self._state is not None and self._steps:
            self._steps[-1] += block(3, state_hash(self._state))
        result = pb.Record(result=messages.match_result(closing))
        parts = [self._record.SerializeToString(deterministic=True)]
        parts += [block(3, step) for step in self._steps]
        parts.append(result.SerializeToString(deterministic=True))
        return _with_digest(b"".join(parts)), b"".join(self._timings)


@lru_cache(1 << 12)
def _seat_action(seat: int, notation: str, substituted: Reason, comment: str) -> bytes:
    action = pb.SeatAction(seat=seat, action=notation, substituted=substituted, comment=comment)
    return block(1, action.SerializeToString())


def _used_time(nanoseconds: int) -> bytes:
    seconds, nanos = divmod(nanoseconds, 1_000_000_000)
    return block(1, (number(1, seconds) if seconds else b"") + (number(2, nanos) if nanos else b""))


def state_hash(state: State) -> bytes:
    """Return the first 8 bytes of the SHA-256 of a state's text."""
    return hashlib.sha256(state.text.encode()).digest()[:8]


def seal(record: pb.Record) -> bytes:
    """Return a record as bytes, with the digest that fits."""
    record.ClearField("digest")
    return _with_digest(record.SerializeToString(deterministic=True))


def parse(data: bytes) -> pb.Record:
    """Return the record in some bytes. Raises :class:`BadRecord` where they are none, or where one was changed."""
    try:
        record = pb.Record.FromString(data)
    except DecodeError as error:
        raise BadRecord("the bytes are no record") from error
    if _with_digest(data[:-_DIGEST_SIZE]) != data:
        raise BadRecord("the record is damaged: its digest does not fit")
    return record


def _with_digest(data: bytes) -> bytes:
    return data + block(5, hashlib.sha256(data).digest())


_DIGEST_SIZE = 34
"""Bytes of the last field: its number, its length and 32 bytes."""


def states(record: pb.Record, seed: bytes) -> Iterator[State]:
    """Replay a record: the state after the deal, then that after each step.

    ``seed`` is the board's, 32 bytes. Raises :class:`BadRecord` where the rules do not allow what it says.
    """
    header = record.header
    try:
        game = find_game(header.game)
        if header.rules_version != game.rules_version:
            raise BadRecord(f"rules version {header.rules_version} of {header.game}: known is {game.rules_version}")
        state = game.deal(seed, len(header.players), _parameters(record))
        yield state
        for count, step in enumerate(record.steps, 1):
            actions = {action.seat: action.action for action in step.actions}
            if len(actions) != len(step.actions):
                raise BadRecord(f"step {count}: a seat acts twice")
            state = state.apply(actions)
            yield state
    except GameError as error:
        raise BadRecord(str(error)) from error


def check(record: pb.Record, seed: bytes) -> list[str]:
    """Return everything that is wrong with a record, given its board's seed: empty if all is right.

    It is replayed through the rules: the deal and all chance must come from the seed, each action must be legal, each
    substituted one the default, each state hash and the result must be what the rules give.
    """
    problems = []
    if not hmac.compare_digest(record.header.seed_commitment, commitment(seed)):
        problems.append("the seed is not the one that was committed to")
    if record.header.seed and record.header.seed != seed:
        problems.append("the revealed seed is not the board's")
    try:
        problems += _check_steps(record, seed)
    except BadRecord as error:
        problems.append(str(error))
    return problems


def _check_steps(record: pb.Record, seed: bytes) -> list[str]:
    problems = []
    replay = states(record, seed)
    state = next(replay)
    if state.chance != tuple(record.deal):
        problems.append("the deal does not come from the seed")
    for count, step in enumerate(record.steps, 1):
        for action in step.actions:
            if not action.substituted or action.seat not in state.turn:
                continue
            if action.action not in _stand_ins(record, state, step, action):
                problems.append(f"step {count}: {action.action!r} was substituted but is not the default action")
        state = next(replay)
        if state.chance != tuple(step.chance):
            problems.append(f"step {count}: its chance does not come from the seed")
        if step.state_hash and step.state_hash != state_hash(state):
            problems.append(f"step {count}: the state is not the recorded one")
    if record.steps and not record.steps[-1].state_hash:
        problems.append("the last step has no state hash")
    return problems + _check_result(record, state)


def _stand_ins(record: pb.Record, state: State, step: pb.Step, action: pb.SeatAction) -> set[str]:
    """Return what the rules allow in place of a seat's own action: the default one.

    With the realtime clock also what that counts as where another seat's action came in an earlier tick.
    """
    default = state.default_action(action.seat)
    if all(control.clock != referee_pb2.CLOCK_REALTIME for control in record.header.time_controls):
        return {default}
    given = {other.seat: other.action for other in step.actions} | {action.seat: default}
    return {default} | {state.in_order(given, first)[action.seat] for first in given if first != action.seat}


def _check_result(record: pb.Record, state: State) -> list[str]:
    result = record.result
    if len(result.seats) != len(record.header.players):
        return ["the result is not for as many seats as there are players"]
    at_fault = frozenset(
        seat for seat, row in enumerate(result.seats) if Termination.of(row.termination) is not Termination.NORMAL
    )
    expected = final_outcome(record.header.game, state, at_fault, len(result.seats), _parameters(record))
    if expected is None:
        return ["the match is not over, and no seat is at fault"]
    found = Outcome(
        tuple(seat.payoff for seat in result.seats),
        tuple(seat.place for seat in result.seats),
        tuple(seat.margin for seat in result.seats),
    )
    return [] if found == expected else ["the result is not what the rules give"]


def final_outcome(
    game_id: str, state: State, at_fault: frozenset[int], seats: int, parameters: Mapping[str, Value]
) -> Outcome | None:
    """Return the outcome of a match that has stopped in a state with some seats at fault; None if it is not over."""
    if not at_fault:
        return state.outcome
    return find_game(game_id).forfeit(state, at_fault, seats, parameters)


def _parameters(record: pb.Record) -> dict[str, Value]:
    return find_game(record.header.game).settle({p.name: p.value for p in record.header.parameters})
