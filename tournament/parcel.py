"""Bundles as archives, as they travel over the network: packed, and unpacked with nothing trusted.

An archive is a tar file compressed with gzip, or a zip file. Whatever it says of itself, no more is unpacked than a
bundle may have, no file lies outside the folder, and nothing but files and folders is made.
"""

import gzip
import io
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from tournament.bundle import MAX_FILES, MAX_SIZE
from tournament.errors import BadBundle

MAX_ARCHIVE_SIZE = MAX_SIZE
"""Bytes of an archive."""

MAX_PATH = 240
"""Characters of a path in an archive."""

MAX_DEPTH = 20
"""Folders that lie in each other."""

_MAX_STREAM = MAX_SIZE + 4096 * MAX_FILES
"""Bytes of a tar file with all its headers."""

_MAX_DIRECTORY = 512 * MAX_FILES
"""Bytes of the directory of a zip file."""

_MAX_HEADER = 1024 * 1024
"""Bytes of a header in a tar file."""

_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class _Member:
    """A file in an archive."""

    path: str
    executable: bool
    content: IO[bytes]


def pack(files: Iterable[tuple[str, Path]]) -> bytes:
    """Return files, each with its path in the archive, as a tar file compressed with gzip."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, path in files:
            entry = tarfile.TarInfo(name)
            entry.size = path.stat().st_size
            entry.mode = 0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644
            with path.open("rb") as file:
                archive.addfile(entry, file)
    return buffer.getvalue()


def pack_folder(folder: Path) -> bytes:
    """Return what a folder holds as such an archive, without what Python has compiled."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    return pack((path.relative_to(folder).as_posix(), path) for path in files)


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive into an empty folder and return where the bundle lies there.

    That is the folder itself, or the only one in it, or the only Python file where there is no ``bot.toml``. Raises
    :class:`BadBundle`; what was unpacked until then is left to the caller.
    """
    try:
        with archive.open("rb") as file:
            _unpack_all(_members(file), folder)
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, gzip.BadGzipFile, UnicodeError) as error:
        raise BadBundle(f"archive cannot be unpacked: {error}") from None
    return _bundle_in(folder)


def _members(file: BinaryIO) -> Iterator[_Member]:
    head = file.read(4)
    file.seek(0)
    if head[:2] == b"\x1f\x8b":
        return _tar_members(file)
    if head in (b"PK\x03\x04", b"PK\x05\x06"):
        return _zip_members(file)
    raise BadBundle("archive is of no known kind: a tar.gz or a zip is allowed")


def _unpack_all(members: Iterator[_Member], folder: Path) -> None:
    taken: set[PurePosixPath] = set()
    parents: set[PurePosixPath] = set()
    left = MAX_SIZE
    for member in members:
        path = _checked(member.path)
        if path in taken:
            raise BadBundle(f"archive has {member.path!r} twice: once is allowed")
        if path in parents or not taken.isdisjoint(path.parents):
            raise BadBundle(f"archive has {member.path!r} as a file and as a folder: the one or the other is allowed")
        if len(taken) == MAX_FILES:
            raise BadBundle(f"archive has more than {MAX_FILES} files: that many are allowed")
        taken.add(path)
        parents.update(path.parents)
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        left = _copy(member, target, left)


def _checked(name: str) -> PurePosixPath:
    """Return the path of a member. Raises :class:`BadBundle` where it might lie anywhere else."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise BadBundle(f"archive has {name!r}: paths inside it are allowed")
    if "\\" in name or any(not character.isprintable() for character in name):
        raise BadBundle(f"archive has {name!r}: printable characters but for backslashes are allowed")
    if len(name.encode()) > MAX_PATH or len(path.parts) > MAX_DEPTH:
        raise BadBundle(
            f"archive has {name[:40]!r}…: {MAX_PATH} bytes of a path and {MAX_DEPTH} parts of it are allowed"
        )
    return path


def _copy(member: _Member, target: Path, left: int) -> int:
    """Write a file of at most so many bytes, and return how many are left."""
    with member.content as source, target.open("xb") as copy:
        # What an archive says of a size is not believed: what comes out of it is counted.
        while chunk := source.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise BadBundle(f"archive unpacks to more than {MAX_SIZE // 2**20} MiB: that much is allowed")
            copy.write(chunk)
    target.chmod(0o755 if member.executable else 0o644)
    return left


class _Bounded(io.RawIOBase):
    """A file that refuses to be read too far, or by too much at once: a header of a tar file is read as a whole."""

    def __init__(self, source: gzip.GzipFile) -> None:
        self._source = source

    def read(self, size: int = -1, /) -> bytes:
        self._check(self._source.tell() + size, size)
        return self._source.read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._check(offset, 0)
        return self._source.seek(offset, whence)

    def tell(self) -> int:
        return self._source.tell()

    def _check(self, end: int, size: int) -> None:
        if end > _MAX_STREAM or not 0 <= size <= _MAX_HEADER:
            raise BadBundle(f"archive unpacks to more than {MAX_SIZE // 2**20} MiB: that much is allowed")


def _tar_members(file: BinaryIO) -> Iterator[_Member]:
    with gzip.GzipFile(fileobj=file) as plain, tarfile.open(fileobj=_Bounded(plain), mode="r:") as archive:
        entries = 0
        for entry in archive:
            entries += 1
            if entries > 2 * MAX_FILES:
                raise BadBundle(f"archive has more than {2 * MAX_FILES} files and folders: that many are allowed")
            if entry.isdir():
                continue
            if entry.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
                raise BadBundle(f"archive has {entry.name!r}, which is no file: only files and folders are allowed")
            content = archive.extractfile(entry)
            assert content is not None, "it is a file"
            yield _Member(entry.name, bool(entry.mode & stat.S_IXUSR), content)


def _zip_members(file: BinaryIO) -> Iterator[_Member]:
    _check_directory(file)
    with zipfile.ZipFile(file) as archive:
        for entry in archive.infolist():
            mode = entry.external_attr >> 16
            kind = stat.S_IFMT(mode)
            if entry.is_dir():
                continue
            if kind not in (0, stat.S_IFREG):
                raise BadBundle(f"archive has {entry.filename!r}, which is no file: only files and folders are allowed")
            if entry.flag_bits & 1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise BadBundle(
                    f"archive has {entry.filename!r} encrypted or oddly compressed: stored and deflated are allowed"
                )
            # The name as it stands in the archive: Python cuts it at a NUL.
            yield _Member(entry.orig_filename, bool(mode & stat.S_IXUSR), archive.open(entry))


def _check_directory(file: BinaryIO) -> None:
    """Refuse a zip file with a huge directory, which would be read as a whole."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - 66_000))
    tail = file.read()
    file.seek(0)
    start = tail.rfind(b"PK\x05\x06")
    if start < 0 or len(tail) < start + 22 or tail[max(0, start - 20) : start].startswith(b"PK\x06\x07"):
        raise BadBundle("archive is no zip file of the common kind: one without ZIP64 is allowed")
    (directory,) = struct.unpack("<L", tail[start + 12 : start + 16])
    if directory > _MAX_DIRECTORY:
        raise BadBundle(f"archive has more than {MAX_FILES} files: that many are allowed")


def _bundle_in(folder: Path) -> Path:
    while True:
        found = sorted(folder.iterdir())
        if not found:
            raise BadBundle("archive has no files: a bot.toml and a program are wanted, or a Python file")
        if len(found) > 1 or (folder / "bot.toml").is_file():
            return folder
        if found[0].is_file():
            return found[0]
        (folder,) = found
