"""Turns as bytes, written directly: a decision's observation is most of what the referee has to do for it.

The bytes are those of ``cardpit.v1.Turn`` in the protobuf wire format. What recurs between turns, such as a zone, an
event, or the list of legal actions, is encoded once and remembered; building messages costs several times as much.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from cardpit.games import Event, Observation, Zone
from referee.seats.messages import duration
from referee.seats.seat import Question
from referee.wire import block, number


@lru_cache(256)
def _place(name: str, owner: int | None) -> bytes:
    return block(1, name.encode()) + (b"" if owner is None else number(2, owner))


@lru_cache(64)
def _card(card: str) -> bytes:
    return block(3, card.encode())


@lru_cache(1 << 13)
def _zone(zone: Zone) -> bytes:
    name, owner, cards, unseen = zone
    data = _place(name, owner) + b"".join(map(_card, cards))
    return block(2, data + number(4, unseen) if unseen else data)


@lru_cache(1 << 12)
def _counter(name: str, value: int) -> bytes:
    data = block(1, name.encode())
    return block(3, data + number(2, value) if value else data)


@lru_cache(1 << 12)
def _counters(counters: tuple[tuple[str, int], ...]) -> bytes:
    return b"".join(_counter(name, value) for name, value in counters)


@lru_cache(1 << 13)
def _event(event: Event) -> bytes:
    data = block(2, event.text.encode())
    return block(4, data if event.seat is None else number(1, event.seat) + data)


@lru_cache(64)
def _phase(phase: str) -> bytes:
    return block(1, phase.encode())


@lru_cache(1 << 14)
def _action(action: str) -> bytes:
    return block(4, action.encode())


@lru_cache(1 << 12)
def _legal_actions(actions: Sequence[str]) -> bytes:
    return b"".join(map(_action, actions))


@lru_cache(1 << 12)
def _time(field: int, seconds: float) -> bytes:
    return block(field, duration(seconds).SerializeToString())


def observation(seen: Observation) -> bytes:
    """Return the bytes of an ``Observation``."""
    parts = [_phase(seen.phase), *map(_zone, seen.zones), _counters(seen.counters), *map(_event, seen.events)]
    return b"".join(parts)


def turn(table: int, seat: int, question: Question, with_actions: bool) -> bytes:
    """Return the bytes of a ``Turn``."""
    parts = [
        number(1, table),
        number(2, question.number),
        block(3, observation(question.state.observe(seat))),
        _time(5, question.move_time),
        _time(6, question.bank_time),
    ]
    if with_actions:
        parts.append(_legal_actions(question.legal_actions))
    if question.substitution is not None:
        parts.append(block(7, question.substitution.SerializeToString()))
    return b"".join(parts)


def message(encoded: Iterable[bytes]) -> bytes:
    """Return the bytes of a ``PlayResponse`` with some encoded turns."""
    return block(3, b"".join(block(1, data) for data in encoded))
