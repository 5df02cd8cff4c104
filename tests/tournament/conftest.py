"""A home, and an executor that plays real matches in this process: fast, and without bot processes."""

import asyncio
import runpy
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tournament.cli.run
import tournament.cli.submit
from cardpit import Bot
from referee.match import Match
from referee.orders import MatchReport, Player, Room, RoomReport
from referee.seats.inprocess import InProcessSeat
from tournament.cli import cli
from tournament.home import Home
from tournament.run import RoomFailed
from tournament.store.database import Store

BOTS = Path(__file__).parent.parent.parent / "bots"


class TrustedExecutor:
    """Plays rooms in this process with the bots' own code."""

    def __init__(self, jobs: int = 2) -> None:
        self.capacity = jobs
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


@pytest.fixture
def home(tmp_path: Path) -> Home:
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
        monkeypatch.setattr(module, "EXECUTORS", {"local": lambda jobs: executor})
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
    folder = tmp_path_factory.mktemp("cup") / "home"
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
def cup(call: Call, executor: TrustedExecutor, home: Home, cup_home: Path) -> Call:
    """Put a copy of that home in the place of the test's; return ``call``."""
    shutil.copytree(cup_home, home.folder)
    return call
