"""A real PostgreSQL server of the tests' own, in a temporary folder, reached through a Unix socket."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "listen_addresses": "",
}
START_TIME = 30.0
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}


def programs() -> Path | None:
    """Return the folder of initdb and postgres, of the newest version there is."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not found and (path := shutil.which("initdb")):
        found.append(Path(path).resolve().parent)
    return max(found, key=lambda folder: folder.parent.name.zfill(3), default=None)


class PostgresServer:
    """The server. It is run by an ordinary user, for it refuses root, and ends with the process that started it."""

    def __init__(self, programs: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cardpit-postgresql-"))
        self._programs = programs
        self._user: list[str] = []
        if os.geteuid() == 0:
            os.chown(self.folder, 65534, 65534)
            self._user = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
        words = self._command("initdb", "--no-sync", "--auth=trust", "--username=cardpit", "--locale=C.UTF-8")
        subprocess.run(words, check=True, capture_output=True, cwd="/", env=ENVIRONMENT)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = SETTINGS | {"unix_socket_directories": str(self.folder)}
        words = self._command("postgres", *(word for item in settings.items() for word in ("-c", "=".join(item))))
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(words, stdout=log, stderr=log, cwd="/", env=ENVIRONMENT)
        deadline = time.monotonic() + START_TIME
        while True:
            try:
                self.execute("SELECT 1")
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.02)

    def stop(self) -> None:
        """End it at once with all of its connections. What was committed is kept."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()

    @property
    def runs(self) -> bool:
        """Whether it has been started."""
        return self._process.poll() is None

    def remove(self) -> None:
        """End it for good."""
        self.stop()
        shutil.rmtree(self.folder)

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://cardpit@/{database}?host={quote(str(self.folder), safe='')}"

    def execute(self, statements: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run statements; return the rows of the first one, if it has any."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statements.encode())
            return cursor.fetchall() if cursor.description else []

    def _command(self, program: str, *words: str) -> list[str]:
        prefix = ["setpriv", *self._user, "--pdeathsig", "QUIT", "--"]
        return [*prefix, str(self._programs / program), "-D", str(self.folder / "data"), *words]


def start_server() -> PostgresServer:
    """Start a server, or skip the test where PostgreSQL is not installed; where ``CI`` is set, fail it."""
    place = programs()
    if place is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("PostgreSQL is not installed: apt install postgresql")
    return PostgresServer(place)
