"""What a bot in a jail tries in order to get out: each attempt is refused in each jail that should hold it."""

import ctypes
import json
import os
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import cardpit
from jailing import needs, run_jailed
from referee.sandbox import STRONG, Scratch, landlock
from rooms import BOTS

ESCAPES: tuple[tuple[str, str, str], ...] = runpy.run_path(str(BOTS / "escapes.py"))["ESCAPES"]
NAMES = [name for name, _, _ in ESCAPES]
ROOT = os.geteuid() == 0

HOLDS_WITHOUT_A_JAIL = {name for name, control, _ in ESCAPES if control == "" or (control == "root" and not ROOT)}

OPPONENT = """
import signal, sys, time
signal.signal(signal.SIGUSR1, lambda *_: print("got it", flush=True))
signal.signal(signal.SIGUSR2, lambda *_: print("asked", flush=True))
print("ready", flush=True)
while True:
    signal.pause()
"""


@dataclass
class Place:
    """What there is to be had outside."""

    bundle: Path
    opponent: subprocess.Popen[str]
    heard: list[str]

    def hears(self) -> int:
        """Return how many signals the other has got since it was last asked."""
        self.opponent.send_signal(signal.SIGUSR2)
        while "asked\n" not in self.heard:
            time.sleep(0.01)
        count = self.heard.count("got it\n")
        self.heard.clear()
        return count

    def attempts(self, jail: str, *names: str) -> dict[str, str]:
        """Let a bot try; return what came of each attempt."""
        scratch = Scratch()
        with socket.socket(socket.AF_UNIX) as referee:
            referee.bind(str(scratch.socket))
            referee.listen(16)
            ended = run_jailed(jail, self.bundle, "python", "escapes.py", *names, scratch=scratch)
        found = dict(line.split("\t") for line in ended.log.splitlines() if "\t" in line)
        assert ended.status == 0, ended
        return found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("escapes")
    for name in ("own", "other"):
        (folder / "bundles" / name).mkdir(parents=True)
    own, secret = folder / "bundles" / "own", folder / "bundles" / "other" / "bot.py"
    secret.write_text("the trick of the other bot")
    shutil.copy(BOTS / "escapes.py", own)
    for path in ("home", "other-home"):
        (folder / path).mkdir()
    for path in ("store.db", "home/a", "temporary"):
        (folder / path).write_text("hidden")
    variable = f"secret-{os.getpid()}"
    opponent = subprocess.Popen(
        [sys.executable, "-c", OPPONENT], stdout=subprocess.PIPE, text=True, env={"CARDPIT_TOKEN": variable}
    )
    heard: list[str] = []
    assert opponent.stdout is not None
    opponent.stdout.readline()
    threading.Thread(target=lambda: heard.extend(opponent.stdout or ()), daemon=True).start()
    service, datagrams, abstract, server = (
        socket.socket(socket.AF_UNIX),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
        socket.socket(socket.AF_UNIX),
        socket.create_server(("127.0.0.1", 0)),
    )
    service.bind(str(folder / "service"))
    datagrams.bind(str(folder / "datagrams"))
    abstract.bind(f"\0{variable}")
    for one in (service, abstract):
        one.listen(8)
        threading.Thread(target=_greet, args=(one,), daemon=True).start()
    libc = ctypes.CDLL(None)
    memory = libc.shmget(0, 4096, 0o1600)
    targets = {
        "secret": str(secret),
        "store": str(folder / "store.db"),
        "own": str(own),
        "user_home": str(folder / "home"),
        "other_home": str(folder / "other-home"),
        "temporary": str(folder / "temporary"),
        "package": str(Path(cardpit.__file__)),
        "referee": os.getpid(),
        "opponent": opponent.pid,
        "variable": variable,
        "port": server.getsockname()[1],
        "service": str(folder / "service"),
        "datagrams": str(folder / "datagrams"),
        "abstract": variable,
        "memory": memory,
    }
    (own / "targets.json").write_text(json.dumps(targets))
    own.chmod(0o755)
    yield Place(own, opponent, heard)
    libc.shmctl(memory, 0, None)
    opponent.kill()
    opponent.wait()
    opponent.stdout.close()
    for one in (service, datagrams, abstract, server):
        one.close()


def _greet(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            connection.sendall(b"hello")


@pytest.fixture(scope="module")
def outcomes(place: Place) -> dict[str, dict[str, str]]:
    """What came of every attempt, by jail; a jail is tried when it is first asked for."""

    class Tried(dict[str, dict[str, str]]):
        def __missing__(self, jail: str) -> dict[str, str]:
            needs(jail)
            self[jail] = place.attempts(jail)
            return self[jail]

    return Tried()


def test_there_are_many_attempts() -> None:
    assert len(NAMES) == len(set(NAMES)) >= 40


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("jail", STRONG)
def test_an_attempt_is_refused(outcomes: dict[str, dict[str, str]], jail: str, name: str) -> None:
    assert outcomes[jail][name].startswith("refused: ")


def test_the_same_attempts_work_without_a_jail(place: Place) -> None:
    tried = [name for name in NAMES if name not in HOLDS_WITHOUT_A_JAIL]
    outcomes = place.attempts("none", *tried)
    assert {name for name in tried if outcomes[name] != "got out"} == set(), outcomes
    assert len(tried) >= 35


@pytest.mark.parametrize("jail", STRONG)
def test_no_signal_gets_out_by_way_of_a_pipe(place: Place, jail: str) -> None:
    needs(jail)
    place.attempts(jail, "signal through a pipe")
    assert place.hears() == 0


def test_without_a_jail_a_signal_gets_out_by_way_of_a_pipe(place: Place) -> None:
    place.attempts("none", "signal through a pipe")
    assert place.hears() >= 1


def test_an_older_landlock_holds_signals_too(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("landlock")
    monkeypatch.setattr(landlock, "version", lambda: 2)
    names = [name for name in NAMES if "signal" in name] + ["reach an abstract socket", "connect by TCP"]
    outcomes = place.attempts("landlock", *names)
    assert {name: outcome for name, outcome in outcomes.items() if not outcome.startswith("refused")} == {}
    assert len(outcomes) == len(names) >= 7
