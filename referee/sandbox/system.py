"""What every bot may read of the machine: programs and libraries, and nothing that belongs to anybody."""

import compileall
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import cardpit

PROGRAMS = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
"""Programs and libraries of the system; some are links into ``/usr``."""

SETTINGS = tuple(
    map(Path, ("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl/openssl.cnf", "/etc/mime.types"))
)
"""What programs need to find each other, and libraries to start."""

NETWORK = tuple(
    map(Path, ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl/certs", "/etc/pki", "/etc/services"))
)
"""What a build command needs in order to fetch something."""

_PARTS_OF_A_PREFIX = ("bin", "lib", "lib64", "libexec", "share", "include", "jre", "conf", "jmods", "release")


@cache
def readable(program: str, path: str, *, network: bool = False) -> tuple[Path, ...]:
    """Return the files and folders that a bot may read and run besides its bundle, each as it is named.

    ``program`` is the first word of its command, ``path`` the value of ``PATH`` by which it is found. Where one lies
    in another it is left out.
    """
    wanted = [*PROGRAMS, *SETTINGS, *Path("/etc").glob("java-*"), *_python(), *_toolchain(program, path)]
    if network:
        wanted += NETWORK
    found: list[Path] = []
    for item in wanted:
        if item.exists() and not any(item.is_relative_to(other) for other in found):
            found = [other for other in found if not other.is_relative_to(item)]
            found.append(item)
    return tuple(found)


def _python() -> Iterator[Path]:
    """Yield where the platform's Python lies, with its packages and the SDK; links are followed hop by hop."""
    yield from (Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix), Path(sys.base_exec_prefix))
    yield from map(Path, cardpit.__path__)
    program = Path(sys.executable)
    while program.is_symlink():
        program = program.parent / program.readlink()
        yield _installation(program.resolve().parent / program.name if program.exists() else program)


def _toolchain(program: str, path: str) -> Iterator[Path]:
    """Yield what a program needs that is found by ``PATH`` and lies outside the system's folders."""
    place = shutil.which(program, path=path)
    if place is None:
        return
    yield Path(place)
    real = Path(place).resolve()
    yield real
    if real.parent.name == "bin" and not _is_personal(real.parent.parent):
        yield from (real.parent.parent / part for part in _PARTS_OF_A_PREFIX)


def _installation(program: Path) -> Path:
    """Return the prefix of an interpreter, or the interpreter alone where that would show somebody's own files."""
    prefix = program.parent.parent
    return prefix if program.parent.name == "bin" and not _is_personal(prefix) else program


def _is_personal(folder: Path) -> bool:
    """Tell whether a folder is the root, a home, or what stands in homes for all programs together."""
    homes = {Path.home(), Path("/root")}
    return (
        folder in (Path("/"), Path("/home"))
        or folder in homes
        or folder.parent == Path("/home")
        or (folder.name in (".local", ".config", ".cache"))
    )


@cache
def compile_sdk() -> None:
    """Compile the SDK where that has not been done: a jailed bot cannot keep what it compiles itself."""
    for package in cardpit.__path__:
        compileall.compile_dir(package, quiet=2)


def find_program(command: Sequence[str], folder: Path, path: str) -> str | None:
    """Return where a command's program is, found as ``exec`` does in a folder; None if there is none to be run."""
    program = command[0]
    if "/" in program:
        place = folder / program
        return str(place) if place.is_file() and os.access(place, os.X_OK) else None
    return shutil.which(program, path=path)
