"""Verification: every record is replayed through the rules, every deal made again from the tournament's seed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from cardpit import TimeControl
from cardpit.games.seeds import board_seed, commitment
from cardpit.v1 import record_pb2 as pb
from cardpit.v1 import referee_pb2
from referee import record as records_of
from referee.orders import Termination
from referee.seats.messages import parameter_list, time_control
from tournament.archive import decompress, open_record
from tournament.run.bench import find_benched, planned_matches
from tournament.run.sittings import boards_of, schedule_so_far
from tournament.schedule import Schedule
from tournament.scores import SeatScore, board_scores
from tournament.sequential import SequentialTest
from tournament.store.database import Store
from tournament.store.ends import benched, test_end
from tournament.store.matches import MatchRow, StoredRecord, finished_boards, records
from tournament.store.tournaments import StoredPool, StoredTournament


@dataclass(slots=True)
class Verification:
    """What was found so far."""

    matches: int = 0
    """Records that were checked."""
    boards: int = 0
    """Boards whose scores were worked out again."""
    problems: int = 0
    digest: str = ""
    """SHA-256 over the hashes of all records in the order of game, pairing, board and room: it names all results."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it must be."""

    where: str
    """A match, a board, or the tournament."""
    what: str


@dataclass(slots=True)
class Verifier:
    """Goes through one tournament."""

    store: Store
    tournament: StoredTournament
    found: Verification = field(default_factory=Verification)

    def run(self) -> Iterator[Problem | None]:
        """Yield None for each record that is right, and every problem. :attr:`found` counts on meanwhile."""
        total = sha256()
        if commitment(self.tournament.seed).hex() != self.tournament.commitment:
            yield self._problem(self.tournament.name, "the seed is not the one that was committed to")
        for pool in self.tournament.pools:
            yield from self._check_pool(pool, total.update)
        self.found.digest = total.hexdigest()

    def _check_pool(self, pool: StoredPool, update: Callable[[bytes], None]) -> Iterator[Problem | None]:
        schedule = schedule_so_far(self.store, self.tournament, pool)
        boards = finished_boards(self.store, pool)
        results: list[SeatScore] = []
        current = (-1, -1)
        count = 0
        for stored in records(self.store, pool):
            match = stored.match
            if (match.pairing, match.board) != current:
                yield from self._check_board(pool, current, results, boards)
                current, results = (match.pairing, match.board), []
            results += _seat_scores(match)
            update(stored.record_hash)
            self.found.matches += 1
            count += 1
            problems = _check_record(self.tournament, pool, schedule, stored)
            for what in problems:
                yield self._problem(match.name(self.tournament, pool), what)
            if not problems:
                yield None
        yield from self._check_board(pool, current, results, boards)
        for pairing, board in boards:
            where = f"{self.tournament.name}/{pool.game}/{pairing}/{board}"
            yield self._problem(where, "it is rated, yet none of its matches is stored")
        wanted = planned_matches(self.store, self.tournament, pool)
        if self.tournament.finished and count != wanted:
            what = f"{count} matches of {pool.game} are stored: the finished tournament has {wanted}"
            yield self._problem(self.tournament.name, what)
        if self.tournament.finished and find_benched(self.store, self.tournament, pool) != benched(self.store, pool):
            what = f"the bots of {pool.game} that are benched are not those that the results bench"
            yield self._problem(self.tournament.name, what)
        test = SequentialTest.of(self.store, self.tournament, pool) if self.tournament.finished else None
        if test is not None and test.end != test_end(self.store, pool):
            yield self._problem(self.tournament.name, f"the test in {pool.game} has not ended where the boards end it")

    def _check_board(
        self,
        pool: StoredPool,
        key: tuple[int, int],
        results: list[SeatScore],
        boards: dict[tuple[int, int], bytes],
    ) -> Iterator[Problem]:
        """Work out the scores of a board again, and take it off the list."""
        rated = boards.pop(key, None)
        complete = len(results) == pool.seats**2
        where = f"{self.tournament.name}/{pool.game}/{key[0]}/{key[1]}"
        if complete:
            self.found.boards += 1
            if rated is None:
                yield self._problem(where, "all of its matches are stored, yet it is not rated")
            elif rated != board_scores(pool.seats, results):
                yield self._problem(where, "its rated scores are not those of its matches")
        elif rated is not None:
            yield self._problem(where, "it is rated, yet not all of its matches are stored")

    def _problem(self, where: str, what: str) -> Problem:
        self.found.problems += 1
        return Problem(where, what)


def _seat_scores(match: MatchRow) -> list[SeatScore]:
    return [
        SeatScore(match.room, seat, s.entrant, s.payoff, s.place, s.margin, s.strikes, s.timeouts, s.termination)
        for seat, s in enumerate(match.seats)
    ]


def _check_record(
    tournament: StoredTournament, pool: StoredPool, schedule: Schedule, stored: StoredRecord
) -> list[str]:
    """Return what is wrong with one match and its record."""
    match = stored.match
    if not stored.record:
        return ["its record is missing"]
    try:
        record, timings = open_record(stored.record, stored.timings)
    except ValueError as error:
        return [f"its record is damaged: {error}"]
    problems = []
    if sha256(decompress(stored.record)).digest() != stored.record_hash:
        problems.append("its record is not the one that was stored: its hash differs")
    if len(timings.used_time) != sum(len(step.actions) for step in record.steps):
        problems.append("its timings are not those of the record")
    problems += _check_header(tournament, pool, schedule, match, record.header)
    problems += _check_result(match, record.result)
    if not problems:
        problems += records_of.check(record, board_seed(tournament.seed, pool.game, match.board))
    return problems


def _check_header(
    tournament: StoredTournament, pool: StoredPool, schedule: Schedule, match: MatchRow, header: pb.Header
) -> list[str]:
    """Compare what a record says it is with what the schedule says it must be."""
    settings = pool.configuration
    if match.pairing >= schedule.total:
        return ["no such match is in the schedule"]
    if not schedule.known(match.pairing):
        return ["its pairing follows from boards that are not finished"]
    if match.board not in boards_of(schedule, pool, match.pairing) or match.room >= pool.seats:
        return ["no such match is in the schedule"]
    bots = schedule.pairing(match.pairing)
    entrants = [bots[(seat + match.room) % pool.seats] for seat in range(pool.seats)]
    players = [
        pb.Player(bot=v.name, version=v.version, bundle_hash=bytes.fromhex(v.bundle_hash))
        for v in (pool.versions[entrant] for entrant in entrants)
    ]
    expected: dict[str, object] = {
        "game": pool.game,
        "rules_version": settings.rules_version,
        "parameters": parameter_list(settings.parameters),
        "players": players,
        "time_controls": [time_control(control) for control in _time_controls(tournament, pool, entrants)],
        "tournament": tournament.name,
        "pairing": match.pairing,
        "board": match.board,
        "room": match.room,
    }
    found: dict[str, object] = {name: getattr(header, name) for name in expected}
    found |= {name: list(getattr(header, name)) for name in ("parameters", "players", "time_controls")}
    problems = [
        f"its record differs from the schedule in {name}" for name, value in expected.items() if found[name] != value
    ]
    if [seat.entrant for seat in match.seats] != entrants:
        problems.append("other bots sit in it than the schedule says")
    return problems


def _time_controls(tournament: StoredTournament, pool: StoredPool, entrants: Sequence[int]) -> list[TimeControl]:
    """Return the time of each seat, by seat."""
    common = tournament.configuration.conduct.conduct(pool.configuration.max_strikes).time_control
    odds = pool.time_odds
    return [
        common._replace(move_time=odds[entrant][0], bank_time=odds[entrant][1]) if entrant in odds else common
        for entrant in entrants
    ]


def _check_result(match: MatchRow, result: referee_pb2.MatchResult) -> list[str]:
    found = [(s.payoff, s.place, s.margin, Termination.of(s.termination).value, s.strikes) for s in result.seats]
    stored = [(s.payoff, s.place, s.margin, s.termination, s.strikes) for s in match.seats]
    if found != stored or Termination.of(result.termination).value != match.termination:
        return ["its stored result is not that of its record"]
    return []
