"""``tournament serve`` as a process."""

import signal
import socket
import urllib.request
from pathlib import Path

from click.testing import CliRunner

from serving import serving
from tournament.cli import cli
from tournament.home import Home


def test_it_prints_where_it_is_and_ends_with_its_readers_still_there(tmp_path: Path) -> None:
    with serving(Home(tmp_path / "home")) as (address, process):
        with urllib.request.urlopen(f"{address}/") as answer:
            assert answer.status == 200
            assert "server" not in answer.headers
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))):
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0


def test_a_port_that_is_taken_and_an_address_that_is_none_are_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(cli, ["--home", str(tmp_path), "serve", "--port", port])
        assert done.exit_code == 2
        assert f"address 127.0.0.1, port {port}: Address already in use: give another" in done.output
    done = CliRunner().invoke(cli, ["--home", str(tmp_path), "serve", "--host", "256.0.0.1"])
    assert done.exit_code == 2
    assert "address 256.0.0.1" in done.output
    assert done.output.count("\n") == 1
