"""PostgreSQL: the address, the lock between machines, and a server that is lost."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from disturbances import CUP, Ending, begin, command, cup_of, ending, output, prepare, wait_for
from postgres_server import PostgresServer
from tournament.errors import Busy, StoreLost
from tournament.home import Home
from tournament.store.database import Store
from tournament.store.postgresql import VARIABLE, hide_password

Call = Callable[..., Result]

ALLOWED = "allowed is postgresql://user:password@host:port/database; without it the database is a file of the home"


@pytest.fixture
def stopped(postgresql: PostgresServer) -> Iterator[PostgresServer]:
    """A server that the test may stop; it is started again afterwards."""
    yield postgresql
    if not postgresql.runs:
        postgresql.start()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("mysql://me:secret@host/db", f"'mysql://me:***@host/db': {ALLOWED}"),
        ("sqlite:///cardpit.db", f"'sqlite:///cardpit.db': {ALLOWED}"),
        ("postgresql+asyncpg://me:secret@host/db", f"'postgresql+asyncpg://me:***@host/db': {ALLOWED}"),
        ("me:secret@host/db", f"'me:***@host/db' is no address: {ALLOWED}"),
        ("postgresql://me:secret@host:port/db", f"'postgresql://me:***@host:port/db' is no address: {ALLOWED}"),
    ],
)
def test_what_is_no_address_of_a_postgresql_database_is_refused(
    call: Call, monkeypatch: pytest.MonkeyPatch, value: str, message: str
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    for words in (("list",), ("submit", "bots/first"), ("run", "--name", "cup")):
        result = call(*words)
        assert result.exit_code == 2
        assert result.stderr == f"tournament: {VARIABLE} {message}\n"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("postgresql://me:se:cr@et@host/db", "postgresql://me:***@host/db"),
        ("postgresql://me@host/db?password=secret&sslmode=require", "postgresql://me@host/db?password=***&sslmode=require"),
        ("postgresql:me:secret@host", "postgresql:***@host"),
        ("postgresql://host:5432/db", "postgresql://host:5432/db"),
    ],
)  # fmt: skip
def test_a_password_is_never_shown(value: str, shown: str) -> None:
    assert hide_password(value) == shown


def test_without_psycopg_it_is_said_what_to_install(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "postgresql://me:secret@host/db")
    monkeypatch.setattr("tournament.store.postgresql.find_spec", lambda name: None)
    result = call("list")
    assert result.exit_code == 2
    assert 'pip install "cardpit-platform[postgresql]"' in result.stderr
    assert "secret" not in result.stderr


def test_a_server_that_is_not_there_is_named_on_one_line(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "postgresql://me:secret@127.0.0.1:1/db")
    result = call("list")
    assert result.exit_code == 1
    assert result.stderr.startswith("tournament: database postgresql://me:***@127.0.0.1:1/db: connection failed: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.usefixtures("postgresql")
def test_a_tournament_is_run_by_one_process_on_all_machines(home: Home, tmp_path: Path) -> None:
    prepare(home.folder)
    with begin(home.folder, *cup_of(1000)) as process:
        wait_for(home.folder, 1, process)
        words = command("--home", str(tmp_path / "elsewhere"), "run", "--name", "cup")
        second = subprocess.run(words, capture_output=True, text=True, check=False)
        assert second.returncode == 2
        where = f"process {process.pid} on {os.uname().nodename}"
        assert second.stderr.startswith(f"tournament: tournament cup is being run by {where}: wait for its end")
        assert second.stderr.count("\n") == 1
        process.kill()


def test_a_lock_that_went_with_the_connection_is_taken_again_unless_another_has_it(
    home: Home, stopped: PostgresServer
) -> None:
    with Store.create(home) as store, Store.create(home) as other:
        with store.locked("cup"):
            stopped.stop()
            stopped.start()
            with pytest.raises(StoreLost), store.session():
                pass
            with store.session(), pytest.raises(Busy), other.locked("cup"):
                pass
            stopped.stop()
            stopped.start()
            with other.locked("cup"):
                with pytest.raises(StoreLost), store.session():
                    pass
                with pytest.raises(Busy, match=f"run by process {os.getpid()} on "), store.session():
                    pass
        with other.locked("cup"):
            pass


def test_a_run_goes_on_when_the_server_is_back(
    home: Home, tmp_path: Path, stopped: PostgresServer, undisturbed: Ending
) -> None:
    prepare(home.folder)
    with begin(home.folder, *CUP) as process:
        for matches in (4, 15):
            wait_for(home.folder, matches, process)
            stopped.stop()
            stopped.start()
        _, err = process.communicate()
    assert process.returncode == 0, err
    # Where all that was left had been played, the second time is not noticed.
    lost = err.count("; trying again for 300 s\n")
    assert lost in (1, 2), err
    assert err.count("the database is back after ") == lost
    assert ending(home.folder) == undisturbed
    # Results are read on machines that have no bundles.
    assert ending(tmp_path / "elsewhere") == undisturbed
    assert not (tmp_path / "elsewhere").exists()


def test_a_server_that_stays_away_ends_the_run_and_it_is_said_how_to_go_on(
    home: Home, stopped: PostgresServer, undisturbed: Ending
) -> None:
    prepare(home.folder)
    code = (
        "import tournament.run.patience as patience; patience.LOST_TIME = 1.0\nfrom tournament.cli import main; main()"
    )
    with subprocess.Popen(
        [*command()[:2], code, "--home", str(home.folder), *CUP],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_for(home.folder, 4, process)
        stopped.stop()
        _, err = process.communicate()
    assert process.returncode == 1, err
    (line,) = [line for line in err.splitlines() if line.startswith("tournament: ")]
    assert "what was stored before is kept; it did not come back within 1 s" in line
    assert line.endswith("go on with: tournament run --name cup")
    stopped.start()
    output(home.folder, "run", "--name", "cup", "--quiet")
    assert ending(home.folder) == undisturbed
