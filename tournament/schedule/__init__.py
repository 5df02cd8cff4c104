"""Schedules: who meets whom, found pairing by pairing and never listed beforehand.

A schedule is a pure function of the bots, the seats, the seed and the number of the pairing, so that a tournament can
go on from anywhere::

    from tournament.schedule import find_schedule

    schedule = find_schedule("round-robin")(bots=1000, seats=2, seed=seed)
    schedule.total          # 499500
    schedule.pairing(17)    # two positions in the list of bots

Every pairing is played as boards, in every rotation of the seats; so a schedule only sees to who meets whom.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Protocol

from tournament.schedule.every_table import EveryTable
from tournament.schedule.gauntlet import Gauntlet
from tournament.schedule.round_robin import RoundRobin
from tournament.schedule.schedule import BadSchedule, NoSuchPairing, Schedule, ScheduleError, UnknownSchedule

__all__ = [
    "SCHEDULES",
    "BadSchedule",
    "NoSuchPairing",
    "Plan",
    "Schedule",
    "ScheduleError",
    "UnknownSchedule",
    "find_schedule",
]


class Plan(Protocol):
    """What makes a schedule."""

    def __call__(
        self, bots: int, seats: int, seed: bytes, rounds: int | None = None, challengers: Sequence[int] = ...
    ) -> Schedule:
        """Return the schedule of so many bots at tables of so many seats.

        ``rounds`` is how often it is gone through, by default as often as the schedule says of itself; ``challengers``
        are the bots of a gauntlet that meet all others, by default the first. Raises :class:`BadSchedule`.
        """


SCHEDULES: MappingProxyType[str, Plan] = MappingProxyType(
    {"round-robin": RoundRobin, "gauntlet": Gauntlet, "every-table": EveryTable}
)
"""Every schedule by its id."""


def find_schedule(schedule_id: str) -> Plan:
    """Return what makes the schedule with this id. Raises :class:`UnknownSchedule`, which lists the known ones."""
    try:
        return SCHEDULES[schedule_id]
    except KeyError:
        raise UnknownSchedule(f"unknown schedule {schedule_id!r}: known are {', '.join(SCHEDULES)}") from None
