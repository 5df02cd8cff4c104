"""``tournament crosstable NAME A B``: two bots against each other, in each game in which they met."""

import math
from collections.abc import Callable, Sequence

from tournament.cli.options import entrants_named
from tournament.cli.table import Column, Row, show_table, stdout
from tournament.scores import Scores
from tournament.selection import Selection
from tournament.statistics import compare
from tournament.store.database import Store
from tournament.store.tournaments import StoredPool, StoredTournament


def _rounded(key: str, form: str = ".2f") -> Callable[[Row], str]:
    return lambda row: f"{row[key]:{form}}" if isinstance(row[key], float) else ""


COLUMNS = (
    Column("game", "game", right=False),
    Column("bot", "bot", right=False),
    Column("opponent", "opponent", right=False),
    Column("boards", "boards"),
    Column("record", "W-D-L", lambda row: f"{row['wins']}-{row['draws']}-{row['losses']}"),
    Column("wins", "wins", shown=False),
    Column("draws", "draws", shown=False),
    Column("losses", "losses", shown=False),
    Column("score_percent", "score%", _rounded("score_percent", ".1f")),
    Column("difference", "difference", _rounded("difference", "+.2f")),
    Column("low", "95% from", _rounded("low", "+.2f")),
    Column("high", "to", _rounded("high", "+.2f")),
    Column("better", "P(better)", _rounded("better")),
    Column("sign", "sign"),
)


def show_head_to_head(
    store: Store,
    tournament: StoredTournament,
    pools: Sequence[StoredPool],
    bots: tuple[str, str],
    selection: Selection,
    output: str,
    wide: bool,
) -> None:
    """Print what one bot did against another; a bot named without version stands for each of its versions."""
    first, second = (entrants_named(tournament, pools, bot) for bot in bots)
    rows: list[Row] = []
    for pool in pools:
        scores = selection.scores(store, pool)
        pairs = [(own, other) for own in first[pool.id] for other in second[pool.id] if own != other]
        rows += [row for own, other in pairs if (row := _row(pool, scores, own, other)) is not None]
    if output == "table":
        told = "".join(f" · {phrase}" for phrase in selection.words)
        heading = f"tournament {tournament.name} · score differences on the boards where both were{told}"
        stdout().print(heading, style="bold", markup=False)
    show_table(COLUMNS, rows, output, wide)
    if output == "table" and not rows:
        stdout().print(f"{bots[0]} and {bots[1]} have not met", style="dim", markup=False)


def _row(pool: StoredPool, scores: Scores, own: int, other: int) -> Row | None:
    """Return a bot's results against another; None where they have not met."""
    differences: list[float] = []
    ahead = 0.0
    for board in scores.boards:
        entrants = board["entrant"].tolist()
        if own in entrants and other in entrants:
            place, opposite = entrants.index(own), entrants.index(other)
            differences.append(float(board["score"][place] - board["score"][opposite]))
            ahead += float(board["ahead"][place, opposite])
    if not differences:
        return None
    found = compare(differences)
    return {
        "game": pool.game,
        "bot": pool.labels[own],
        "opponent": pool.labels[other],
        "boards": found.boards,
        "record": f"{sum(d > 0 for d in differences)}-{differences.count(0)}-{sum(d < 0 for d in differences)}",
        "wins": sum(d > 0 for d in differences),
        "draws": differences.count(0),
        "losses": sum(d < 0 for d in differences),
        "score_percent": 100 * ahead / (found.boards * pool.seats),
        "difference": found.mean,
        "low": found.low if math.isfinite(found.low) else None,
        "high": found.high if math.isfinite(found.high) else None,
        "better": found.better,
        "sign": found.sign,
    }
