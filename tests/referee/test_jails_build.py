"""A build command writes in its folder and nowhere else, and what it leaves can be trusted to be files."""

import asyncio
import os
import shutil
import socket
from pathlib import Path

import pytest

from jailing import needs
from referee.sandbox import STRONG, NoProgram, build, find_jail
from referee.sandbox.build import Build


def run_build(jail: str, folder: Path, script: str, *, network: bool = False, build_time: float = 30.0) -> Build:
    needs(jail)
    command = ("sh", "-c", script)
    return asyncio.run(build(command, folder, find_jail(jail), network=network, build_time=build_time))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bundle"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "bot.c").write_text("int main(void) { return 42; }")
    return folder


@pytest.mark.parametrize("jail", [*STRONG, "process"])
def test_a_build_makes_a_program_in_its_folder(jail: str, folder: Path) -> None:
    done = run_build(jail, folder, "mkdir out && cp /bin/true out/bot && touch src/made && echo well done")
    assert done == Build("", "well done\n")
    assert os.access(folder / "out" / "bot", os.X_OK)
    for path in (folder, folder / "out", folder / "out" / "bot", folder / "src" / "made"):
        assert path.stat().st_uid == os.geteuid()
        assert path.stat().st_mode & 0o004
        assert not path.stat().st_mode & 0o022


@pytest.mark.parametrize("jail", STRONG)
def test_a_build_sees_neither_its_neighbours_nor_the_network(jail: str, folder: Path) -> None:
    (folder.parent / "neighbour").write_text("a secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"import socket; socket.create_connection(('127.0.0.1', {port}), 1)"
        script = f'cat "{folder.parent}/neighbour"; echo x > "{folder.parent}/planted"; /usr/bin/python3 -c "{connect}"'
        done = run_build(jail, folder, script)
        assert "a secret" not in done.log
        assert not (folder.parent / "planted").exists()
        if shutil.which("python3", path="/usr/bin"):
            assert "Error" in done.log
            assert done.failure == "ended with exit status 1, 0 is wanted"


def test_a_build_may_use_the_network_where_that_was_allowed(folder: Path) -> None:
    if shutil.which("python3", path="/usr/bin") is None:
        pytest.skip("the system has no Python of its own")
    for jail in STRONG:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            connect = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
            done = run_build(jail, folder, f'/usr/bin/python3 -c "{connect}"', network=True)
            assert done.failure == "", done.log


@pytest.mark.parametrize("jail", STRONG)
def test_a_build_must_not_leave_a_link_out_of_its_folder(jail: str, folder: Path) -> None:
    done = run_build(jail, folder, "ln -s bot.c src/fine && ln -s /etc/passwd src/planted.py")
    assert done.failure == "left src/planted.py, a link out of the bundle: links must stay inside"


def test_a_build_must_not_leave_what_is_no_file(folder: Path) -> None:
    done = run_build("bubblewrap", folder, "mkfifo src/pipe")
    assert done.failure == "left src/pipe, which is no file: only files and folders are allowed"


def test_a_build_that_does_not_end_is_ended(folder: Path) -> None:
    done = run_build("bubblewrap", folder, "echo begun; sleep 60", build_time=1.0)
    assert done == Build("took more than the 1 s allowed", "begun\n")


def test_a_build_needs_a_program(folder: Path) -> None:
    with pytest.raises(NoProgram, match="no-such-program"):
        asyncio.run(build(("no-such-program",), folder, find_jail("process"), network=False, build_time=1.0))
