"""Check an export of a Cardpit tournament, with nothing but Python's standard library.

    python check.py [FOLDER]

It is told nothing by the platform and imports nothing of it. What it proves, of every match:

* no file of the export was changed (SHA256SUMS);
* the seed of the tournament is the one whose commitment was published before the first match;
* the board was dealt from that seed: its own is HMAC-SHA256(seed, "board/<game>/<board>");
* the record's digest fits, and without the seed it is, byte by byte, the record that was stored when the match ended;
* the digest over all records is that of the export, which ``tournament verify`` prints too;
* the result in the lists is that of the record, the rooms of a board are rotations of the same bots, and the scores of
  the boards are the sums of the payoffs.

That the cards follow from the seeds and that every action was legal takes the rules: ``tournament verify`` replays
them.
"""

import csv
import json
import struct
import sys
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from hmac import digest as hmac_digest
from pathlib import Path

DIGEST_FIELD = b"\x2a\x20"
"""The tag of field 5, a text of bytes, and its length of 32."""


class Bad(Exception):
    """Something that is not as it must be."""


def number(data: bytes, at: int) -> tuple[int, int]:
    """Return a varint of protobuf and where the next byte is."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def varint(value: int) -> bytes:
    """Return a number as a varint."""
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def fields(data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the fields of a protobuf message: number, all of its bytes, and its value's bytes."""
    at = 0
    while at < len(data):
        start = at
        tag, at = number(data, at)
        kind = tag & 7
        if kind == 0:
            begin = at
            _, at = number(data, at)
        elif kind == 1:
            begin, at = at, at + 8
        elif kind == 2:
            size, begin = number(data, at)
            at = begin + size
        else:
            raise Bad(f"a field of the unknown kind {kind}")
        if at > len(data):
            raise Bad("it ends within a field")
        yield tag >> 3, data[start:at], data[begin:at]


def values(data: bytes) -> dict[int, list[bytes]]:
    """Return the values of a protobuf message by the number of their field."""
    found: dict[int, list[bytes]] = defaultdict(list)
    for field, _, value in fields(data):
        found[field].append(value)
    return found


def integer(found: dict[int, list[bytes]], field: int) -> int:
    """Return the last integer of a field; 0 where there is none, as protobuf has it."""
    if not found.get(field):
        return 0
    value, _ = number(found[field][-1], 0)
    return value - (1 << 64) if value >> 63 else value


def text(found: dict[int, list[bytes]], field: int) -> str:
    """Return the last text of a field; empty where there is none."""
    return found[field][-1].decode() if found.get(field) else ""


def unsealed(record: bytes) -> bytes:
    """Return a record as it was stored: without the revealed seed, with the digest that fits."""
    parts = []
    for field, whole, value in fields(record[:-34]):
        if field == 1:
            header = b"".join(part for inner, part, _ in fields(value) if inner != 5)
            parts.append(b"\x0a" + varint(len(header)) + header)
        else:
            parts.append(whole)
    body = b"".join(parts)
    return body + DIGEST_FIELD + sha256(body).digest()


def check_record(row: dict[str, str], record: bytes, tournament: str, seed: bytes) -> None:
    """Compare a record with the row of its match. Raises :class:`Bad`."""
    if record[-34:-32] != DIGEST_FIELD or sha256(record[:-34]).digest() != record[-32:]:
        raise Bad("its digest does not fit")
    whole = values(record)
    header = values(whole[1][0])
    board_seed = hmac_digest(seed, f"board/{row['game']}/{row['board']}".encode(), "sha256")
    if (header[5] or [b""])[-1] != board_seed:
        raise Bad("the seed of its board does not come from the seed of the tournament")
    if header[4][-1] != sha256(board_seed).digest():
        raise Bad("the seed of its board is not the one that was committed to")
    if sha256(unsealed(record)).hexdigest() != row["record_hash"]:
        raise Bad("it is not the record that was stored")
    found = [text(header, 1), text(header, 9), *(str(integer(header, field)) for field in (10, 11, 12))]
    if found != [row["game"], tournament, row["pairing"], row["board"], row["room"]]:
        raise Bad("it is the record of another match")
    players = [f"{text(p, 1)}@{integer(p, 2)}" for p in map(values, header[6])]
    if players != row["bots"].split(" "):
        raise Bad("other bots sat in it")
    seats = [values(seat) for seat in values(whole[4][0])[2]]
    payoffs = [struct.unpack("<d", seat[1][-1])[0] if seat.get(1) else 0.0 for seat in seats]
    places = [integer(seat, 2) for seat in seats]
    if payoffs != [float(value) for value in row["payoffs"].split()] or places != [
        int(p) for p in row["places"].split()
    ]:
        raise Bad("its result is another one")


def check_boards(folder: Path, matches: list[dict[str, str]]) -> None:
    """Work out the scores of all boards again. Raises :class:`Bad`."""
    boards: dict[tuple[str, str, str], list[dict[str, str]]] = defaultdict(list)
    for row in matches:
        boards[row["game"], row["pairing"], row["board"]].append(row)
    listed = 0
    for row in rows(folder / "boards.csv"):
        name = f"board {row['game']}/{row['pairing']}/{row['board']}"
        bots = row["bots"].split(" ")
        rooms = {int(match["room"]): match for match in boards.get((row["game"], row["pairing"], row["board"]), [])}
        if sorted(rooms) != list(range(len(bots))):
            raise Bad(f"{name}: it was not played once in every rotation")
        scores = dict.fromkeys(bots, 0.0)
        for room, match in rooms.items():
            seated = match["bots"].split(" ")
            if seated != [bots[(seat + room) % len(bots)] for seat in range(len(bots))]:
                raise Bad(f"{name}: room {room} is not its rotation")
            for bot, payoff in zip(seated, match["payoffs"].split(), strict=True):
                scores[bot] += float(payoff)
        if any(abs(scores[bot] - float(s)) > 1e-9 for bot, s in zip(bots, row["scores"].split(), strict=True)):
            raise Bad(f"{name}: its scores are not the sums of the payoffs")
        listed += 1
    complete = sum(len(found) == len(found[0]["bots"].split(" ")) for found in boards.values())
    if listed != complete:
        raise Bad(f"boards.csv has {listed} boards: {complete} were played in every rotation")


def rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the lines of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def check_files(folder: Path) -> None:
    """Compare every file with its hash, and look for files that have none. Raises :class:`Bad`."""
    sums = {}
    for line in (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        wanted, _, name = line.partition("  ")
        sums[name] = wanted
        if not (folder / name).is_file():
            raise Bad(f"{name}: it is missing")
        if sha256((folder / name).read_bytes()).hexdigest() != wanted:
            raise Bad(f"{name}: it was changed: its hash differs from that in SHA256SUMS")
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in sums and name != "SHA256SUMS":
            raise Bad(f"{name}: it is not in SHA256SUMS")


def check(folder: Path) -> str:
    """Check a whole export and return what was found right. Raises :class:`Bad`."""
    check_files(folder)
    facts = json.loads((folder / "tournament.json").read_text(encoding="utf-8"))
    matches = list(rows(folder / "matches.csv"))
    if len(matches) != facts["matches"]:
        raise Bad(f"matches.csv has {len(matches)} matches: tournament.json says {facts['matches']}")
    check_boards(folder, matches)
    if facts["seed"] is None:
        return f"{len(matches)} matches; the tournament is not finished, so that there are no seeds and no records"
    seed = bytes.fromhex(facts["seed"])
    if sha256(seed).hexdigest() != facts["commitment"]:
        raise Bad("the seed is not the one that was committed to")
    total = sha256()
    for row in matches:
        record = (folder / row["record"]).read_bytes()
        try:
            check_record(row, record, facts["tournament"], seed)
        except Bad as error:
            raise Bad(f"{row['record']}: {error}") from None
        except (LookupError, ValueError, struct.error) as error:
            raise Bad(f"{row['record']}: it is no record: {error}") from None
        total.update(bytes.fromhex(row["record_hash"]))
    if total.hexdigest() != facts["digest"]:
        raise Bad("the digest over all records is another one than that of tournament.json")
    return f"{len(matches)} matches, commitment {facts['commitment']}, digest {facts['digest']}"


def main() -> None:
    """Check the folder that is named, or the one that this file lies in."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    try:
        print(f"all is right: {check(folder)}")
    except OSError as error:
        sys.exit(f"{folder} is no export: {error}")
    except Bad as error:
        sys.exit(f"not right: {error}")


if __name__ == "__main__":
    main()
