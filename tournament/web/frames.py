"""A match as frames that a page draws: the table after each step, as some eyes saw it.

Nothing here knows a game: a frame has the zones, counters and events of an observation.
"""

from collections.abc import Iterator

from pydantic import BaseModel

from cardpit.games import ALL, PUBLIC, Observation, State
from cardpit.v1 import record_pb2 as pb
from cardpit.v1 import referee_pb2
from referee.record import states
from tournament.errors import UnknownName

EYES = {"all": ALL, "public": PUBLIC}
"""In place of a seat: every card, or what every seat saw."""

REASONS = {
    referee_pb2.SUBSTITUTION_REASON_TIMEOUT: "too late",
    referee_pb2.SUBSTITUTION_REASON_ILLEGAL_ACTION: "illegal",
    referee_pb2.SUBSTITUTION_REASON_FORFEITED: "forfeited",
    referee_pb2.SUBSTITUTION_REASON_MISSED_TICK: "still thinking",
    referee_pb2.SUBSTITUTION_REASON_TOO_LATE: "no longer legal",
}


class FrameZone(BaseModel):
    """A place where cards lie."""

    name: str
    owner: int | None
    """The seat whose place it is; null for a common one."""
    cards: list[str]
    """Those that these eyes see, bottom to top."""
    unseen: int
    """How many more lie here."""


class FrameCounter(BaseModel):
    """A named whole number."""

    name: str
    value: int


class FrameEvent(BaseModel):
    """Something that happened."""

    seat: int | None
    text: str


class FrameAction(BaseModel):
    """What a seat did in the step that led here."""

    seat: int
    action: str | None
    """Its notation; null where these eyes do not see it: the events tell what they do see."""
    substituted: str | None
    """Why the default action stands in for the seat's own; null where it does not."""
    used_time: float | None
    """Seconds; null where it was not kept."""
    comment: str


class Frame(BaseModel):
    """The table after a step; frame 0 is the deal."""

    step: int
    deal: bool
    """Whether cards were dealt in this step."""
    phase: str
    to_act: list[int]
    """The seats that are asked next."""
    actions: list[FrameAction]
    zones: list[FrameZone]
    """In the order of the game's page."""
    counters: list[FrameCounter]
    events: list[FrameEvent]


def seat_of(eyes: str, seats: int) -> int:
    """Return whose eyes are meant. Raises :class:`UnknownName` for a seat that the match does not have."""
    number = EYES[eyes] if eyes in EYES else int(eyes)
    if number >= seats:
        raise UnknownName(f"unknown seat {number}: the match has 0 to {seats - 1}")
    return number


def frames(record: pb.Record, timings: pb.Timings, seed: bytes, eyes: int, *, cards: bool) -> Iterator[Frame]:
    """Yield the frame of each step, the deal first, as these eyes saw it; without ``cards``, all face-down.

    Raises :class:`referee.record.BadRecord` where the record does not replay.
    """
    times = iter([time.ToNanoseconds() / 1e9 for time in timings.used_time])
    for step, state in enumerate(states(record, seed)):
        actions = record.steps[step - 1].actions if step else ()
        shown = [_action(action, next(times, None), eyes, cards) for action in actions]
        yield _frame(step, state, shown, eyes, cards)


def observed(step: int, seen: Observation, seat: int) -> Frame:
    """Return the frame of what a seat that is asked sees, without what others did to get there."""
    return Frame(
        step=step,
        deal=False,
        phase=seen.phase,
        to_act=[seat],
        actions=[],
        zones=_zones(seen, True),
        counters=[FrameCounter(name=name, value=value) for name, value in seen.counters],
        events=[FrameEvent(seat=event.seat, text=event.text) for event in seen.events],
    )


def _frame(step: int, state: State, actions: list[FrameAction], eyes: int, cards: bool) -> Frame:
    seen = state.observe(eyes if cards else PUBLIC)
    return Frame(
        step=step,
        deal=any(text.startswith("deal") for text in state.chance),
        phase=seen.phase,
        to_act=list(state.turn),
        actions=actions,
        zones=_zones(seen, cards),
        counters=[FrameCounter(name=name, value=value) for name, value in seen.counters] if cards else [],
        events=[FrameEvent(seat=event.seat, text=event.text) for event in seen.events] if cards else [],
    )


def _zones(seen: Observation, cards: bool) -> list[FrameZone]:
    return [
        FrameZone(
            name=zone.name,
            owner=zone.owner,
            cards=list(zone.cards) if cards else [],
            unseen=zone.unseen if cards else zone.unseen + len(zone.cards),
        )
        for zone in seen.zones
    ]


def _action(action: pb.SeatAction, used_time: float | None, eyes: int, cards: bool) -> FrameAction:
    told = cards and eyes in (ALL, action.seat)
    return FrameAction(
        seat=action.seat,
        action=action.action if told else None,
        substituted=REASONS.get(action.substituted),
        used_time=used_time,
        comment=action.comment if told else "",
    )
