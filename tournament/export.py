"""An export: a tournament as plain files that need nothing of Cardpit to be read and checked."""

import csv
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, TypeAlias

import cardpit
from cardpit.games.seeds import board_seed
from cardpit.v1 import record_pb2 as pb
from referee.record import parse, seal
from tournament import export_check
from tournament.archive import decompress, open_record
from tournament.errors import BadConfiguration, Failure
from tournament.replay import Replay
from tournament.run.bench import count_left_out
from tournament.run.sittings import schedule_so_far
from tournament.scores import Scores
from tournament.store.database import Store
from tournament.store.ends import benched, ends_of
from tournament.store.matches import StoredRecord, finished_boards, match_name, records
from tournament.store.tournaments import StoredPool, StoredTournament
from tournament.store.voids import list_voided

Value: TypeAlias = str | int | float | bool | None
Row: TypeAlias = Mapping[str, Value | Sequence[Value]]

MATCH_KEYS = (
    "match", "game", "pairing", "board", "room", "bots", "payoffs", "places", "margins", "terminations", "strikes",
    "timeouts", "used_times", "termination", "decisions", "record_hash", "record",
)  # fmt: skip
BOARD_KEYS = ("game", "pairing", "board", "bots", "scores", "margins", "seed_commitment", "seed")
VOIDED_KEYS = ("match", "game", "pairing", "board", "room", "payoffs", "termination", "record_hash", "voided_at", "why")


class Listing:
    """A list of rows, written as CSV and as JSON at once."""

    def __init__(self, folder: Path, name: str, keys: Sequence[str]) -> None:
        self._keys = keys
        self._csv_file: IO[str] = (folder / f"{name}.csv").open("w", encoding="utf-8", newline="")
        self._json_file: IO[str] = (folder / f"{name}.json").open("w", encoding="utf-8")
        self._writer = csv.writer(self._csv_file, lineterminator="\n")
        self._writer.writerow(keys)
        self._count = 0

    def add(self, row: Row) -> None:
        """Write a row. A list is written with spaces between its values in CSV."""
        cells = [row[key] for key in self._keys]
        self._writer.writerow([" ".join(map(str, c)) if isinstance(c, (list, tuple)) else c for c in cells])
        self._json_file.write(
            ("[\n" if not self._count else ",\n") + json.dumps(dict(zip(self._keys, cells, strict=True)))
        )
        self._count += 1

    def close(self) -> None:
        """Finish both files."""
        self._json_file.write("\n]\n" if self._count else "[]\n")
        self._json_file.close()
        self._csv_file.close()


@contextmanager
def listing(folder: Path, name: str, keys: Sequence[str]) -> Iterator[Listing]:
    """Hold a list open."""
    found = Listing(folder, name, keys)
    try:
        yield found
    finally:
        found.close()


@dataclass(slots=True)
class Export:
    """Writes one tournament into a folder. Before its end nothing is written that tells a card or a seed."""

    store: Store
    tournament: StoredTournament
    texts: bool = True
    """Whether each record is written as readable text too."""
    progress: Callable[[], None] = lambda: None
    """Called after each match."""
    matches: int = 0

    def write(self, folder: Path, table: Sequence[Row], table_keys: Sequence[str]) -> None:
        """Write everything, or nothing. ``table`` is the table of ratings.

        Raises :class:`BadConfiguration` where the folder holds something, :class:`Failure` where it cannot be written
        or a record is damaged.
        """
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadConfiguration(f"{folder} exists and is not empty: give a new folder")
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
            try:
                self._write_all(draft, table, table_keys)
                draft.chmod(0o777 & ~_umask())
                draft.replace(folder)
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise
        except OSError as error:
            raise Failure(f"{folder} cannot be written: {error.strerror}") from None

    def _write_all(self, folder: Path, table: Sequence[Row], table_keys: Sequence[str]) -> None:
        with listing(folder, "table", table_keys) as rows:
            for row in table:
                rows.add(row)
        digest = sha256()
        with listing(folder, "matches", MATCH_KEYS) as matches:
            for pool in self.tournament.pools:
                for stored in records(self.store, pool):
                    digest.update(stored.record_hash)
                    path = self._write_record(folder, pool, stored) if self.tournament.finished else None
                    matches.add(self._match(pool, stored, path))
                    self.matches += 1
                    self.progress()
        with listing(folder, "boards", BOARD_KEYS) as boards:
            for pool in self.tournament.pools:
                for row in self._boards(pool):
                    boards.add(row)
        with listing(folder, "voided", VOIDED_KEYS) as voided:
            for pool in self.tournament.pools:
                for row in self._voided(pool):
                    voided.add(row)
        facts = json.dumps(self._facts(digest.hexdigest()), indent=2)
        (folder / "tournament.json").write_text(facts + "\n", encoding="utf-8")
        shutil.copyfile(export_check.__file__, folder / "check.py")
        _write_sums(folder)

    def _facts(self, digest: str) -> dict[str, object]:
        tournament = self.tournament
        benchings = [(pool, benched(self.store, pool)) for pool in tournament.pools]
        return {
            "tournament": tournament.name,
            "cardpit_version": cardpit.__version__,
            "finished": tournament.finished,
            "commitment": tournament.commitment,
            "seed": tournament.seed.hex() if tournament.finished else None,
            "matches": self.matches,
            "digest": digest,
            "benched": [
                {
                    "game": pool.game,
                    "bot": _label(pool, entrant),
                    "after": match_name(tournament, pool, place.pairing, place.board, place.room),
                }
                for pool, out in benchings
                for entrant, place in out.items()
            ],
            "left_out": sum(count_left_out(tournament, pool, ends_of(self.store, pool)) for pool in tournament.pools),
            "configuration": tournament.configuration.model_dump(),
        }

    def _match(self, pool: StoredPool, stored: StoredRecord, path: str | None) -> Row:
        match = stored.match
        return {
            "match": match.name(self.tournament, pool),
            "game": pool.game,
            "pairing": match.pairing,
            "board": match.board,
            "room": match.room,
            "bots": [_label(pool, seat.entrant) for seat in match.seats],
            "payoffs": [seat.payoff for seat in match.seats],
            "places": [seat.place for seat in match.seats],
            "margins": [seat.margin for seat in match.seats],
            # In CSV the values of a list stand with spaces between them.
            "terminations": [seat.termination.replace(" ", "-") for seat in match.seats],
            "strikes": [seat.strikes for seat in match.seats],
            "timeouts": [seat.timeouts for seat in match.seats],
            "used_times": [seat.used_time for seat in match.seats],
            "termination": match.termination,
            "decisions": match.decisions,
            "record_hash": stored.record_hash.hex(),
            "record": path,
        }

    def _boards(self, pool: StoredPool) -> Iterator[Row]:
        schedule = schedule_so_far(self.store, self.tournament, pool)
        for (pairing, board), blob in sorted(finished_boards(self.store, pool).items()):
            scores = Scores.of(pool.seats, len(pool.versions), [blob]).boards[0]
            seed = board_seed(self.tournament.seed, pool.game, board)
            yield {
                "game": pool.game,
                "pairing": pairing,
                "board": board,
                "bots": [_label(pool, entrant) for entrant in schedule.pairing(pairing)],
                "scores": scores["score"].tolist(),
                "margins": scores["margin"].tolist(),
                "seed_commitment": sha256(seed).hexdigest(),
                "seed": seed.hex() if self.tournament.finished else None,
            }

    def _voided(self, pool: StoredPool) -> Iterator[Row]:
        for row in list_voided(self.store, pool):
            yield {
                "match": match_name(self.tournament, pool, row.pairing, row.board, row.room),
                "game": pool.game,
                "pairing": row.pairing,
                "board": row.board,
                "room": row.room,
                "payoffs": row.payoffs,
                "termination": row.termination,
                "record_hash": row.record_hash.hex(),
                "voided_at": row.voided_at,
                "why": row.why,
            }

    def _write_record(self, folder: Path, pool: StoredPool, stored: StoredRecord) -> str:
        """Write a record with the seed revealed, and as text; return the path within the folder."""
        match = stored.match
        path = Path("records", pool.game, str(match.pairing), f"{match.board}-{match.room}.pb")
        seed = board_seed(self.tournament.seed, pool.game, match.board)
        try:
            if sha256(decompress(stored.record)).digest() != stored.record_hash:
                raise ValueError("its hash differs")
            record, timings = open_record(stored.record, stored.timings)
            record.header.seed = seed
            sealed = seal(record)
            text = record_text(parse(sealed), timings, seed) if self.texts else None
        except ValueError as error:
            name = match.name(self.tournament, pool)
            raise Failure(f"match {name}: its record is damaged: {error}: see tournament verify") from None
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(sealed)
        if text is not None:
            (folder / path).with_suffix(".txt").write_text(text, encoding="utf-8")
        return path.as_posix()


def record_text(record: pb.Record, timings: pb.Timings, seed: bytes) -> str:
    """Return a match as text to read: who played, the table after every step, the result.

    Raises :class:`referee.record.BadRecord` where it does not replay.
    """
    replay = Replay(record, timings, seed)
    lines = [line for lines in replay.steps(0, replay.length) for line in lines]
    return "".join(f"{line.plain}\n" for line in [*replay.head(), *lines, *replay.result()])


def _label(pool: StoredPool, entrant: int) -> str:
    version = pool.versions[entrant]
    return f"{version.name}@{version.version}"


def _write_sums(folder: Path) -> None:
    """Write what ``sha256sum --check`` reads, of every file."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    with (folder / "SHA256SUMS").open("w", encoding="utf-8") as file:
        for path in paths:
            file.write(f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n")


def _umask() -> int:
    """Return the mask of new files, which only setting it tells."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
