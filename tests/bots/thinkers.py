"""Bots that use their time in one way or another, by the name given as first argument."""

import sys
import threading
import time

from cardpit import Bot


class Sleeper(Bot):
    """Sleeps half a second at its second turn."""

    def act(self, turn):
        if turn.number == 2:
            time.sleep(0.5)
        return 0


class Burner(Bot):
    """Computes for half a second at its second turn."""

    def act(self, turn):
        if turn.number == 2:
            ends = time.process_time() + 0.5
            while time.process_time() < ends:
                pass
        return 0


class Deliberate(Bot):
    """Takes its time, and none of the processor's."""

    def act(self, turn):
        time.sleep(0.2)
        return 0


class Ponderer(Bot):
    """Thinks on while it is not its turn, and writes at each turn how much CPU time that was since its last answer."""

    spent = 0.0
    idle = threading.Event()

    def act(self, turn):
        self.idle.clear()
        if turn.number == 1:
            threading.Thread(target=self.ponder, daemon=True).start()
        else:
            print(f"pondered {Ponderer.spent:.4f}", flush=True)
        Ponderer.spent = 0.0
        self.idle.set()
        return 0

    def ponder(self):
        last = time.thread_time()
        while True:
            self.idle.wait()
            sum(range(1000))
            now = time.thread_time()
            Ponderer.spent += now - last
            last = now


class Deaf(Ponderer):
    """The same, and does not leave when it is told to."""

    def closed(self, result):
        while True:
            time.sleep(0.3)


BOTS = {
    "sleeper": Sleeper,
    "burner": Burner,
    "deliberate": Deliberate,
    "ponderer": Ponderer,
    "deaf": Deaf,
}

if __name__ == "__main__":
    BOTS[sys.argv[1]].run()
