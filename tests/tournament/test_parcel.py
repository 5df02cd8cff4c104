"""Archives from the network: what is in them is not trusted."""

import gzip
import io
import shutil
import stat
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tournament.bundle import MAX_FILES, MAX_SIZE, read_bundle
from tournament.errors import BadBundle
from tournament.parcel import pack, pack_folder, unpack

BOTS = Path(__file__).parent.parent.parent / "bots"

Unpack = Callable[[bytes], Path]


@pytest.fixture
def unpacked(tmp_path: Path) -> Unpack:
    """Unpack some bytes into a new folder; return where the bundle lies."""

    def call(data: bytes) -> Path:
        (tmp_path / "archive").write_bytes(data)
        (tmp_path / "folder").mkdir()
        return unpack(tmp_path / "archive", tmp_path / "folder")

    return call


def tar(*members: tarfile.TarInfo | str, content: bytes = b"x") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        for member in members:
            entry = tarfile.TarInfo(member) if isinstance(member, str) else member
            entry.size = len(content) if entry.isreg() else 0
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def of_kind(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, target
    return entry


def zipped(*members: zipfile.ZipInfo | str, content: bytes = b"x", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for member in members:
            archive.writestr(member, content)
    return buffer.getvalue()


def with_mode(name: str, mode: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    return entry


def raw_names(data: bytes, name: bytes, other: bytes) -> bytes:
    """Put another name of the same length in the place of one, past the checks of Python's own writer."""
    assert len(name) == len(other)
    return data.replace(name, other)


@pytest.mark.parametrize("bot", ["random", "landlord_rules"])
def test_a_packed_bundle_unpacks_to_the_same_content(unpacked: Unpack, bot: str) -> None:
    bundle = read_bundle(BOTS / bot)
    assert read_bundle(unpacked(pack(bundle.files)), bundle.name).hash == bundle.hash


def test_a_packed_folder_leaves_out_what_python_has_compiled(unpacked: Unpack, tmp_path: Path) -> None:
    folder = tmp_path / "built"
    (folder / "src" / "__pycache__").mkdir(parents=True)
    for name in ("bot.toml", "src/bot.py", "src/__pycache__/bot.pyc"):
        (folder / name).write_text(name)
    found = unpacked(pack_folder(folder))
    shutil.rmtree(folder)
    assert sorted(p.relative_to(found).as_posix() for p in found.rglob("*") if p.is_file()) == [
        "bot.toml",
        "src/bot.py",
    ]


def test_a_single_file_keeps_its_content(unpacked: Unpack) -> None:
    bundle = read_bundle(BOTS / "first" / "bot.py", "mine")
    assert read_bundle(unpacked(pack(bundle.files)), "mine").hash == bundle.hash


def test_a_program_stays_executable(unpacked: Unpack) -> None:
    folder = unpacked(zipped(with_mode("bot.toml", 0o644), with_mode("run", 0o755)))
    assert [bool((folder / name).stat().st_mode & stat.S_IXUSR) for name in ("bot.toml", "run")] == [False, True]


@pytest.mark.parametrize(
    "data",
    [tar("mine/bot.toml", "mine/src/bot.py"), zipped("mine/bot.toml", "mine/src/bot.py")],
    ids=["tar", "zip"],
)
def test_a_bundle_may_lie_in_a_folder_of_the_archive(unpacked: Unpack, data: bytes) -> None:
    folder = unpacked(data)
    assert (folder.name, (folder / "src" / "bot.py").read_bytes()) == ("mine", b"x")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (tar("../evil"), "'../evil': paths inside it are allowed"),
        (tar("a/../../evil"), "paths inside it"),
        (tar("/etc/evil"), "paths inside it"),
        (zipped("../evil"), "paths inside it"),
        (zipped("/etc/evil"), "paths inside it"),
        (zipped("a\\..\\evil"), "backslashes"),
        (raw_names(zipped("aXb"), b"aXb", b"a\0b"), "printable characters"),
        (tar("a\nb"), "printable characters"),
        (tar("a" * 300), "240 bytes of a path"),
        (tar("/".join("a" * 30)[:-1] + "a"), "20 parts"),
        (tar(of_kind("link", tarfile.SYMTYPE, "/etc/passwd")), "'link', which is no file"),
        (tar(of_kind("link", tarfile.SYMTYPE, ".."), "link/evil"), "'link', which is no file"),
        (tar(of_kind("link", tarfile.LNKTYPE, "/etc/passwd")), "'link', which is no file"),
        (tar(of_kind("null", tarfile.CHRTYPE)), "'null', which is no file"),
        (tar(of_kind("disk", tarfile.BLKTYPE)), "'disk', which is no file"),
        (tar(of_kind("pipe", tarfile.FIFOTYPE)), "'pipe', which is no file"),
        (zipped(with_mode("link", stat.S_IFLNK | 0o777), content=b"/etc/passwd"), "'link', which is no file"),
        (zipped(with_mode("null", stat.S_IFCHR | 0o666)), "'null', which is no file"),
        (tar("a", "a"), "'a' twice"),
        (tar("a", "./a"), "twice"),
        (raw_names(zipped("aa", "bb"), b"bb", b"aa"), "'aa' twice"),
        (tar("a", "a/b"), "as a file and as a folder"),
        (tar("a/b", "a"), "as a file and as a folder"),
        (zipped("a", method=zipfile.ZIP_LZMA), "stored and deflated are allowed"),
        (b"", "of no known kind"),
        (b"MZ\x90\x00 a program", "of no known kind"),
        (gzip.compress(b"no tar file at all" * 100), "cannot be unpacked"),
        (tar("a", content=b"y" * 5000)[:-20], "cannot be unpacked"),
        (zipped("a")[:-30], "no zip file of the common kind"),
        (tar(of_kind("a", tarfile.DIRTYPE)), "archive has no files"),
    ],
    # The bytes tell the time at which they were made.
    ids=count(),
)
def test_an_archive_with_anything_odd_is_refused_and_nothing_lies_outside(
    unpacked: Unpack, tmp_path: Path, data: bytes, message: str
) -> None:
    with pytest.raises(BadBundle, match=r"^archive") as raised:
        unpacked(data)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["archive", "folder"]


def test_an_encrypted_zip_is_refused(unpacked: Unpack) -> None:
    data = bytearray(zipped("a"))
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 8] |= 1
    with pytest.raises(BadBundle, match="encrypted"):
        unpacked(bytes(data))


def _zeros(size: int) -> bytes:
    return bytes(size)


def _tar_bomb() -> bytes:
    return tar("bomb", content=_zeros(MAX_SIZE + 1))


def _lying_zip_bomb() -> bytes:
    """A zip file that says of its content that it has ten bytes."""
    data = bytearray(zipped("bomb", content=_zeros(MAX_SIZE + 1)))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = data.rindex(signature)
        data[start + offset : start + offset + 4] = struct.pack("<L", 10)
    return bytes(data)


def _header_bomb() -> bytes:
    """A tar file with an extended header as large as a bundle may be, which Python would read at once."""
    entry = of_kind("header", tarfile.XHDTYPE)
    entry.size = MAX_SIZE
    return gzip.compress(entry.tobuf(tarfile.USTAR_FORMAT) + _zeros(MAX_SIZE))


def _gzip_bomb() -> bytes:
    return gzip.compress(_zeros(MAX_SIZE + 10 * 1024 * 1024))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_tar_bomb, "more than 50 MiB"),
        (lambda: zipped("bomb", content=_zeros(MAX_SIZE + 1)), "more than 50 MiB"),
        (_lying_zip_bomb, "cannot be unpacked"),
        (_header_bomb, "more than 50 MiB"),
        (_gzip_bomb, "no files"),
        (lambda: tar(*map(str, range(MAX_FILES + 1)), content=b""), f"more than {MAX_FILES} files"),
        (lambda: zipped(*map(str, range(MAX_FILES + 1)), content=b""), f"more than {MAX_FILES} files"),
        (lambda: zipped(*map(str, range(60_000)), content=b""), f"more than {MAX_FILES} files"),
        (lambda: tar(*(of_kind(str(n), tarfile.DIRTYPE) for n in range(2 * MAX_FILES + 1))), "files and folders"),
    ],
)
def test_a_bomb_is_refused_within_bounds_of_memory_and_disk(
    unpacked: Unpack, tmp_path: Path, make: Callable[[], bytes], message: str
) -> None:
    data = make()
    tracemalloc.start()
    try:
        with pytest.raises(BadBundle) as raised:
            unpacked(data)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert message in str(raised.value)
    assert most < 16 * 1024 * 1024
    assert sum(path.stat().st_size for path in (tmp_path / "folder").rglob("*")) <= MAX_SIZE
