"""The ``bubblewrap`` jail: a machine of its own with nothing on it but programs, the bundle and the referee's socket.

Every bot has its own namespaces: no network, no other processes, a file system put together for it. As root, the jail
is built by root, so that it may show what lies in closed folders, and entered as a user of the bot's own; otherwise it
is built in a user namespace, in which no other can be made.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from referee.sandbox import seccomp
from referee.sandbox.cgroups import group_shortcomings
from referee.sandbox.entry import USER
from referee.sandbox.jail import Confinement, JailError, Launch, NoProgram, owned_folders
from referee.sandbox.limits import BOT, Limits
from referee.sandbox.system import compile_sdk, find_program, readable
from referee.sandbox.users import users_refused

BUNDLE = "/bot"
"""Where a bot finds its bundle."""
SOCKET = "/referee.sock"
"""Where it finds the referee."""

_INSTALL = "install it, for instance with: apt-get install bubblewrap"
_DEVICES = ("null", "zero", "full", "random", "urandom")
_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try")
_TRIAL_TIME = 10.0


def confine(launch: Launch) -> Confinement:
    """Return how a start is carried out. Raises :class:`NoProgram` or :class:`JailError`."""
    environment = dict(launch.environment)
    path = environment.get("PATH", os.defpath)
    if find_program(launch.command, launch.folder, path) is None:
        raise NoProgram(f"{launch.command[0]}: no such program")
    if not users_refused() and launch.folder.stat().st_mode & 0o005 != 0o005:
        raise NoProgram(f"its folder {launch.folder} is closed to the user that it runs as: chmod o+rx opens it")
    address = environment.get("CARDPIT_ADDRESS", "")
    if address and not address.startswith("unix:"):
        raise JailError("jail bubblewrap has no network: transport unix is allowed, not tcp")
    compile_sdk()
    environment.update({"HOME": "/tmp", "TMPDIR": "/tmp"})
    if address:
        environment["CARDPIT_ADDRESS"] = f"unix:{SOCKET}"
    options = [*_options(launch.limits, launch.network), *_system(launch.command[0], path, launch.network)]
    options += _bundle(launch.folder, launch.writable)
    if address:
        options += ["--ro-bind", str(launch.scratch.socket), SOCKET]
    options += ["--remount-ro", "/"]
    return Confinement(
        command=(_program(), "--args", "3", "--", *_entry(launch.limits), *_inside(launch.command, launch.folder)),
        environment=environment,
        folder=Path("/"),
        limits=launch.limits,
        own_user=not users_refused(),
        given=owned_folders(launch),
        places=("/tmp", "/dev/shm"),
        watched=(launch.folder,) if launch.writable else (),
        arguments=b"".join(word.encode() + b"\0" for word in options),
        filter=seccomp.program(network=launch.network),
        reports=True,
    )


def _program() -> str:
    program = shutil.which("bwrap")
    if program is None:
        raise JailError(f"jail bubblewrap: the program bwrap is not there: {_INSTALL}")
    return program


def _options(limits: Limits, network: bool) -> list[str]:
    """Return the jail itself: namespaces, devices, processes, and temporary files of limited size."""
    options = [*_NAMESPACES, "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "bot"]
    if not network:
        options.append("--unshare-net")
    if users_refused():
        options += ["--unshare-user", "--disable-userns"]
    else:
        # Only to become the bot's user: who has become it has none of them any more.
        options += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    options += ["--seccomp", "4", "--json-status-fd", "5", "--tmpfs", "/dev"]
    for name in _DEVICES:
        options += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        options += ["--symlink", f"/proc/self/fd{target}", f"/dev/{name}"]
    options += ["--perms", "1777", "--size", str(limits.shared_size), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    return [*options, "--proc", "/proc", "--perms", "1777", "--size", str(limits.scratch_size), "--tmpfs", "/tmp"]


def _system(program: str, path: str, network: bool) -> Iterator[str]:
    """Yield what shows the machine's programs."""
    made = {Path("/")}
    for item in readable(program, path, network=network):
        for folder in reversed(item.parents):
            if folder not in made:
                # A folder that bubblewrap makes unasked is closed to the bot's user.
                made.add(folder)
                yield from ("--perms", "0755", "--dir", str(folder))
        if item.is_symlink() and item.parent == Path("/"):
            yield from ("--symlink", str(item.readlink()), str(item))
        else:
            yield from ("--ro-bind", str(item.resolve()), str(item))


def _bundle(folder: Path, writable: bool) -> Iterator[str]:
    """Yield what shows a bundle, and hides its neighbours if they lie among the programs."""
    real = folder.resolve()
    if any(real.is_relative_to(item.resolve()) for item in readable("python", os.defpath)):
        yield from ("--tmpfs", str(real.parent))
    yield from ("--bind" if writable else "--ro-bind", str(real), BUNDLE, "--chdir", BUNDLE)


def _entry(limits: Limits) -> tuple[str, ...]:
    """Return what becomes the bot's user inside, or limits its processes where they are counted by namespace."""
    if not users_refused():
        return ("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "--")
    return ("prlimit", f"--nproc={limits.processes}", "--") if _counts_by_namespace() else ()


def _counts_by_namespace() -> bool:
    """Tell whether the limit on processes counts those in a user namespace alone: since Linux 5.14."""
    version = re.match(r"(\d+)\.(\d+)", os.uname().release)
    return version is not None and tuple(map(int, version.groups())) >= (5, 14) and shutil.which("prlimit") is not None


def _inside(command: tuple[str, ...], folder: Path) -> Iterator[str]:
    """Yield a command as it is inside, where the bundle has another place."""
    for word in command:
        if word == str(folder) or word.startswith(f"{folder}/"):
            yield BUNDLE + word.removeprefix(str(folder))
        else:
            yield word


@cache
def refused() -> str:
    """Return why no such jail can be built here, and what would help; empty if one was built."""
    try:
        program = _program()
        if not users_refused() and shutil.which("setpriv") is None:
            return "the program setpriv is not there: install util-linux"
        options = [*_options(BOT, network=False), *_system("true", os.defpath, network=False), "--remount-ro", "/"]
        entry = [word if word != USER else "65534" for word in _entry(BOT)]
        return _try([program, *options, "--", *entry, "true"], seccomp.program())
    except JailError as error:
        return str(error).partition(": ")[2]
    except OSError as error:
        return str(error)


def _try(words: list[str], program: bytes) -> str:
    filter_file = os.memfd_create("cardpit")
    try:
        os.write(filter_file, program)
        os.lseek(filter_file, 0, os.SEEK_SET)
        at = words.index("--seccomp") + 1
        words[at] = str(filter_file)
        at = words.index("--json-status-fd")
        del words[at : at + 2]
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(filter_file,),
            timeout=_TRIAL_TIME,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"bwrap took more than {_TRIAL_TIME:g} s for a program that does nothing"
    finally:
        os.close(filter_file)
    if done.returncode == 0:
        return ""
    said = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit status {done.returncode}"]
    return f"{said[-1]} (this needs user namespaces that users may make, or root with the right to mount)"


def lacks() -> list[str]:
    """Return what it does not enforce here, each as one phrase."""
    missing = []
    if refusal := users_refused():
        missing.append(f"a user of its own for each seat ({refusal})")
    return missing + group_shortcomings()
