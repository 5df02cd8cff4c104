"""``tournament new-bot``: what it writes builds, passes its test and plays, in every language."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardpit.games import GAMES
from kits.kit_bots import BOTS, TOOLS, kit_bot, play, player
from tournament.bundle import read_bundle
from tournament.cli import cli
from tournament.cli.new_bot import LANGUAGES

SDK = BOTS.parent / "sdk"

QUICK = ("go", "node")
"""The languages in which a new bot is built within seconds; in the others its whole kit is compiled."""


def new_bot(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["new-bot", str(folder), *words], catch_exceptions=False)


def run(command: str, folder: Path) -> None:
    done = subprocess.run(
        command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout[-5000:]}"


@pytest.mark.timeout(900)
@pytest.mark.parametrize("language", TOOLS)
def test_a_new_bot_builds_passes_its_test_and_plays(language: str, tmp_path: Path) -> None:
    kit_bot(language)
    if language not in QUICK and not os.environ.get("CI"):
        pytest.skip(f"building a new bot for {language} takes a minute: it is done where CI is set")
    folder = tmp_path / "mine"
    assert new_bot(folder, "--lang", language, "--game", "landlord").exit_code == 0
    if language == "rust":
        # What the kit depends on is compiled there already.
        (folder / "target").symlink_to(SDK / "rust" / "target")
    run(LANGUAGES[language].build, folder)
    run(LANGUAGES[language].test, folder)
    assert read_bundle(folder).games == ("landlord",)
    play((player(folder), player(BOTS / "random")), "landlord", (0,), jail="process")


@pytest.mark.parametrize("language", TOOLS)
def test_a_new_bot_stands_alone_and_plays_the_games_that_were_asked_for(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert new_bot(folder, "--lang", language, "--game", "spit", "--game", "speed").exit_code == 0
    texts = {path.relative_to(folder): path.read_text() for path in folder.rglob("*") if path.is_file()}
    own = {path: text for path, text in texts.items() if path.parts[0] != "cardpit"}
    assert [path for path, text in own.items() if "../sdk" in text or f"random_{language}" in text] == []
    assert LANGUAGES[language].start_in % '"spit", "speed"' in texts[Path(LANGUAGES[language].main)]
    assert Path(LANGUAGES[language].file) in texts
    assert 'games = ["spit", "speed"]' in texts[Path("bot.toml")]
    assert "# mine" in texts[Path("README.md")]
    assert not {"node_modules", "target", "build"} & {part for path in texts for part in path.parts}
    assert len(texts) < 40


def test_a_new_bot_in_python_passes_its_test_and_plays(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    result = new_bot(folder, "--game", "landlord")
    assert result.output.endswith("its README.md says how to go on\n")
    run(f"{sys.executable} test_bot.py", folder)
    assert read_bundle(folder).games == ("landlord",)
    play((player(folder), player(BOTS / "random")), "landlord", (0,), jail="process")


def test_a_new_bot_without_games_plays_all(tmp_path: Path) -> None:
    assert new_bot(tmp_path / "mine").exit_code == 0
    assert read_bundle(tmp_path / "mine").plays() == tuple(GAMES)
    run(f"{sys.executable} test_bot.py", tmp_path / "mine")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mine", "--lang", "cobol"), "unknown language 'cobol': known are python, node, go, rust, cpp, java"),
        (("mine", "--game", "chess"), "unknown game 'chess': "),
        (("no name",), "bot name 'no name': allowed are "),
        (("there",), "there exists: give another name"),
    ],
)
def test_a_new_bot_that_cannot_be_is_refused_and_nothing_is_written(
    words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    (tmp_path / "there").mkdir()
    result = new_bot(tmp_path / words[0], *words[1:])
    assert result.exit_code == 2
    assert message in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
