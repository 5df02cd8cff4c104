import os
import sys
from pathlib import Path

import pytest

from referee.manifest import resolve_command
from tournament import bundle
from tournament.bundle import copy_bundle, read_bundle
from tournament.errors import BadBundle, BuildFailed, WrongUse

BOTS = Path(__file__).parent.parent.parent / "bots"

MANIFEST = 'name = "tester"\ncommand = ["python", "bot.py"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tester"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text("print('hello')\n")
    return folder


def test_a_folder_is_read_with_its_manifest() -> None:
    found = read_bundle(BOTS / "random")
    assert found.name == "random"
    assert found.command == ("python", "bot.py")
    assert [name for name, _ in found.files] == ["bot.py", "bot.toml"]
    assert "landlord" in found.plays()


def test_a_python_file_gets_name_description_and_games_without_being_run(tmp_path: Path) -> None:
    path = tmp_path / "Sly-Fox_2.py"
    path.write_text(
        'import cardpit\nraise SystemExit("run")\n'
        'class Sly(cardpit.Bot):\n    """Is sly.\n\n    More."""\n    games = ("spit",)\n'
    )
    found = read_bundle(path)
    assert (found.name, found.description, found.games) == ("Sly-Fox_2", "Is sly.", ("spit",))
    assert found.files == (("bot.py", path),)


def test_a_python_file_called_random_does_not_hide_the_module_random(tmp_path: Path) -> None:
    path = tmp_path / "random.py"
    path.write_text((BOTS / "random" / "bot.py").read_text())
    copy = copy_bundle(read_bundle(path), tmp_path)
    assert (copy / "bot.py").is_file()
    assert not (copy / "random.py").exists()


@pytest.mark.parametrize("change", ["content", "name", "executable"])
def test_the_hash_names_content_paths_and_executable_bits(folder: Path, change: str) -> None:
    before = read_bundle(folder).hash
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bot.pyc").write_bytes(b"ignored")
    os.utime(folder / "bot.py", (1, 1))
    assert read_bundle(folder).hash == before
    if change == "content":
        (folder / "bot.py").write_text("print('hullo')\n")
    elif change == "name":
        (folder / "data.txt").write_text("")
    else:
        (folder / "bot.py").chmod(0o755)
    assert read_bundle(folder).hash != before


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("name = ", "bot.toml is not TOML"),
        ('name = "a"', "bot.toml has no command"),
        ('name = "a"\ncommand = "python bot.py"', "command in bot.toml is 'python bot.py': a list of texts is wanted"),
        ('name = 3\ncommand = ["python", "bot.py"]', "name in bot.toml is 3: a text is wanted"),
        ('name = "../a"\ncommand = ["python", "bot.py"]', "bot name '../a': allowed are 1 to 40 letters"),
        ('name = "a"\ncommand = ["python", "other.py"]', "the command's file 'other.py' is not in the bundle"),
        ('name = "a"\ncommand = ["./bot"]', "the command's program './bot' is not in the bundle"),
        (MANIFEST + 'games = ["chess"]', "unknown game 'chess': known are landlord"),
        (MANIFEST + 'game = "spit"', "unknown key 'game': known are name, description, command, build, games, files"),
    ],
)
def test_a_broken_manifest_is_refused_by_name(folder: Path, manifest: str, message: str) -> None:
    (folder / "bot.toml").write_text(manifest)
    with pytest.raises(BadBundle) as caught:
        read_bundle(folder)
    assert message in str(caught.value)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_manifest_may_list_its_files(folder: Path) -> None:
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "loop").symlink_to("..")
    (folder / "data").mkdir()
    (folder / "data" / "weights.bin").write_text("1")
    (folder / "data" / "__pycache__").mkdir()
    with pytest.raises(BadBundle, match="loop is a link to a folder"):
        read_bundle(folder)
    (folder / "bot.toml").write_text(MANIFEST + 'files = ["*.py", "data"]')
    assert [name for name, _ in read_bundle(folder).files] == ["bot.py", "bot.toml", "data/weights.bin"]
    for pattern, message in {"missing": "names no file", "../*": "paths inside", "/etc/passwd": "paths inside"}.items():
        (folder / "bot.toml").write_text(MANIFEST + f'files = ["{pattern}"]')
        with pytest.raises(BadBundle, match=message):
            read_bundle(folder)


def test_what_is_no_bundle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "empty.py").write_text("x = 1\n")
    (tmp_path / "broken.py").write_text("class (\n")
    for name, message in {
        "missing": "does not exist",
        "notes.txt": "is no folder and no Python file",
        "empty.py": "has no Bot",
        "broken.py": "is not Python",
        ".": "has no bot.toml",
    }.items():
        with pytest.raises(BadBundle, match=message):
            read_bundle(tmp_path / name)


def test_links_must_stay_inside(folder: Path) -> None:
    (folder / "inside").symlink_to("bot.py")
    copy = copy_bundle(read_bundle(folder), folder.parent)
    assert (copy / "inside").read_text() == "print('hello')\n"
    assert not (copy / "inside").is_symlink()
    (folder / "outside").symlink_to("/etc/passwd")
    with pytest.raises(BadBundle, match="outside is a link out of the bundle"):
        read_bundle(folder)


def test_a_pipe_is_no_file(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(BadBundle, match="pipe is no file"):
        read_bundle(folder)


def test_size_and_number_of_files_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MAX_FILES", 1)
    with pytest.raises(BadBundle, match="more than 1 files"):
        read_bundle(folder)
    monkeypatch.setattr(bundle, "MAX_FILES", 2)
    monkeypatch.setattr(bundle, "MAX_SIZE", 20)
    with pytest.raises(BadBundle, match="larger than"):
        read_bundle(folder)


def test_a_copy_is_whole_compiled_and_made_once(folder: Path, tmp_path: Path) -> None:
    found = read_bundle(folder)
    copy = copy_bundle(found, tmp_path)
    assert copy == tmp_path / found.hash
    assert (copy / "bot.py").stat().st_mode & 0o777 == 0o444
    assert list((copy / "__pycache__").glob("bot.*.pyc"))
    stamp = copy.stat().st_mtime_ns
    assert copy_bundle(found, tmp_path) == copy
    assert copy.stat().st_mtime_ns == stamp
    assert not list(tmp_path.glob(".draft-*"))


def test_a_build_runs_in_the_copy(folder: Path, tmp_path: Path) -> None:
    (folder / "bot.toml").write_text('name = "tester"\ncommand = ["./bot"]\nbuild = ["sh", "-c", "cp bot.py bot"]\n')
    copy = copy_bundle(read_bundle(folder), tmp_path)
    assert (copy / "bot").exists()
    assert not (folder / "bot").exists()


def test_a_failing_build_leaves_nothing_and_shows_its_output(folder: Path, tmp_path: Path) -> None:
    (folder / "bot.toml").write_text(
        'name = "tester"\ncommand = ["./bot"]\nbuild = ["sh", "-c", "echo oh no; exit 3"]\n'
    )
    with pytest.raises(BuildFailed, match=r"exit status 3, 0 is wanted \(jail .*\)\noh no"):
        copy_bundle(read_bundle(folder), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["tester"]


def test_python_means_the_interpreter_of_the_platform(tmp_path: Path) -> None:
    (tmp_path / "bot").touch()
    assert resolve_command(("python", "bot.py"), tmp_path) == (sys.executable, "bot.py")
    assert resolve_command(("./bot", "-x"), tmp_path) == (str(tmp_path / "bot"), "-x")
    assert resolve_command(("node", "bot.js"), tmp_path) == ("node", "bot.js")


def test_a_given_name_stands_in_and_is_checked(folder: Path) -> None:
    assert read_bundle(folder, "other").name == "other"
    with pytest.raises(WrongUse):
        read_bundle(folder, "no/path")
