"""Uses 0.25 seconds of the processor in the way that the first argument names, says ``done``, and stays."""

import os
import subprocess
import sys
import time


def burn():
    while time.process_time() < 0.25:
        pass


def say_done():
    print("done", flush=True)
    time.sleep(60)


def oneself():
    burn()
    say_done()


def ended_child():
    subprocess.run([sys.executable, "-I", "-S", __file__, "child"], check=True)
    say_done()


def living_child():
    if os.fork() == 0:
        oneself()
    time.sleep(60)


def orphan():
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            oneself()
        os._exit(0)
    os.waitpid(child, 0)
    time.sleep(60)


WAYS = {"oneself": oneself, "ended child": ended_child, "living child": living_child, "orphan": orphan, "child": burn}

if __name__ == "__main__":
    WAYS[sys.argv[1]]()
