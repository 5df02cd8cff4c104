"""Bots that take more of the machine than they may have, once they sit at a table."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cardpit import Bot

MIB = 1024 * 1024


class Honest(Bot):
    """Plays the first legal action."""

    def act(self, turn):
        return 0


class Memory(Honest):
    """Takes 1 GiB of memory."""

    def act(self, turn):
        self.hoard = []
        for _ in range(32):
            self.hoard.append(b"x" * (32 * MIB))
        return 0


class Family(Honest):
    """Has ten children, each of which takes 100 MiB."""

    def act(self, turn):
        for _ in range(10):
            subprocess.Popen([sys.executable, "-I", "-S", "-c", "x = b'x' * (100 << 20); import time; time.sleep(60)"])
        time.sleep(60)


class Bomb(Honest):
    """Forks again and again: to 512 processes where nothing holds it, so that no machine stands still."""

    def act(self, turn):
        for _ in range(9):
            try:
                os.fork()
            except OSError:
                time.sleep(0.001)
        time.sleep(60)


class Burner(Honest):
    """Keeps four processors busy beside its play."""

    def opened(self, table):
        for _ in range(4):
            subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"])


class Disk(Honest):
    """Fills its disk."""

    def act(self, turn):
        for number in range(100):
            Path(tempfile.gettempdir(), str(number)).write_bytes(b"x" * (8 * MIB))
        time.sleep(60)


class Files(Honest):
    """Opens every file descriptor, many of them to the referee."""

    def act(self, turn):
        import socket

        kept = []
        while True:
            connection = socket.socket(socket.AF_UNIX)
            connection.setblocking(False)
            connection.connect(os.environ["CARDPIT_ADDRESS"].removeprefix("unix:"))
            kept.append(connection)


class Wide(Honest):
    """Writes one file of 1 GiB."""

    def act(self, turn):
        with tempfile.NamedTemporaryFile() as file:
            for _ in range(128):
                file.write(b"x" * (8 * MIB))
        return 0


BOTS = {
    "honest": Honest,
    "memory": Memory,
    "family": Family,
    "bomb": Bomb,
    "burner": Burner,
    "disk": Disk,
    "files": Files,
    "wide": Wide,
}

if __name__ == "__main__":
    BOTS[sys.argv[1]].run()
