"""A home with a finished tournament of every game and an unfinished one, and a server that shows it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient
from playwright.sync_api import Browser

from browsing import chromium
from cardpit.games import GAMES
from serving import enter, serving
from tournament.cli import cli
from tournament.home import Home
from tournament.store.database import Store
from tournament.web.app import create_app
from tournament.web.site import Site

BOTS = Path(__file__).parents[2] / "bots"

TALKER = """
import sys

from cardpit import Bot


class Talker(Bot):
    def act(self, turn):
        held = " ".join(turn.hand) or "nothing"
        print(f'<script>document.title = "log"</script> I hold {held}', file=sys.stderr)
        if turn.table.game == "landlord" and turn.number == 4:
            raise ValueError(f"I hold {held}")
        self.comment = f'<img src=x onerror="document.title=1"> I hold {held}'
        return 0


Talker.run()
"""


@contextmanager
def asking(home: Home, *, show_logs: bool = False) -> Iterator[TestClient]:
    """Ask a server without a network between."""
    with Store.create(home) as store:
        yield TestClient(create_app(Site(home, store, show_logs=show_logs)))


def tournament(home: Path, *words: str) -> None:
    """Run a command in a home."""
    done = CliRunner().invoke(cli, ["--home", str(home), *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="session")
def played_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with ``cup``, finished, and ``half``, which lacks one match of Landlord: random against talker.

    talker tells what it holds in its comments, its log and its last words, and puts markup in all of them.
    """
    folder = tmp_path_factory.mktemp("played") / "home"
    talker = folder.parent / "talker"
    talker.mkdir()
    (talker / "bot.py").write_text(TALKER)
    (talker / "bot.toml").write_text(
        'name = "talker"\ncommand = ["python", "bot.py"]\n'
        "description = '<script>document.title = \"description\"</script>'\n"
    )
    enter(Home(folder), BOTS / "random", talker)
    for name, boards, games in (("cup", "2", tuple(GAMES)), ("half", "1", ("landlord", "twenty-two", "spit"))):
        words = [word for game in games for word in ("--game", game)]
        tournament(
            folder, "run", "--name", name, *words, "--bots", "random,talker", "--boards", boards, "--seed", "7",
            "--move-time", "1", "--jail", "none", "--quiet",
        )  # fmt: skip
    tournament(folder, "void", "half/landlord/0/0/0", "--why", "so that it is unfinished")
    return folder


@pytest.fixture
def home(played_home: Path, tmp_path: Path) -> Home:
    """A copy of that home, to change."""
    shutil.copytree(played_home, tmp_path / "home")
    return Home(tmp_path / "home")


@pytest.fixture(scope="module")
def client(played_home: Path) -> Iterator[TestClient]:
    """Ask a server of the home that shows no logs."""
    with asking(Home(played_home)) as found:
        yield found


@pytest.fixture(scope="module")
def open_client(played_home: Path) -> Iterator[TestClient]:
    """Ask a server of the home that shows logs."""
    with asking(Home(played_home), show_logs=True) as found:
        yield found


@pytest.fixture(scope="module")
def server(played_home: Path) -> Iterator[str]:
    """The address of a real server of that home."""
    with serving(Home(played_home), "--show-logs") as (address, _):
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    with chromium() as found:
        yield found
