"""``tournament ratings --combined``: one table over all games."""

from collections.abc import Callable, Sequence

from tournament.cli.table import Column, Row, show_table, stdout
from tournament.combined import combine
from tournament.selection import Selection
from tournament.store.database import Store
from tournament.store.tournaments import StoredPool, StoredTournament


def show_combined(
    store: Store,
    tournament: StoredTournament,
    pools: Sequence[StoredPool],
    selection: Selection,
    output: str,
    wide: bool,
) -> None:
    """Print the combined table."""
    games = [pool.game for pool in pools]
    rows: list[Row] = [
        {
            "rank": row.rank,
            "bot": row.bot,
            "version": row.version,
            "mean": row.mean,
            **{f"rating_{game}": mu for game, mu in zip(games, row.ratings, strict=True)},
            **{f"standardised_{game}": value for game, value in zip(games, row.standardised, strict=True)},
        }
        for row in combine([selection.table(store, pool) for pool in pools])
    ]
    columns = [
        Column("rank", "#"),
        Column("bot", "bot", lambda row: f"{row['bot']} {row['version']}", right=False),
        Column("version", "version", shown=False),
        Column("mean", "mean of standardised", _number("mean", "+.2f")),
        *(Column(f"rating_{game}", game, _number(f"rating_{game}", ".2f")) for game in games),
        *(
            Column(f"standardised_{game}", f"{game} std", _number(f"standardised_{game}", "+.2f"), wide=True)
            for game in games
        ),
    ]
    if output == "table":
        told = "".join(f" · {phrase}" for phrase in selection.words)
        heading = f"combined · tournament {tournament.name} · mean of standardised ratings{told}"
        stdout().print(heading, style="bold", markup=False)
    show_table(columns, rows, output, wide)
    if output == "table":
        stdout().print(
            "0 is the average of the bots of a game, 1 is a standard deviation of their ratings above it; "
            "ratings of different games do not compare",
            style="dim",
        )


def _number(key: str, form: str) -> Callable[[Row], str]:
    """Return what shows a number; nothing where a bot does not play the game."""

    def text(row: Row) -> str:
        value = row[key]
        return format(value, form) if isinstance(value, float) else ""

    return text
