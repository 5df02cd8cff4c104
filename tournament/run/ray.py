"""The ``ray`` executor: rooms are tasks of a Ray cluster. Ray starts them and says when a node is lost, nothing more.

A task plays one room in its own process and yields each report as the match ends. Ray never repeats one: the
coordinator, which alone stores results, plays again what is missing. Bundles travel through Ray's object store, and
each node keeps those that it has had, under their hashes.
"""

import asyncio
import io
import logging
import os
import queue
import resource
import socket
import stat
import tarfile
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import uvloop

from cardpit.games import find_game
from referee.orders import MatchReport, Player, Room, RoomReport
from referee.room import play_room
from tournament.bundle import drafted
from tournament.errors import Failure
from tournament.run.executor import RoomFailed

try:
    # What Ray would otherwise send home, and warn of.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray
    from ray.exceptions import RayError, RayTaskError
except ImportError:
    raise Failure("--executor ray needs Ray: pip install 'cardpit-platform[cluster]'") from None

CONNECT_TIME = 5.0
"""Seconds in which the head of a cluster must take a connection."""

Bundles = Mapping[str, "ray.ObjectRef[bytes]"]
"""Archives of bundles by their hash."""


class RayExecutor:
    """Plays rooms on all nodes of a Ray cluster, as many at once as it has processors, or as there are jobs."""

    def __init__(self, jobs: int | None = None, address: str | None = None) -> None:
        self.capacity = jobs or 1
        self._jobs = jobs
        self._address = address or os.environ.get("RAY_ADDRESS") or "auto"
        self._bundles: dict[str, ray.ObjectRef[bytes]] = {}
        self._task = ray.remote(max_retries=0, num_returns="streaming")(_play)

    async def start(self) -> None:
        """Connect with the cluster. Raises :class:`Failure` where there is none."""
        # In a thread of its own Ray leaves the signals of this process alone.
        await asyncio.to_thread(self._connect)

    async def play(self, room: Room) -> AsyncIterator[MatchReport | RoomReport]:
        """Play a room: the reports of its matches as they end, then the room's. Raises :class:`RoomFailed`."""
        bundles = {player.bundle_hash: await asyncio.to_thread(self._put, player) for player in room.players}
        task = self._task.options(num_cpus=processors_of(room))
        reports = cast("ray.ObjectRefGenerator", task.remote(room, bundles))
        try:
            async for report in reports:
                yield await report
        except RayTaskError as error:
            raise RoomFailed(f"{type(error.cause).__name__}: {error.cause}") from None
        except RayError as error:
            raise RoomFailed(f"its node or its process was lost: {_first_line(error)}") from None
        finally:
            # Whoever is not done by now is killed with its process; the wardens of its bots end these.
            ray.cancel(reports, force=True)

    async def close(self) -> None:
        """Leave the cluster, which ends all rooms that it still plays for this process."""
        await asyncio.to_thread(ray.shutdown)

    def _connect(self) -> None:
        try:
            _knock(self._address)
            ray.init(address=self._address, log_to_driver=False, logging_level=logging.ERROR)
        except (OSError, RayError, ValueError, RuntimeError) as error:
            raise Failure(
                f"no Ray cluster at {self._address}: {_first_line(error)}: "
                "start one with: ray start --head, and give its --address"
            ) from None
        processors = int(ray.cluster_resources().get("CPU", 0))  # type: ignore[no-untyped-call]
        if not processors:
            raise Failure(f"the Ray cluster at {self._address} has no processors: add a node")
        self.capacity = self._jobs or processors

    def _put(self, player: Player) -> "ray.ObjectRef[bytes]":
        if player.bundle_hash not in self._bundles:
            self._bundles[player.bundle_hash] = ray.put(pack(player.folder))
        return self._bundles[player.bundle_hash]


def _knock(address: str) -> None:
    """Raise OSError where nobody listens at ``host:port``: Ray would go on trying for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), CONNECT_TIME).close()


def processors_of(room: Room) -> int:
    """Return how many processors a room reserves: one for whose turn it is; in real time all bots think at once."""
    return len(room.players) if find_game(room.game).real_time else 1


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


# What follows runs on the nodes.


def _play(room: Room, bundles: Bundles) -> Iterator[MatchReport | RoomReport]:
    """Play a room in the process of a task, and yield what there is to report."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    players = [replace(player, folder=fetch(player.bundle_hash, bundles, _cache())) for player in room.players]
    room = replace(room, players=tuple(players))
    reports: queue.SimpleQueue[MatchReport | RoomReport | BaseException] = queue.SimpleQueue()

    def work() -> None:
        try:
            reports.put(uvloop.run(play_room(room, reports.put)))
        except BaseException as error:  # noqa: BLE001 - it is raised again where Ray sees it
            reports.put(error)

    # A thread of its own: matches go on while Ray takes a report.
    threading.Thread(target=work, daemon=True).start()
    while True:
        report = reports.get()
        if isinstance(report, BaseException):
            raise report
        yield report
        if isinstance(report, RoomReport):
            return


def _cache() -> Path:
    """Return the folder of this node's bundles. Bots may run under another user: it must be open to all."""
    folder = Path(tempfile.gettempdir(), f"bundles-of-cardpit-{os.getuid()}")
    folder.mkdir(exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user: remove it, or set TMPDIR")
    folder.chmod(0o755)
    return folder


def fetch(bundle_hash: str, bundles: Bundles, cache: Path) -> Path:
    """Return the folder of a bundle on this node, unpacked there if it is new. One with a hash is always whole."""
    target = cache / bundle_hash
    if not target.is_dir():
        with drafted(target) as draft:
            unpack(ray.get(bundles[bundle_hash]), draft)
    return target


def pack(folder: Path) -> bytes:
    """Return a stored bundle, with all that was built and compiled in it, as an archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = archive.gettarinfo(path, path.relative_to(folder).as_posix())
                entry.mode = 0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644
                with path.open("rb") as file:
                    archive.addfile(entry, file)
    return buffer.getvalue()


def unpack(archive: bytes, folder: Path) -> None:
    """Unpack such an archive."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as content:
        content.extractall(folder, filter="data")
