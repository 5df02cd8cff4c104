"""Finished boards, the only thing that ratings are made of: as single values and as arrays.

``Board`` is for reading and tests; ``Boards`` holds any number of them as arrays, one block for each number of seats.
A store that counts equal boards itself passes the counts, and nothing is unpacked.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

BotId = int | str
"""What names a bot version: a whole number or a text."""

IntArray = npt.NDArray[np.intp]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


class Board(NamedTuple):
    """A finished board: who met, and what each scored in all rotations together."""

    bots: tuple[BotId, ...]
    """The bots, in any order."""
    scores: tuple[float, ...]
    """The total score of each bot, in the order of ``bots``; higher is better, equal totals tie."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Boards of one number of seats, as arrays."""

    bots: IntArray
    """Boards x seats: positions in :attr:`Boards.bots`."""
    scores: FloatArray
    """Boards x seats: total scores, by seat as in ``bots``."""
    count: IntArray
    """How often each board happened just so."""

    @classmethod
    def of(cls, bots: npt.ArrayLike, scores: npt.ArrayLike, count: npt.ArrayLike | None = None) -> Self:
        """Return a block of boards x seats; without counts every board happened once.

        Raises ValueError where the shapes differ, a score is no number, a count is negative or a bot sits twice at
        a table.
        """
        bot_array = np.asarray(bots, dtype=np.intp)
        score_array = np.asarray(scores, dtype=np.float64)
        count_array = np.ones(len(bot_array), dtype=np.intp) if count is None else np.asarray(count, dtype=np.intp)
        if bot_array.ndim != 2 or bot_array.shape[1] < 2:
            raise ValueError(f"bots have the shape {bot_array.shape}: allowed is boards x seats, of 2 or more seats")
        if score_array.shape != bot_array.shape or count_array.shape != bot_array.shape[:1]:
            raise ValueError(
                f"scores have the shape {score_array.shape} and counts {count_array.shape}: "
                f"the bots' is {bot_array.shape}"
            )
        if not np.isfinite(score_array).all():
            board = int(np.argmin(np.isfinite(score_array).all(axis=1)))
            raise ValueError(
                f"board {board} has the scores {score_array[board].tolist()}: every score is a finite number"
            )
        if (count_array < 0).any():
            raise ValueError(
                f"board {int(np.argmin(count_array))} happened {int(count_array.min())} times: 0 or more are allowed"
            )
        ordered = np.sort(bot_array, axis=1)
        twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        if twice.any():
            board = int(np.argmax(twice))
            raise ValueError(f"board {board} has the bots {bot_array[board].tolist()}: each bot sits once at a table")
        return cls(bot_array, score_array, count_array)


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """All finished boards of one pool: one game, its parameters and a number of players."""

    bots: tuple[BotId, ...]
    """Every bot of the pool, those without a board too, in ascending order; numbers come before texts."""
    blocks: tuple[Block, ...]
    """The boards, in any order; blocks may have different numbers of seats."""

    def __post_init__(self) -> None:
        if self.bots != _ascending(self.bots):
            raise ValueError(f"the bots {list(self.bots)[:6]} are not in ascending order, each once")
        for block in self.blocks:
            if block.bots.size and not 0 <= block.bots.min() <= block.bots.max() < len(self.bots):
                raise ValueError(
                    f"boards have bots from {block.bots.min()} to {block.bots.max()}: "
                    f"allowed are 0 to {len(self.bots) - 1}"
                )

    @classmethod
    def of(cls, boards: Iterable[Board], bots: Iterable[BotId] = ()) -> Self:
        """Return the pool of these boards; ``bots`` adds bots that may have none.

        Raises ValueError where a board has not one score for each bot, and as :meth:`Block.of` does.
        """
        by_seats: dict[int, tuple[list[tuple[BotId, ...]], list[tuple[float, ...]]]] = {}
        known = set(bots)
        for board in boards:
            if len(board.bots) != len(board.scores):
                raise ValueError(f"a board of {list(board.bots)} has the scores {list(board.scores)}: one for each bot")
            known.update(board.bots)
            seated, scores = by_seats.setdefault(len(board.bots), ([], []))
            seated.append(board.bots)
            scores.append(board.scores)
        ascending = _ascending(known)
        place = {bot: index for index, bot in enumerate(ascending)}
        blocks = (
            Block.of([[place[bot] for bot in bots] for bots in seated], scores) for seated, scores in by_seats.values()
        )
        return cls(ascending, tuple(blocks))

    @property
    def played(self) -> IntArray:
        """The number of boards of each bot."""
        total = np.zeros(len(self.bots), dtype=np.intp)
        for block in self.blocks:
            for seated in block.bots.T:
                np.add.at(total, seated, block.count)
        return total

    def __len__(self) -> int:
        """Return the number of boards."""
        return sum(int(block.count.sum()) for block in self.blocks)


def _ascending(bots: Iterable[BotId]) -> tuple[BotId, ...]:
    return tuple(sorted(set(bots), key=lambda bot: (0, bot, "") if isinstance(bot, int) else (1, 0, bot)))
