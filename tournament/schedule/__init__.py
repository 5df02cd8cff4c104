"""Schedules: who meets whom, found pairing by pairing and never listed beforehand.

A schedule is a pure function of the bots, the seats, the seed and the number of the pairing, and an adaptive one also
of the earlier results, so that a tournament can go on from anywhere::

    from tournament.schedule import find_schedule

    schedule = find_schedule("round-robin")(bots=1000, seats=2, seed=seed)
    schedule.total          # 499500
    schedule.pairing(17)    # two positions in the list of bots
    find_schedule("swiss")(bots=8, seats=2, seed=seed).after(results).pairing(4)

Every pairing is played as boards, in every rotation of the seats; so a schedule only sees to who meets whom.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Protocol

from tournament.schedule.every_table import EveryTable
from tournament.schedule.gauntlet import Gauntlet
from tournament.schedule.grown import Grown
from tournament.schedule.knockout import Knockout
from tournament.schedule.playoff import Playoff
from tournament.schedule.round_robin import RoundRobin
from tournament.schedule.schedule import (
    WARNING,
    BadSchedule,
    NoSuchPairing,
    NotYetKnown,
    Schedule,
    ScheduleError,
    Tally,
    UnknownSchedule,
)
from tournament.schedule.swiss import Swiss

__all__ = [
    "ADAPTIVE",
    "SCHEDULES",
    "WARNING",
    "BadSchedule",
    "Grown",
    "NoSuchPairing",
    "NotYetKnown",
    "Plan",
    "Schedule",
    "ScheduleError",
    "Tally",
    "UnknownSchedule",
    "find_schedule",
]


class Plan(Protocol):
    """What makes a schedule."""

    adaptive: bool
    intervals_hold: bool

    def __call__(
        self,
        bots: int,
        seats: int,
        seed: bytes,
        rounds: int | None = None,
        challengers: Sequence[int] = ...,
        third_place: bool = False,
    ) -> Schedule:
        """Return the schedule of so many bots at tables of so many seats.

        ``rounds`` is how often it is gone through, or how many rounds follow one another, by default as many as the
        schedule says of itself; ``challengers`` are the bots of a gauntlet that meet all others, by default the first;
        ``third_place`` has the losers of the semi-finals of a knockout meet. Raises :class:`BadSchedule`.
        """


SCHEDULES: MappingProxyType[str, Plan] = MappingProxyType(
    {
        "round-robin": RoundRobin,
        "gauntlet": Gauntlet,
        "every-table": EveryTable,
        "swiss": Swiss,
        "knockout": Knockout,
        "playoff": Playoff,
    }
)
"""Every schedule by its id."""

ADAPTIVE = tuple(schedule_id for schedule_id, plan in SCHEDULES.items() if plan.adaptive)
"""The ids of those in which who meets whom follows from results."""


def find_schedule(schedule_id: str) -> Plan:
    """Return what makes the schedule with this id. Raises :class:`UnknownSchedule`, which lists the known ones."""
    try:
        return SCHEDULES[schedule_id]
    except KeyError:
        raise UnknownSchedule(f"unknown schedule {schedule_id!r}: known are {', '.join(SCHEDULES)}") from None
