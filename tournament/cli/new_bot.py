"""``tournament new-bot``."""

import json
import shutil
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import click

from cardpit.games import GAMES
from tournament.cli.completion import GAME
from tournament.cli.options import examples
from tournament.cli.table import stdout
from tournament.errors import BadHome, WrongUse, unknown
from tournament.home import check_name

CHECKOUT = Path(__file__).parent.parent.parent
"""Where the kits and their bots lie; an installation without the sources has none."""

MADE = ("bot", "bot.js", "bot.jar", "build", "target", "dist", "node_modules", "Cargo.lock", "package-lock.json")
"""What is built, and so is neither copied nor kept under version control."""

KIT = "cardpit"
"""Where in the folder of a new bot its kit lies."""


@dataclass(frozen=True, slots=True)
class Language:
    """How a bot in one language begins: as the random bot of its kit."""

    file: str
    """Where the bot decides."""
    main: str
    """Where it is started."""
    start: str
    """What starts it there."""
    start_in: str
    """The same for a bot that plays some games only; ``%s`` stands for their ids in quotes."""
    build: str
    test: str
    needs: str
    """What builds it."""
    protos: bool = False
    """Whether its build makes the messages from the protos."""


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "node": Language(
            file="bot.ts",
            main="main.ts",
            start="run(Random);",
            start_in="run(Random, { games: [%s] });",
            build="npm install && npm run build",
            test="npm test",
            needs="Node 20 or newer",
        ),
        "go": Language(
            file="main.go",
            main="main.go",
            start="cardpit.Run(newBot)",
            start_in="cardpit.Run(newBot, %s)",
            build="CGO_ENABLED=0 go build -o bot .",
            test="go test .",
            needs="Go 1.24 or newer",
        ),
        "rust": Language(
            file="src/main.rs",
            main="src/main.rs",
            start="cardpit::run(&[], RandomBot::new);",
            start_in="cardpit::run(&[%s], RandomBot::new);",
            build="cargo build --release && cp target/release/bot bot",
            test="cargo test --release",
            needs="Rust 1.88 or newer, and protoc",
            protos=True,
        ),
        "cpp": Language(
            file="bot.hpp",
            main="main.cpp",
            start="cardpit::run<RandomBot>()",
            start_in="cardpit::run<RandomBot>({%s})",
            build="cmake -S . -B build && cmake --build build",
            test="ctest --test-dir build",
            needs="CMake, a compiler for C++20, gRPC for C++ and protoc with its plugin",
            protos=True,
        ),
        "java": Language(
            file="code/src/main/java/RandomBot.java",
            main="code/src/main/java/RandomBot.java",
            start="Cardpit.run(RandomBot::new)",
            start_in="Cardpit.run(RandomBot::new, %s)",
            build="mvn package",
            test="mvn test",
            needs="a JDK of version 17 or newer, and Maven",
            protos=True,
        ),
    }
)
"""Every language with a kit; Python needs none."""

PYTHON_BOT = '''"""The bot {name}."""

from cardpit import Bot


class MyBot(Bot):
    """Plays any legal action: write here what it should do instead."""
{games}
    def act(self, turn):
        """Return an action of ``turn.legal_actions``, or its index."""
        return self.table.rng.choice(turn.legal_actions)


if __name__ == "__main__":
    MyBot.run()
'''

PYTHON_TEST = '''"""Run it with pytest, or with Python alone."""

from cardpit.practice import play

from bot import MyBot

SEED = bytes(32)


def test_the_bot_plays_a_match_of_each_of_its_games_and_the_same_one_from_the_same_seed():
    for game in MyBot.games or {all_games}:
        assert play(game, [MyBot, MyBot], SEED) == play(game, [MyBot, MyBot], SEED)


if __name__ == "__main__":
    test_the_bot_plays_a_match_of_each_of_its_games_and_the_same_one_from_the_same_seed()
'''

README = """# {name}

A bot for Cardpit. It plays any legal action; change that in `{file}`.

It needs {needs}.

| do this | with |
|---|---|
{rows}
| submit it | `tournament submit {folder}` |
| watch it play itself | `referee match --game {game} {folder} {folder} --seed 1` |
"""


@click.command(
    name="new-bot", epilog=examples("tournament new-bot greedy", "tournament new-bot fast --lang rust --game spit")
)
@click.argument("name")
@click.option("--lang", default="python", show_default=True, help=f"The language: python, {', '.join(LANGUAGES)}.")
@click.option("--game", "games", multiple=True, type=GAME, help="A game that it plays, may be given again; else all.")
def command(name: str, lang: str, games: tuple[str, ...]) -> None:
    """Write the folder of a new bot: it builds, passes its test, and plays at random until you change it."""
    folder = Path(name)
    check_name("bot", folder.name)
    if lang != "python" and lang not in LANGUAGES:
        raise unknown("language", lang, ("python", *LANGUAGES))
    for game in games:
        if game not in GAMES:
            raise unknown("game", game, GAMES)
    if folder.exists():
        raise WrongUse(f"folder {folder} exists: give another name")
    try:
        if lang == "python":
            _write_python(folder, games)
        else:
            _write_kit(folder, lang, games)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    stdout().print(f"wrote {folder}: its README.md says how to go on", markup=False)


def _write_python(folder: Path, games: tuple[str, ...]) -> None:
    folder.mkdir(parents=True)
    line = f"\n    games = {_tuple(games)}\n" if games else ""
    (folder / "bot.py").write_text(PYTHON_BOT.format(name=folder.name, games=line))
    (folder / "test_bot.py").write_text(PYTHON_TEST.format(all_games=_tuple(GAMES)))
    _write_manifest(folder, ["python", "bot.py"], ["bot.py"], games)
    rows = "| try it | `python bot.py` |\n| test it | `python test_bot.py` |"
    _write_readme(folder, "bot.py", "Python 3.11 or newer with the package `cardpit`", rows, games)


def _tuple(games: Iterable[str]) -> str:
    """Return ids as Python writes a tuple of them."""
    return f"({', '.join(map(json.dumps, games))},)"


def _write_kit(folder: Path, lang: str, games: tuple[str, ...]) -> None:
    language = LANGUAGES[lang]
    example, kit = CHECKOUT / "bots" / f"random_{lang}", CHECKOUT / "sdk" / lang
    if not (example.is_dir() and kit.is_dir()):
        raise BadHome(f"the kit for {lang} is not in {kit}: run this command of a checkout of Cardpit")
    _copy(example, folder)
    _copy(kit, folder / KIT)
    if language.protos:
        _copy(CHECKOUT / "proto" / "cardpit", folder / KIT / "proto" / "cardpit")
    for path in [path for path in folder.rglob("*") if path.is_file() and not path.is_relative_to(folder / KIT)]:
        path.write_text(path.read_text().replace(f"../../sdk/{lang}", f"./{KIT}"))
    if games:
        main = folder / language.main
        quoted = ", ".join(map(json.dumps, games))
        main.write_text(main.read_text().replace(language.start, language.start_in % quoted))
    manifest = tomllib.loads((folder / "bot.toml").read_text())
    _write_manifest(folder, manifest["command"], manifest["files"], games)
    (folder / ".gitignore").write_text("".join(f"/{path}\n/*/{path}\n" for path in MADE))
    rows = f"| build it | `{language.build}` |\n| test it | `{language.test}` |"
    _write_readme(folder, language.file, language.needs, rows, games)


def _copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=lambda folder, names: _made(Path(folder), names))


def _made(folder: Path, names: list[str]) -> set[str]:
    """Return which of the names in a folder were built there."""
    return {name for name in names if name in MADE and not (name == "bot" and (folder / name).is_dir())}


def _write_manifest(folder: Path, command: list[str], files: list[str], games: tuple[str, ...]) -> None:
    # A list of texts is written alike in JSON and in TOML.
    lines = [f"name = {json.dumps(folder.name)}", f"command = {json.dumps(command)}", f"files = {json.dumps(files)}"]
    if games:
        lines.append(f"games = {json.dumps(games)}")
    (folder / "bot.toml").write_text("\n".join(lines) + "\n")


def _write_readme(folder: Path, file: str, needs: str, rows: str, games: tuple[str, ...]) -> None:
    game = games[0] if games else next(iter(GAMES))
    text = README.format(name=folder.name, folder=folder, file=file, needs=needs, rows=rows, game=game)
    (folder / "README.md").write_text(text)
