"""Running a tournament: what is to be played, who plays it, and the one process that stores the results."""

from collections.abc import Callable
from types import MappingProxyType

from tournament.run.executor import Executor, RoomFailed
from tournament.run.local import LocalExecutor

__all__ = ["EXECUTORS", "Executor", "RoomFailed"]

MakeExecutor = Callable[[int | None, str | None], Executor]
"""Makes an executor: with the number of rooms at once, None for as many as there are processors, and an address."""


def _ray(jobs: int | None, address: str | None) -> Executor:
    # Ray takes a second to import, and is not installed everywhere.
    from tournament.run.ray import RayExecutor

    return RayExecutor(jobs, address)


EXECUTORS: MappingProxyType[str, MakeExecutor] = MappingProxyType({"local": LocalExecutor, "ray": _ray})
"""Every executor by its name."""
