"""A real ``tournament serve``, and users with tokens."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tournament.bundle import copy_bundle, read_bundle
from tournament.home import Home
from tournament.store.accounts import Role, User, add_account, find_user
from tournament.store.bots import add_version
from tournament.store.database import Store

BOTS = Path(__file__).parent.parent / "bots"


@contextmanager
def serving(home: Home, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a server on a free port; yield its address and its process."""
    words = [str(Path(sys.executable).with_name("tournament")), "serve", "--port", "0", *options]
    with (home.folder.parent / "serve.log").open("a") as log:
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ | {"CARDPIT_HOME": str(home.folder)}
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"http://\S+", line)
        assert address, (home.folder.parent / "serve.log").read_text()
        yield address[0].rstrip("/"), process
    finally:
        process.terminate()
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()


def log_of(home: Home) -> str:
    """What the servers of a home have written."""
    return (home.folder.parent / "serve.log").read_text()


def enter(home: Home, *paths: Path) -> None:
    """Store bots without trying them."""
    with Store.create(home) as store:
        for path in paths:
            bundle = read_bundle(path)
            copy_bundle(bundle, home.bundles)
            add_version(store, bundle)


def enrol(store: Store, name: str, role: Role = Role.PARTICIPANT) -> tuple[User, str]:
    """Add a user; return it with its token."""
    token = add_account(store, name, role)
    user = find_user(store, token)
    assert user is not None
    return user, token


def bearer(token: str) -> dict[str, str]:
    """The header that carries a token."""
    return {"Authorization": f"Bearer {token}"}


def a_bot(path: Path, act: str = "return 0", games: str = '("landlord",)') -> Path:
    """Write a bot as a single Python file; it plays few games, so that it is tried quickly."""
    path.write_text(
        f"from cardpit import Bot\n\n\nclass Tester(Bot):\n    games = {games}\n\n    def act(self, turn):\n"
        f"        {act}\n\n\nTester.run()\n"
    )
    return path
