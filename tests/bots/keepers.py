"""Bots that try to keep something from one match to the next, by the name given as first argument.

Each writes ``found`` if it finds what an earlier process of it has left, else ``fresh``; then it leaves it.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import cardpit
from cardpit import Bot

LEFT = []


class Keeper(Bot):
    """Plays the first legal action."""

    def opened(self, table):
        print("found" if self.find() else "fresh", flush=True)
        self.leave()

    def act(self, turn):
        return 0


class InModules(Keeper):
    """Keeps it in its own module, in the SDK and in its environment; shows its process, its parent and its token."""

    def find(self):
        print("process", os.getpid(), "parent", os.getppid(), "token", os.environ["CARDPIT_TOKEN"])
        return LEFT or hasattr(cardpit, "left") or "LEFT" in os.environ

    def leave(self):
        LEFT.append(1)
        cardpit.left = True
        os.environ["LEFT"] = "1"


class InFiles(Keeper):
    """Keeps it in files, in every place that it can write in."""

    places = (Path(tempfile.gettempdir()), Path.home(), Path("/dev/shm"))

    def find(self):
        return any((place / "left").exists() for place in self.places if place != Path("/dev/shm") or self.is_alone())

    def leave(self):
        for place in self.places:
            if place != Path("/dev/shm") or self.is_alone():
                (place / "left").write_text("1")

    def is_alone(self):
        """Tell whether ``/dev/shm`` is this bot's alone."""
        return Path.cwd() == Path("/bot")


class InProcess(Keeper):
    """Keeps it in a process that goes on, in a session of its own."""

    code = "import signal, sys, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"

    def find(self):
        done = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False)
        return f"left-{os.getuid()}" in done.stdout

    def leave(self):
        subprocess.Popen([sys.executable, "-c", self.code, f"left-{os.getuid()}"], start_new_session=True)


class InParent(Keeper):
    """Keeps it in the priority of its parent, which it would inherit."""

    def find(self):
        return os.getpriority(os.PRIO_PROCESS, 0) == 15

    def leave(self):
        try:
            os.setpriority(os.PRIO_PROCESS, os.getppid(), 15)
        except PermissionError:
            print("refused")


class Rebel(Keeper):
    """Kills its parent."""

    def find(self):
        return False

    def leave(self):
        os.kill(os.getppid(), signal.SIGKILL)
        signal.pause()


class Snoop(Keeper):
    """Looks into its parent."""

    def find(self):
        try:
            with Path(f"/proc/{os.getppid()}/mem").open("r+b"):
                return True
        except PermissionError:
            return False

    def leave(self):
        pass


BOTS = {
    "in-modules": InModules,
    "in-files": InFiles,
    "in-process": InProcess,
    "in-parent": InParent,
    "rebel": Rebel,
    "snoop": Snoop,
}

if __name__ == "__main__":
    BOTS[sys.argv[1]].run()
