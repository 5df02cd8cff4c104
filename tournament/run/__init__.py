"""Running a tournament: what is to be played, who plays it, and the one process that stores the results."""

from collections.abc import Callable
from types import MappingProxyType

from tournament.run.executor import Executor, RoomFailed
from tournament.run.local import LocalExecutor

__all__ = ["EXECUTORS", "Executor", "RoomFailed"]

EXECUTORS: MappingProxyType[str, Callable[[int], Executor]] = MappingProxyType({"local": LocalExecutor})
"""Every executor by its name: called with the number of rooms at once."""
