"""A home, and an executor that plays real matches in this process: fast, and without bot processes.

Tests of the store are run with both kinds of database: ``pytestmark = pytest.mark.usefixtures("database")``.
"""

import asyncio
import os
import runpy
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlmodel import SQLModel

import tournament.cli.run
import tournament.cli.submit
from cardpit import Bot
from disturbances import CUP, Ending, ending, output, prepare
from postgres_server import PostgresServer, start_server
from referee.match import Match
from referee.orders import MatchReport, Player, Room, RoomReport
from referee.seats.inprocess import InProcessSeat
from tournament.cli import cli
from tournament.home import Home
from tournament.run import RoomFailed
from tournament.store.database import Store
from tournament.store.postgresql import VARIABLE

BOTS = Path(__file__).parent.parent.parent / "bots"

TABLES = [table.name for table in SQLModel.metadata.sorted_tables]
"""Those of the store, each behind those that it refers to."""
NUMBERED = [table.name for table in SQLModel.metadata.sorted_tables if "id" in table.columns]
EMPTY = "".join(f"DELETE FROM {table};" for table in reversed(TABLES))
EMPTY += "".join(f"ALTER SEQUENCE {table}_id_seq RESTART;" for table in NUMBERED)


class TrustedExecutor:
    """Plays rooms in this process with the bots' own code."""

    def __init__(self, jobs: int | None = None, address: str | None = None) -> None:
        self.capacity = jobs or 2
        self.rooms: list[Room] = []
        self.fails: Callable[[Room], bool] = lambda room: False
        """Says which rooms the platform fails in, after their first match."""
        self.closed = False

    async def start(self) -> None:
        pass

    async def play(self, room: Room) -> AsyncIterator[MatchReport | RoomReport]:
        self.rooms.append(room)
        for number, board in enumerate(room.boards):
            await asyncio.sleep(0)
            if self.fails(room) and number:
                raise RoomFailed("the test pulled the plug")
            seats = [InProcessSeat(_bot(player)) for player in room.players]
            yield await Match(room, board, seats).play()
        yield RoomReport(room.pairing, room.room, tuple(f"hello from seat {s}" for s, _ in enumerate(room.players)))

    async def close(self) -> None:
        self.closed = True


_CLASSES: dict[Path, type[Bot]] = {}


def _bot(player: Player) -> type[Bot]:
    path = player.folder / player.command[-1]
    if path not in _CLASSES:
        found = [
            v for v in runpy.run_path(str(path)).values() if isinstance(v, type) and issubclass(v, Bot) and v is not Bot
        ]
        _CLASSES[path] = found[-1]
    return _CLASSES[path]


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    """A server with the database ``test``, which has all tables."""
    server = start_server()
    server.execute("CREATE DATABASE test")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, server.url("test"))
        Store.open(Home(Path())).close()
    yield server
    server.remove()


@pytest.fixture
def postgresql(server: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> PostgresServer:
    """An empty database on a server instead of that of the home."""
    # Making a database takes a third of a second; emptying one of its few rows, some milliseconds.
    server.execute(EMPTY, "test")
    monkeypatch.setenv(VARIABLE, server.url("test"))
    return server


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Ending:
    """What ``disturbances.CUP`` comes to when it is left alone."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        prepare(folder)
        output(folder, *CUP)
        return ending(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """Each kind of database in turn."""
    kind: str = request.param
    if kind == "postgresql":
        request.getfixturevalue("postgresql")
    return kind


@pytest.fixture
def home(tmp_path: Path, request: pytest.FixtureRequest) -> Home:
    if "database" in request.fixturenames:
        # Wherever the test asks for it, it comes before whatever opens the store.
        request.getfixturevalue("database")
    return Home(tmp_path / "home")


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with Store.create(home) as store:
        yield store


@pytest.fixture
def executor(monkeypatch: pytest.MonkeyPatch) -> TrustedExecutor:
    """Put the trusted executor in the place of the local one."""
    executor = TrustedExecutor()
    for module in (tournament.cli.run, tournament.cli.submit):
        monkeypatch.setattr(module, "EXECUTORS", {"local": lambda jobs, address: executor})
    return executor


Call = Callable[..., Result]


@pytest.fixture
def call(home: Home, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run the command line in this process, with the home of the test."""
    monkeypatch.setenv("CARDPIT_HOME", str(home.folder))
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*words: str | Path) -> Result:
        return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)

    return call


@pytest.fixture(scope="session")
def cup_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the bots random, first and spitter, which plays Spit only, and ``cup``, finished, of Landlord."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        return _play_cup(tmp_path_factory.mktemp("cup") / "home")


def _play_cup(folder: Path) -> Path:
    spitter = folder.parent / "spitter.py"
    spitter.write_text(
        (BOTS / "first" / "bot.py").read_text().replace("    def act", '    games = ("spit",)\n\n    def act')
    )
    with pytest.MonkeyPatch.context() as patch:
        for module in (tournament.cli.run, tournament.cli.submit):
            patch.setattr(module, "EXECUTORS", {"local": TrustedExecutor})
        for words in (
            ("submit", BOTS / "random"),
            ("submit", BOTS / "first"),
            ("submit", spitter),
            ("run", "--name", "cup", "--game", "landlord", "--bots", "random,first", "--boards", "4", "--seed", "7"),
        ):
            done = CliRunner().invoke(cli, ["--home", str(folder), *map(str, words)], catch_exceptions=False)
            assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def cup(
    call: Call, executor: TrustedExecutor, home: Home, cup_home: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Call:
    """Put a copy of that home, and of its database, in the place of the test's; return ``call``."""
    shutil.copytree(cup_home, home.folder)
    if VARIABLE in os.environ:
        server: PostgresServer = request.getfixturevalue("server")
        if server.execute("SELECT to_regclass('cup.pools')", "test") == [(None,)]:
            _play_cup(tmp_path / "played")
            server.execute(
                "CREATE SCHEMA cup;" + "".join(f"CREATE TABLE cup.{t} AS TABLE {t};" for t in TABLES), "test"
            )
        else:
            server.execute("".join(f"INSERT INTO {t} SELECT * FROM cup.{t};" for t in TABLES), "test")
            server.execute("".join(f"SELECT setval('{t}_id_seq', 1000);" for t in NUMBERED), "test")
    return call
