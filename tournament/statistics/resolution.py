"""What a plan will resolve, said before it is played."""

import math

from tournament.ratings import BETA, NORMAL_95, SIGMA
from tournament.statistics.student import normal_probability

SIGMA_OF_A_BOARD = {2: 7.4, 3: 6.1, 4: 5.6, 5: 5.3, 6: 5.1}
"""By number of players, what sigma is times the root of a bot's boards, for bots of about equal skill.

Measured with the platform's own ratings; sigma is up to a fifth larger where skills differ much. A board of more
players compares a bot with more others at once.
"""
_EDGES = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9)


def expected_sigma(players: int, boards: int) -> float:
    """Return the sigma that a rating will have after so many boards of the bot. Raises ValueError for other players."""
    if players not in SIGMA_OF_A_BOARD:
        raise ValueError(f"{players} players: allowed are {', '.join(map(str, SIGMA_OF_A_BOARD))}")
    return 1 / math.sqrt(SIGMA**-2 + boards / SIGMA_OF_A_BOARD[players] ** 2)


def resolved_edge(players: int, boards: int) -> float:
    """Return the least share of boards that a bot wins against another whose ratings then differ at 95 %."""
    return normal_probability(NORMAL_95 * expected_sigma(players, boards) / BETA)


def resolution(players: int, boards: int) -> str:
    """Return a sentence without a full stop on what so many boards of each bot will resolve."""
    sigma, edge = expected_sigma(players, boards), resolved_edge(players, boards)
    missed = max((each for each in _EDGES if each < edge), default=None)
    said = f"{boards} boards of each bot: ratings to within +-{NORMAL_95 * sigma:.1f}; "
    if edge > 0.995:
        return said + "no edge will be resolved"
    percent = math.ceil(100 * edge)
    if missed is None:
        return said + f"an edge of {percent} % of boards will be resolved"
    return said + f"an edge of {percent} % of boards will be resolved, one of {100 * missed:.0f} % will not"
