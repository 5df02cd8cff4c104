"""Is one bot better than another by so much? A sequential test that ends as soon as the boards answer.

The generalised sequential probability ratio test on board scores: a score is the share of a board that the bot won,
from 0 to 1, so that a board of two matches scores 0, 1/4, 1/2, 3/4 or 1. Boards are compared, not matches, since the
matches of a board share their cards. Nothing is assumed of how scores are distributed around their mean: the two
hypotheses are the likeliest distributions on the scores seen that have the means p0 and p1. Source: M. Van den Bergh,
http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1, which Stockfish's Fishtest uses too.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

_UNSEEN = 1e-3
"""How many boards of each outcome are taken for granted, so that neither hypothesis is impossible."""


class Verdict(NamedTuple):
    """What the boards so far say."""

    boards: int
    decisive: int
    """Boards that were not level."""
    score: float
    """The mean score; 0.5 without boards."""
    ratio: float
    """The logarithm of how much more likely the boards are with p1 than with p0."""
    accepted: str | None
    """``p0`` or ``p1`` where the test has ended, else None."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of whether a bot's mean score on a board is rather ``p0`` or rather ``p1``."""

    p0: float
    p1: float
    """Above p0; both are above 0 and below 1."""
    error: float = 0.05
    """How often either answer may be wrong where it is."""
    least_decisive: int = 10
    """The test does not end on fewer boards that were not level: so few say too little of their spread."""

    def __post_init__(self) -> None:
        if not 0 < self.p0 < self.p1 < 1:
            raise ValueError(f"p0 {self.p0} and p1 {self.p1}: allowed are 0 < p0 < p1 < 1")
        if not 0 < self.error < 0.5:
            raise ValueError(f"error {self.error}: allowed is above 0 and below 0.5")

    @classmethod
    def of_elo(cls, elo0: float, elo1: float, error: float = 0.05) -> "Sprt":
        """Return the test of two differences in Elo points."""
        return cls(elo_score(elo0), elo_score(elo1), error)

    @property
    def bound(self) -> float:
        """The ratio at which p1 is accepted, and below minus which p0 is: 2.944 at 5 %."""
        return math.log((1 - self.error) / self.error)

    def judge(self, scores: Iterable[float] | Mapping[float, int]) -> Verdict:
        """Return what the boards say, given their scores in any order or how often each happened.

        Raises ValueError for a score that is not from 0 to 1.
        """
        counts = Counter(scores)
        for score in counts:
            if not 0 <= score <= 1:
                raise ValueError(f"board score {score}: allowed is 0 to 1")
        boards = sum(counts.values())
        decisive = boards - counts[0.5]
        mean = math.fsum(score * count for score, count in sorted(counts.items())) / boards if boards else 0.5
        ratio = log_likelihood_ratio(counts, self.p0, self.p1) if boards else 0.0
        accepted = None
        if decisive >= self.least_decisive and abs(ratio) >= self.bound:
            accepted = "p1" if ratio > 0 else "p0"
        return Verdict(boards, decisive, mean, ratio, accepted)


def elo_score(elo: float) -> float:
    """Return the mean score of a bot that is so many Elo points better."""
    return 1 / (1 + 10 ** (-elo / 400))


def log_likelihood_ratio(counts: Mapping[float, int], p0: float, p1: float) -> float:
    """Return the logarithm of the likelihood ratio of the likeliest distributions with the means p1 and p0."""
    weights = {0.0: _UNSEEN, 1.0: _UNSEEN}
    for score, count in counts.items():
        weights[score] = weights.get(score, 0.0) + count
    total = math.fsum(weights.values())
    shares = [(score, weights[score] / total) for score in sorted(weights)]
    tilt0, tilt1 = _tilt(shares, p0), _tilt(shares, p1)
    return total * math.fsum(
        share * (math.log1p(tilt0 * (score - p0)) - math.log1p(tilt1 * (score - p1))) for score, share in shares
    )


def _tilt(shares: list[tuple[float, float]], mean: float) -> float:
    """Return the t for which ``share / (1 + t (score - mean))`` is the likeliest distribution with this mean."""
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(200):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        above = math.fsum(share * (score - mean) / (1 + middle * (score - mean)) for score, share in shares) > 0
        low, high = (middle, high) if above else (low, middle)
    return (low + high) / 2
