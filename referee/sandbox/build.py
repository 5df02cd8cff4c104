"""Runs the build command of a bundle in a jail: it may write in its folder and nowhere else."""

import asyncio
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from referee.sandbox.bot_process import BotProcess
from referee.sandbox.jail import Jail, Launch
from referee.sandbox.limits import BUILD, MIB
from referee.sandbox.scratch import Scratch

KEPT_VARIABLES = ("LANG", "LC_ALL", "PATH", "TZ")
"""What a build's environment keeps of the platform's."""

KEPT_FOR_NETWORK = (
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
)
"""What it keeps besides if it may use the network."""

_LOG_SIZE = 64 * 1024


@dataclass(frozen=True, slots=True)
class Build:
    """A build that has ended."""

    failure: str
    """Why it failed, as one phrase; empty if it did not."""
    log: str
    """What it wrote, head and tail."""


async def build(command: tuple[str, ...], folder: Path, jail: Jail, *, network: bool, build_time: float) -> Build:
    """Run a build command in a bundle's folder, for so many seconds at most.

    Afterwards the folder belongs to this user again, and nothing in it leads out. Raises
    :class:`referee.sandbox.NoProgram` and :class:`referee.sandbox.JailError`.
    """
    kept = (*KEPT_VARIABLES, *(KEPT_FOR_NETWORK if network else ()))
    environment: Mapping[str, str] = {name: os.environ[name] for name in kept if name in os.environ}
    # The user that builds is not the one that owns it now.
    folder.chmod(0o755)
    scratch = Scratch()
    try:
        launch = Launch(command, folder, environment, scratch, limits=BUILD, writable=True, network=network)
        process = BotProcess(jail.confine(launch), scratch, _LOG_SIZE)
    except BaseException:
        scratch.remove()
        raise
    try:
        done, _ = await asyncio.wait({process.exit_status}, timeout=build_time)
    finally:
        await asyncio.shield(process.kill())
    if not done:
        return Build(f"took more than the {build_time:.0f} s allowed", process.log)
    return Build(_failure(process) or _recover(folder), process.log)


def _failure(process: BotProcess) -> str:
    status = process.exit_status.result()
    if error := process.start_error or process.jail_error:
        return f"cannot be run: {error}"
    if process.excess:
        return process.excess
    return f"ended with exit status {status}, 0 is wanted" if status else ""


def _recover(folder: Path) -> str:
    """Take a folder back from the user that has built in it; return what is wrong with what it left."""
    root, size = folder.resolve(), 0
    for parent, folders, names in os.walk(folder):
        for path in [Path(parent), *(Path(parent, name) for name in (*folders, *names))]:
            status = path.lstat()
            if os.geteuid() == 0:
                os.lchown(path, 0, 0)
            if stat.S_ISLNK(status.st_mode):
                if not path.resolve().is_relative_to(root):
                    return f"left {path.relative_to(folder)}, a link out of the bundle: links must stay inside"
            elif stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
                size += status.st_size
                path.chmod(status.st_mode & 0o755 | 0o444 | (0o111 if stat.S_ISDIR(status.st_mode) else 0))
            else:
                return f"left {path.relative_to(folder)}, which is no file: only files and folders are allowed"
    if size > BUILD.scratch_size:
        return f"left {size // MIB} MiB: allowed are {BUILD.scratch_size // MIB}"
    return ""
