"""A sequential test between two bots: it ends their tournament as soon as the boards answer.

Boards are judged one by one in their order, whatever the order in which they end. So the test ends on the same board
with the same verdict, however many boards are played at once and wherever a run was interrupted.
"""

from collections import Counter

from tournament.configuration import SprtConfiguration
from tournament.scores import Scores
from tournament.statistics import Sprt, Verdict
from tournament.store.database import Store
from tournament.store.ends import Place
from tournament.store.matches import finished_boards
from tournament.store.tournaments import StoredPool, StoredTournament


class SequentialTest:
    """The test of a pool, with the boards that it has judged."""

    def __init__(self, settings: SprtConfiguration, seats: int) -> None:
        self.sprt = Sprt(settings.p0, settings.p1, settings.error)
        self.verdict: Verdict = self.sprt.judge({})
        self.end: Place | None = None
        """The last match of the board that ended it."""
        self._seats = seats
        self._counts: Counter[float] = Counter()
        self._waiting: dict[int, float] = {}
        self._next = 0

    @classmethod
    def of(cls, store: Store, tournament: StoredTournament, pool: StoredPool) -> "SequentialTest | None":
        """Return the test of a pool with all of its finished boards; None where it has no test."""
        settings = tournament.configuration.sprt
        if settings is None:
            return None
        test = cls(settings, pool.seats)
        for (_, board), blob in sorted(finished_boards(store, pool).items()):
            test.add(board, blob)
        return test

    def add(self, board: int, blob: bytes) -> bool:
        """Take a finished board; True where the test ends with it, or with one that had to wait for it."""
        if self.end is not None or board < self._next:
            return False
        self._waiting[board] = self._score(blob)
        while self.end is None and self._next in self._waiting:
            self._counts[self._waiting.pop(self._next)] += 1
            self.verdict = self.sprt.judge(self._counts)
            if self.verdict.accepted:
                self.end = Place(0, self._next, self._seats - 1)
            self._next += 1
        return self.end is not None

    def _score(self, blob: bytes) -> float:
        """Return the share of a board that the first bot of the pool won: matches ahead of the other, ties half."""
        board = Scores.of(self._seats, 2, [blob]).boards[0]
        own = int(board["entrant"][1] == 0)
        return float(board["ahead"][own, 1 - own]) / self._seats


def test_line(test: SequentialTest, pool: StoredPool) -> str:
    """Return what a test says so far, on one line."""
    first, second = pool.labels
    verdict, sprt = test.verdict, test.sprt
    answer = {None: "no answer yet", "p0": "p0 is accepted", "p1": "p1 is accepted"}[verdict.accepted]
    return (
        f"test of {first} against {second}: {answer} after {verdict.boards} boards, score {verdict.score:.3f} "
        f"(p0 {sprt.p0:.4f}, p1 {sprt.p1:.4f}), log likelihood ratio {verdict.ratio:+.2f} of ±{sprt.bound:.2f}"
    )
