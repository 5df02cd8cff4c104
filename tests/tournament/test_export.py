"""Exports, and the check that shares no code with what wrote them."""

import ast
import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import Result

from cardpit.games.seeds import board_seed
from referee.record import check, parse
from tournament import export_check
from tournament.home import Home
from tournament.store.database import Store
from tournament.store.tournaments import find_tournament

Call = Callable[..., Result]


def checked(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the check as a reader of the export does, in a Python that sees no installed package."""
    words = [sys.executable, "-I", "-S", str(folder / "check.py")]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def exported(cup: Call, tmp_path: Path) -> Path:
    result = cup("export", "cup", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"exported 8 matches of cup to {tmp_path / 'out'}\n"
    return tmp_path / "out"


def test_an_export_has_everything_and_its_own_check_finds_it_right(cup: Call, exported: Path, home: Home) -> None:
    names = {path.name for path in exported.iterdir()}
    lists = {f"{name}.{kind}" for name in ("table", "boards", "matches", "voided") for kind in ("csv", "json")}
    assert names == {*lists, "records", "tournament.json", "check.py", "SHA256SUMS"}
    for name in ("table", "boards", "matches", "voided"):
        loaded = json.loads((exported / f"{name}.json").read_text())
        assert len(loaded) == len(rows_of(exported / f"{name}.csv"))
    rated = json.loads(cup("ratings", "cup", "--format", "json").stdout)
    assert json.loads((exported / "table.json").read_text()) == rated

    facts = json.loads((exported / "tournament.json").read_text())
    digest = json.loads(cup("verify", "cup", "--format", "json").stdout)["digest"]
    done = checked(exported)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"all is right: 8 matches, commitment {facts['commitment']}, digest {digest}\n"
    with Store.open(home) as store:
        seed = find_tournament(store, "cup").seed
    assert facts["seed"] == seed.hex()
    for row in rows_of(exported / "matches.csv"):
        record = parse((exported / row["record"]).read_bytes())
        assert record.header.seed == board_seed(seed, "landlord", int(row["board"]))
        assert check(record, record.header.seed) == []
    assert not list(exported.parent.glob(".out-*"))


def test_the_text_of_a_record_is_what_replay_shows(cup: Call, exported: Path) -> None:
    shown = cup("replay", "cup/landlord/0/2/1").stdout
    assert (exported / "records" / "landlord" / "0" / "2-1.txt").read_text() == shown
    assert "payoff" in shown
    assert cup("export", "cup", exported.parent / "short", "--no-text").exit_code == 0
    assert not list((exported.parent / "short").rglob("*.txt"))
    assert checked(exported.parent / "short").returncode == 0


def test_the_check_uses_the_standard_library_alone() -> None:
    source = ast.parse(Path(export_check.__file__).read_text())
    modules = {node.module or "" for node in ast.walk(source) if isinstance(node, ast.ImportFrom)}
    modules |= {name.name for node in ast.walk(source) if isinstance(node, ast.Import) for name in node.names}
    assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names


def resum(folder: Path) -> None:
    """Write the hashes of all files anew, as whoever changes one would."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    (folder / "SHA256SUMS").write_text(
        "".join(f"{sha256(p.read_bytes()).hexdigest()}  {p.relative_to(folder).as_posix()}\n" for p in paths)
    )


def change_facts(folder: Path, **changes: object) -> None:
    path = folder / "tournament.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def swap_records(folder: Path) -> None:
    one, other = (folder / "records" / "landlord" / "0" / f"{board}-0.pb" for board in (1, 2))
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)


def forge_action(folder: Path) -> None:
    """Change an action and give the record a digest that fits."""
    path = folder / "records" / "landlord" / "0" / "1-0.pb"
    record = parse(path.read_bytes())
    record.steps[0].actions[0].comment = "it was not like this"
    record.ClearField("digest")
    body = record.SerializeToString(deterministic=True)
    path.write_bytes(body + b"\x2a\x20" + sha256(body).digest())


def flip_byte(folder: Path) -> None:
    path = folder / "records" / "landlord" / "0" / "1-0.pb"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def change_payoff(folder: Path) -> None:
    lines = rows_of(folder / "matches.csv")
    row = next(row for row in lines if len(set(row["payoffs"].split())) == 2)
    replace(folder / "matches.csv", f",{row['payoffs']},", f",{' '.join(row['payoffs'].split()[::-1])},")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (swap_records, "records/landlord/0/1-0.pb: the seed of its board does not come from the seed"),
        (forge_action, "records/landlord/0/1-0.pb: it is not the record that was stored"),
        (flip_byte, "records/landlord/0/1-0.pb: "),
        (change_payoff, "its scores are not the sums of the payoffs"),
        (lambda f: change_facts(f, seed="00" * 32), "the seed is not the one that was committed to"),
        (lambda f: change_facts(f, digest="00" * 32), "the digest over all records is another one"),
        (lambda f: change_facts(f, matches=9), "matches.csv has 8 matches: tournament.json says 9"),
        (lambda f: change_facts(f, tournament="cop"), "it is the record of another match"),
        (lambda f: replace(f / "matches.csv", "random@1 first@1", "first@1 random@1"), "is not its rotation"),
        (
            lambda f: (f / "boards.csv").write_text("".join((f / "boards.csv").read_text().splitlines(True)[:-1])),
            "boards.csv has 3 boards: 4 were played in every rotation",
        ),
    ],
)
def test_whatever_is_changed_is_found(exported: Path, change: Callable[[Path], object], message: str) -> None:
    change(exported)
    unsigned = checked(exported)
    assert unsigned.returncode == 1
    assert "it was changed: its hash differs from that in SHA256SUMS" in unsigned.stderr
    resum(exported)
    done = checked(exported)
    assert done.returncode == 1, done.stdout
    assert done.stderr.startswith("not right: ")
    assert message in done.stderr


def test_a_file_that_is_missing_or_was_put_in_is_found(exported: Path) -> None:
    (exported / "more.txt").touch()
    assert "more.txt: it is not in SHA256SUMS" in checked(exported).stderr
    (exported / "more.txt").unlink()
    (exported / "boards.json").unlink()
    assert "boards.json: it is missing" in checked(exported).stderr


def test_before_the_end_nothing_is_exported_that_tells_a_card_or_a_seed(cup: Call, home: Home, tmp_path: Path) -> None:
    with Store.open(home) as store:
        seed = find_tournament(store, "cup").seed
    assert cup("void", "cup/landlord/0/2/1", "--why", "a test").exit_code == 0
    refused = cup("export", "cup", tmp_path / "out")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "tournament cup is not finished" in refused.stderr
    assert not (tmp_path / "out").exists()

    assert cup("export", "cup", tmp_path / "out", "--unfinished").exit_code == 0
    assert not (tmp_path / "out" / "records").exists()
    content = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())
    for secret in (seed, *(board_seed(seed, "landlord", board) for board in range(4))):
        assert secret not in content
        assert secret.hex().encode() not in content
    assert len(rows_of(tmp_path / "out" / "matches.csv")) == 7
    assert [row["why"] for row in rows_of(tmp_path / "out" / "voided.csv")] == ["a test"]
    done = checked(tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "not finished, so that there are no seeds and no records" in done.stdout


def test_a_folder_with_something_in_it_is_not_touched(cup: Call, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert cup("export", "cup", tmp_path / "out").exit_code == 0
    before = sorted(tmp_path.rglob("*"))
    result = cup("export", "cup", tmp_path / "out")
    assert result.exit_code == 2
    assert "exists and is not empty: give a new folder" in result.stderr
    assert "unknown tournament 'cop'" in cup("export", "cop", tmp_path / "other").stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_an_export_that_fails_leaves_nothing(cup: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    result = cup("export", "cup", tmp_path / "out")
    assert result.exit_code == 1
    assert "cannot be written: No space left on device" in result.stderr
    assert not list(tmp_path.glob("*out*"))
