"""Bundles: what a bot's author submits, and its copy under the hash of its content.

A bundle is a folder with a ``bot.toml``, or a single Python file with a ``Bot``. The copy of a single file is called
``bot.py``, so that a file called ``random.py`` does not stand in the way of Python's own module of that name.
"""

import ast
import asyncio
import compileall
import shutil
import stat
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from py_compile import PycInvalidationMode

from cardpit.games import GAMES
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

MANIFEST_KEYS = ("name", "description", "command", "build", "games", "files")


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
    if not path.exists():
        raise BadBundle(f"bundle {path} does not exist: give a folder with a bot.toml, or a Python file")
    bundle = _read_folder(path) if path.is_dir() else _read_file(path)
    try:
        bundle = replace(bundle, name=check_name("bot", name or bundle.name))
    except WrongUse as error:
        raise BadBundle(f"bundle {path}: {error}") from None
    for game in bundle.games:
        if game not in GAMES:
            raise BadBundle(f"bundle {path}: {unknown('game', game, GAMES)}")
    return bundle


def _read_folder(folder: Path) -> Bundle:
    manifest = folder / "bot.toml"
    if not manifest.is_file():
        raise BadBundle(f"bundle {folder} has no bot.toml: it needs one with at least name and command")
    try:
        content = tomllib.loads(manifest.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadBundle(f"bundle {folder}: bot.toml is not TOML: {error}") from None
    for key in content:
        if key not in MANIFEST_KEYS:
            raise BadBundle(
                f"bundle {folder}: bot.toml has an unknown key {key!r}: known are {', '.join(MANIFEST_KEYS)}"
            )
    command = _words(folder, content, "command")
    if not command:
        raise BadBundle(f"bundle {folder}: bot.toml has no command: give a list such as ['python', 'bot.py']")
    files = tuple(sorted(_bounded(folder, _listed(folder, _words(folder, content, "files")))))
    if command[0] == "python" and len(command) > 1 and command[1].endswith(".py"):
        names = {name for name, _ in files}
        if str(Path(command[1])) not in names:
            raise BadBundle(f"bundle {folder}: the command's file {command[1]!r} is not in the bundle")
    if (
        "/" in command[0]
        and not command[0].startswith("/")
        and "build" not in content
        and not (folder / command[0]).exists()
    ):
        raise BadBundle(f"bundle {folder}: the command's program {command[0]!r} is not in the bundle")
    return Bundle(
        name=_text(folder, content, "name") or folder.resolve().name,
        description=_text(folder, content, "description"),
        command=command,
        build=_words(folder, content, "build"),
        games=_words(folder, content, "games"),
        files=files,
        hash=_hash(files),
    )


def _text(folder: Path, content: dict[str, object], key: str) -> str:
    value = content.get(key, "")
    if not isinstance(value, str):
        raise BadBundle(f"bundle {folder}: {key} in bot.toml is {value!r}: a text is wanted")
    return value


def _words(folder: Path, content: dict[str, object], key: str) -> tuple[str, ...]:
    value = content.get(key, [])
    if not isinstance(value, list) or not all(isinstance(word, str) and word for word in value):
        raise BadBundle(f"bundle {folder}: {key} in bot.toml is {value!r}: a list of texts is wanted")
    return tuple(value)


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


def _read_file(path: Path) -> Bundle:
    if path.suffix != ".py" or not path.is_file():
        raise BadBundle(f"bundle {path} is no folder and no Python file: give a folder with a bot.toml, or a .py file")
    if path.stat().st_size > MAX_SIZE:
        raise BadBundle(f"bundle {path} is larger than {MAX_SIZE // 2**20} MiB: that much is allowed")
    try:
        source = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError) as error:
        raise BadBundle(f"bundle {path} is not Python: {error}") from None
    bots = [node for node in source.body if isinstance(node, ast.ClassDef) and _is_bot(node)]
    if not bots:
        raise BadBundle(f"bundle {path} has no Bot: write a class with cardpit's Bot or BatchBot as its base")
    files = (("bot.py", path),)
    doc = ast.get_docstring(bots[-1]) or ast.get_docstring(source) or ""
    return Bundle(
        name=path.stem,
        description=doc.strip().partition("\n")[0],
        command=("python", "bot.py"),
        build=(),
        games=_games(bots[-1]),
        files=files,
        hash=_hash(files),
    )


def _is_bot(node: ast.ClassDef) -> bool:
    bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
    return any(base in ("Bot", "BatchBot") for base in bases)


def _games(node: ast.ClassDef) -> tuple[str, ...]:
    """Return what a class says in ``games``, if that can be read without running it."""
    for statement in node.body:
        targets: list[ast.expr] = []
        value: ast.expr | None = None
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign):
            targets, value = [statement.target], statement.value
        if value is not None and any(isinstance(target, ast.Name) and target.id == "games" for target in targets):
            try:
                games = ast.literal_eval(value)
            except ValueError:
                return ()
            if isinstance(games, (tuple, list)) and all(isinstance(game, str) for game in games):
                return tuple(games)
    return ()


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
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=bundles))
    try:
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
        # A bot may run under another user: everybody may read, nobody need write.
        draft.chmod(0o755)
        draft.rename(target)
    except OSError:
        # Another process put the same content there first: it is the same bundle.
        if not target.is_dir():
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target


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


def resolve_command(command: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Return a command as it is started: ``python`` is this interpreter, a program of the bundle has its full path."""
    program = command[0]
    if program == "python":
        return (sys.executable, *command[1:])
    if "/" not in program or program.startswith("/") or not (folder / program).exists():
        return command
    return (str(folder / program), *command[1:])


def discard_bundle(folder: Path) -> None:
    """Remove the copy of a bundle that was not stored."""
    shutil.rmtree(folder, ignore_errors=True)
