"""What a bot says of itself: the ``bot.toml`` in its folder, or the ``Bot`` in its single Python file."""

import ast
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from referee.orders import Player

MANIFEST = "bot.toml"
KEYS = ("name", "description", "command", "build", "games", "files")


class BadManifest(ValueError):
    """What was given is no bot. The message names the file and what was allowed."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bot as its author describes it."""

    name: str
    description: str
    command: tuple[str, ...]
    """Run in the bot's folder; ``python`` as its first word means the interpreter that the platform runs on."""
    build: tuple[str, ...]
    """Run once after the folder was copied; empty if nothing is to be built."""
    games: tuple[str, ...]
    """The ids of the games it plays; empty means all."""
    files: tuple[str, ...]
    """Which files belong to the bot, as paths and patterns; empty means all in its folder."""


def read_manifest(path: Path) -> Manifest:
    """Return what a folder with a ``bot.toml``, or a single Python file, says. Raises :class:`BadManifest`."""
    if not path.exists():
        raise BadManifest(f"{path} does not exist: give a folder with a {MANIFEST}, or a Python file")
    return _read_folder(path) if path.is_dir() else _read_script(path)


def read_player(path: Path, game_id: str) -> Player:
    """Return the bot at a path as it lies there, to be started in its own folder.

    Raises :class:`BadManifest` where there is none, or where it does not play the game.
    """
    manifest = read_manifest(path)
    if manifest.games and game_id not in manifest.games:
        raise BadManifest(f"{path} plays {', '.join(manifest.games)}: not {game_id}")
    folder = path if path.is_dir() else path.parent
    return Player(manifest.name, 0, "", folder.resolve(), manifest.command)


def resolve_command(command: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Return a command as it is started: ``python`` is this interpreter, a program of the folder has its full path."""
    program = command[0]
    if program == "python":
        return (sys.executable, *command[1:])
    if "/" not in program or program.startswith("/") or not (folder / program).exists():
        return command
    return (str((folder / program).resolve()), *command[1:])


def _read_folder(folder: Path) -> Manifest:
    file = folder / MANIFEST
    if not file.is_file():
        raise BadManifest(f"{folder} has no {MANIFEST}: it needs one with at least name and command")
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadManifest(f"{folder}: {MANIFEST} is not TOML: {error}") from None
    for key in content:
        if key not in KEYS:
            raise BadManifest(f"{folder}: {MANIFEST} has an unknown key {key!r}: known are {', '.join(KEYS)}")
    command = _words(folder, content, "command")
    if not command:
        raise BadManifest(f"{folder}: {MANIFEST} has no command: give a list such as ['python', 'bot.py']")
    return Manifest(
        name=_text(folder, content, "name") or folder.resolve().name,
        description=_text(folder, content, "description"),
        command=command,
        build=_words(folder, content, "build"),
        games=_words(folder, content, "games"),
        files=_words(folder, content, "files"),
    )


def _text(folder: Path, content: dict[str, object], key: str) -> str:
    value = content.get(key, "")
    if not isinstance(value, str):
        raise BadManifest(f"{folder}: {key} in {MANIFEST} is {value!r}: a text is wanted")
    return value


def _words(folder: Path, content: dict[str, object], key: str) -> tuple[str, ...]:
    value = content.get(key, [])
    if not isinstance(value, list) or not all(isinstance(word, str) and word for word in value):
        raise BadManifest(f"{folder}: {key} in {MANIFEST} is {value!r}: a list of texts is wanted")
    return tuple(value)


def _read_script(path: Path) -> Manifest:
    if path.suffix != ".py" or not path.is_file():
        raise BadManifest(f"{path} is no folder and no Python file: give a folder with a {MANIFEST}, or a .py file")
    try:
        source = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError) as error:
        raise BadManifest(f"{path} is not Python: {error}") from None
    bots = [node for node in source.body if isinstance(node, ast.ClassDef) and _is_bot(node)]
    if not bots:
        raise BadManifest(f"{path} has no Bot: write a class with cardpit's Bot or BatchBot as its base")
    description = ast.get_docstring(bots[-1]) or ast.get_docstring(source) or ""
    return Manifest(
        name=path.stem,
        description=description.strip().partition("\n")[0],
        command=("python", path.name),
        build=(),
        games=_games(bots[-1]),
        files=(),
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
