"""What bots did in the pairings that are finished: the results that adaptive schedules go by."""

import math
from collections.abc import Mapping

import numpy as np

from tournament.schedule import Tally
from tournament.scores import Scores
from tournament.store.boards import BoardKey
from tournament.store.tournaments import StoredPool


def tallies_of(pool: StoredPool, boards: Mapping[BoardKey, bytes]) -> dict[int, Tally]:
    """Return the result of each pairing of two bots that is complete in these boards, by its number."""
    by_pairing: dict[int, list[bytes]] = {}
    for (pairing, _), blob in sorted(boards.items()):
        by_pairing.setdefault(pairing, []).append(blob)
    return {
        pairing: _tally(pool, blobs) for pairing, blobs in by_pairing.items() if len(blobs) == pool.configuration.boards
    }


def _tally(pool: StoredPool, blobs: list[bytes]) -> Tally:
    first, second = Scores.of(pool.seats, len(pool.versions), blobs).boards["score"].T
    return Tally(
        score=(math.fsum(first), math.fsum(second)),
        won=(int(np.sum(first > second)), int(np.sum(second > first))),
        level=int(np.sum(first == second)),
    )
