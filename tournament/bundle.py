"""Bundles: what a bot's author submits, and its copy under the hash of its content.

A bundle is a folder with a ``bot.toml``, or a single Python file with a ``Bot``. The copy of a single file is called
``bot.py``, so that a file called ``random.py`` does not stand in the way of Python's own module of that name.
"""

import asyncio
import compileall
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from py_compile import PycInvalidationMode

from cardpit.games import GAMES
from referee.manifest import BadManifest, Manifest, read_manifest, resolve_command
from referee.sandbox import JailError, NoProgram, build, choose_jail, find_jail
from tournament.errors import BadBundle, BuildFailed, WrongUse, unknown
from tournament.home import check_name

MAX_SIZE = 50 * 1024 * 1024
"""Bytes in a bundle."""

MAX_FILES = 2000
"""Files in a bundle."""

BUILD_TIME = 300.0
"""Seconds that a build command may take."""

IGNORED = frozenset({"__pycache__", ".git", ".hg", ".venv", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".DS_Store"})
"""Names that are left out wherever they stand."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bot as its author hands it in."""

    name: str
    description: str
    command: tuple[str, ...]
    """``python`` as its first word means the interpreter that the platform runs on."""
    build: tuple[str, ...]
    """Run once in the copy; empty if nothing is to be built."""
    games: tuple[str, ...]
    """The ids of the games it plays; empty means all."""
    files: tuple[tuple[str, Path], ...]
    """Every file by its path in the bundle, in the order of these paths."""
    hash: str
    """SHA-256 of paths, executable bits and contents, in hexadecimal."""

    def plays(self) -> tuple[str, ...]:
        """Return the ids of the games it plays, in the order of the registry."""
        return tuple(game for game in GAMES if not self.games or game in self.games)


def read_bundle(path: Path, name: str | None = None) -> Bundle:
    """Return what a folder or a single Python file submits. Raises :class:`BadBundle`.

    ``name`` stands in for the name in it.
    """
    try:
        manifest = read_manifest(path)
        called = check_name("bot", name or manifest.name)
    except BadManifest as error:
        raise BadBundle(f"bundle {error}") from None
    except WrongUse as error:
        raise BadBundle(f"bundle {path}: {error}") from None
    for game in manifest.games:
        if game not in GAMES:
            raise BadBundle(f"bundle {path}: {unknown('game', game, GAMES)}")
    command = manifest.command
    if path.is_dir():
        files = tuple(sorted(_bounded(path, _listed(path, manifest.files))))
        _check_command(path, manifest, {file for file, _ in files})
    else:
        (((_, file),)) = _bounded(path.parent, [path])
        command, files = ("python", "bot.py"), (("bot.py", file),)
    return Bundle(called, manifest.description, command, manifest.build, manifest.games, files, _hash(files))


def _check_command(folder: Path, manifest: Manifest, files: Set[str]) -> None:
    """Refuse a command that names what is not in the bundle and is not built either."""
    program, *arguments = manifest.command
    if program == "python" and arguments and arguments[0].endswith(".py") and str(Path(arguments[0])) not in files:
        raise BadBundle(f"bundle {folder}: the command's file {arguments[0]!r} is not in the bundle")
    if "/" in program and not program.startswith("/") and not manifest.build and not (folder / program).exists():
        raise BadBundle(f"bundle {folder}: the command's program {program!r} is not in the bundle")


def _listed(folder: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files that a manifest lists, and the manifest; every file of the folder where it lists none.

    A pattern may name a file or a folder, and have ``*``.
    """
    if not patterns:
        yield from _walk(folder, folder)
        return
    found = {folder / "bot.toml"}
    for pattern in patterns:
        if pattern.startswith("/") or ".." in Path(pattern).parts:
            raise BadBundle(f"bundle {folder}: files in bot.toml has {pattern!r}: paths inside the bundle are allowed")
        matches = list(folder.glob(pattern))
        if not matches:
            raise BadBundle(f"bundle {folder}: files in bot.toml has {pattern!r}, which names no file of the bundle")
        for path in matches:
            found |= set(_walk(folder, path)) if path.is_dir() else {path}
    yield from found


def _walk(bundle: Path, folder: Path) -> Iterator[Path]:
    """Yield every file of a folder of a bundle. Links to folders are refused: they could go round in circles."""
    if folder.is_symlink() and folder != bundle:
        raise BadBundle(f"bundle {bundle}: {folder} is a link to a folder: only files may be links")
    for path in sorted(folder.iterdir()):
        if path.name in IGNORED:
            continue
        if path.is_dir():
            yield from _walk(bundle, path)
        else:
            yield path


def _bounded(folder: Path, paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Yield files by their path in the bundle, and refuse what is no file, too much, or outside."""
    root = folder.resolve()
    size = 0
    for count, path in enumerate(paths, 1):
        shown = path.relative_to(folder)
        if path.is_symlink() and not path.resolve().is_relative_to(root):
            raise BadBundle(f"bundle {folder}: {shown} is a link out of the bundle: links must stay inside")
        if not path.is_file():
            raise BadBundle(f"bundle {folder}: {shown} is no file: only files and folders are allowed")
        size += path.stat().st_size
        if count > MAX_FILES:
            raise BadBundle(f"bundle {folder} has more than {MAX_FILES} files: that many are allowed")
        if size > MAX_SIZE:
            raise BadBundle(f"bundle {folder} is larger than {MAX_SIZE // 2**20} MiB: that much is allowed")
        yield shown.as_posix(), path


def _hash(files: tuple[tuple[str, Path], ...]) -> str:
    total = sha256()
    for name, path in files:
        executable = b"x" if path.stat().st_mode & stat.S_IXUSR else b"-"
        total.update(name.encode() + b"\0" + executable + sha256(path.read_bytes()).digest())
    return total.hexdigest()


def copy_bundle(bundle: Bundle, bundles: Path, *, jail: str = "auto", network: bool = False) -> Path:
    """Copy a bundle into the folder of its hash, build it there in a jail, and return that folder.

    ``network`` is whether the build may use it. It is built under another name and renamed, so that a folder of a hash
    is always whole. Raises :class:`BuildFailed` with the tail of what the build command wrote.
    """
    target = bundles / bundle.hash
    if target.is_dir():
        return target
    with drafted(target) as draft:
        for name, path in bundle.files:
            copy = draft / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            copy.chmod(0o555 if path.stat().st_mode & stat.S_IXUSR else 0o444)
        if bundle.build:
            _build(bundle, draft, jail, network)
        compileall.compile_dir(
            draft,
            quiet=2,
            stripdir=draft,
            prependdir=target,
            invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        )
    return target


@contextmanager
def drafted(target: Path) -> Iterator[Path]:
    """Hold a new folder for a bundle, and put it in its place at the end: what lies there is always whole."""
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=target.parent))
    try:
        yield draft
        # A bot may run under another user: everybody may read, nobody need write.
        draft.chmod(0o755)
        draft.rename(target)
    except OSError:
        # Another process put the same content there first: it is the same bundle.
        if not target.is_dir():
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _build(bundle: Bundle, folder: Path, jail: str, network: bool) -> None:
    try:
        name = choose_jail(jail)
        command = resolve_command(bundle.build, folder)
        work = build(command, folder, find_jail(name), network=network, build_time=BUILD_TIME)
        done = asyncio.run(work)
    except NoProgram:
        raise BuildFailed(
            f"bot {bundle.name}: build command {bundle.build[0]!r} cannot be run: there is no such program"
        ) from None
    except JailError as error:
        raise BuildFailed(f"bot {bundle.name}: it cannot be built: {error}") from None
    if done.failure:
        hint = "" if network else "; a build has no network unless you give --build-network"
        tail = done.log[-2000:].strip()
        raise BuildFailed(f"bot {bundle.name}: its build {done.failure} (jail {name}{hint})\n{tail}")


def discard_bundle(folder: Path) -> None:
    """Remove the copy of a bundle that was not stored."""
    shutil.rmtree(folder, ignore_errors=True)
