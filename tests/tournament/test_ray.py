"""A real Ray cluster: a node is lost, then the coordinator is killed, and the table is that of one machine."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from disturbances import CUP, begin, ending, output, played, prepare, wait_for
from tournament.errors import BadConfiguration
from tournament.run.local import LocalExecutor

SCRIPT = Path(__file__).parent.parent / "ray_cluster.py"
LONG_CUP = tuple("40" if word == "20" else "3" if word == "2" else word for word in CUP)
MATCHES = 2 * 40


class Cluster:
    """A head with one processor and a node with two."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "TMPDIR": str(folder)},
        )
        self.address = self._hear()

    def lose_node(self) -> None:
        """Kill the node, with all that runs there."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        assert self._hear() == "the node is gone"

    def end(self) -> None:
        self._process.communicate(timeout=60)

    def _hear(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    # The names of Ray's sockets are long, so that of the folder must be short. Bots have to get through it.
    folder = Path(tempfile.mkdtemp(prefix="ray-"))
    folder.chmod(0o755)
    cluster = Cluster(folder)
    yield cluster
    cluster.end()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.timeout(300)
def test_a_lost_node_and_a_killed_coordinator_change_nothing(tmp_path: Path, cluster: Cluster) -> None:
    local, spread = tmp_path / "local", tmp_path / "spread"
    prepare(spread)
    run = (*LONG_CUP, "--executor", "ray", "--address", cluster.address)
    with begin(spread, *run) as first:
        wait_for(spread, 12, first)
        cluster.lose_node()
        wait_for(spread, played(spread) + 15, first)
        assert first.poll() is None
        first.kill()
        assert first.stderr is not None
        said = first.stderr.read()
    assert "the platform failed: its node or its process was lost" in said
    assert 12 < played(spread) < MATCHES
    with begin(spread, *run) as second:
        _, said = second.communicate(timeout=240)
    assert second.returncode == 0, said

    prepare(local)
    output(local, *LONG_CUP)
    assert ending(spread) == ending(local)
    assert played(spread) == MATCHES


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path) -> None:
    prepare(tmp_path)
    with begin(tmp_path, *CUP, "--executor", "ray", "--address", "127.0.0.1:1") as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.splitlines()[-1].startswith("tournament: no Ray cluster at 127.0.0.1:1: ")


def test_an_address_is_for_a_cluster_only() -> None:
    with pytest.raises(BadConfiguration, match="--address here: it is for an --executor on other machines"):
        LocalExecutor(1, "here")
