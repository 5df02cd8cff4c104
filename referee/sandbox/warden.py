"""A small process that starts one bot, and sees to it that nothing the bot started outlives it.

It is run as a script, with the interpreter's ``-I -S``, and uses the standard library alone::

    python -I -S warden.py CONTROL STATUS OUTPUT FOLDER LIMITS COMMAND ...

``CONTROL``, ``STATUS`` and ``OUTPUT`` are open file descriptors; ``FOLDER`` is removed at the end, with all that is in
it; ``LIMITS`` is a list such as ``NOFILE=256,CORE=0``. The bot inherits the environment and the working folder.

On ``STATUS`` it writes a line each: ``pid N`` when the bot runs, ``exit N`` when the bot's first process has ended (by
signal N if negative), ``error TEXT`` if it could not be started, ``empty`` when every descendant is gone. When
``CONTROL`` reaches its end, by the referee's will or by its death, all descendants are killed: the warden is their
sub-reaper, so that an orphan becomes its child whatever session or group it chose.
"""

import contextlib
import ctypes
import os
import resource
import select
import shutil
import signal
import sys

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

_libc = ctypes.CDLL(None, use_errno=True)


def descendants() -> list[int]:
    """Return the processes below this one, parents first, zombies left out."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - pathlib would double the start-up time
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
            state, parent = file.read().rpartition(b")")[2].split()[:2]
            if state != b"Z":
                children.setdefault(int(parent), []).append(int(name))
    found = list(children.get(os.getpid(), ()))
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


def kill_all() -> None:
    """Kill every descendant. They are stopped first, in rounds, so that none can start another meanwhile."""
    stopped: set[int] = set()
    while new := [pid for pid in descendants() if pid not in stopped]:
        for pid in new:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGSTOP)
        stopped.update(new)
    while alive := descendants():
        for pid in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        reap()
        select.select([], [], [], 0.001)
    reap()


def reap() -> dict[int, int]:
    """Collect ended children and return their wait statuses by pid."""
    ended: dict[int, int] = {}
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            ended[pid] = status
    return ended


def start(command: list[str], limits: str, output: int, failure: int) -> int:
    """Start the bot in a session of its own and return its pid. What prevents it is written to ``failure``."""
    warden = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != warden:
            os._exit(127)
        for entry in filter(None, limits.split(",")):
            name, value = entry.split("=")
            kind = getattr(resource, f"RLIMIT_{name}")
            most = resource.getrlimit(kind)[1]
            wanted = int(value) if most == resource.RLIM_INFINITY else min(int(value), most)
            resource.setrlimit(kind, (wanted, wanted))
        nothing = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(source, target)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    except (OSError, ValueError) as error:
        os.write(failure, f"{command[0]}: {getattr(error, 'strerror', None) or error}".encode())
    os._exit(127)


def main() -> None:
    """Run one bot from start to sweep."""
    control, status, output = map(int, sys.argv[1:4])
    folder, limits, command = sys.argv[4], sys.argv[5], sys.argv[6:]
    for descriptor in (control, status, output):
        os.set_inheritable(descriptor, False)
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wake, wakeup = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)

    def tell(line: str) -> None:
        with contextlib.suppress(BrokenPipeError):
            os.write(status, f"{line}\n".encode())

    failed, failure = os.pipe2(os.O_CLOEXEC)
    bot = start(command, limits, output, failure)
    os.close(failure)
    os.close(output)
    if error := os.read(failed, 4096):
        tell(f"error {error.decode()}")
    else:
        tell(f"pid {bot}")
    while True:
        ready, _, _ = select.select([control, wake], [], [])
        if wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(wake, 4096)
            ended = reap()
            if bot in ended:
                tell(f"exit {os.waitstatus_to_exitcode(ended[bot])}")
        if control in ready:
            break
    kill_all()
    shutil.rmtree(folder, ignore_errors=True)
    tell("empty")


if __name__ == "__main__":
    main()
