"""The faults of a tournament in short: who was at fault how often, and where to read more."""

from collections.abc import Iterator

from rich.console import Console

from tournament.cli.table import Column, Row, table_lines, width_limit
from tournament.store.database import Store
from tournament.store.ends import fault_kinds
from tournament.store.tournaments import StoredTournament

MOST_ROWS = 12

COLUMNS = (
    Column("game", "game", right=False),
    Column("bot", "at fault", right=False),
    Column("matches", "matches"),
    Column("kinds", "by", right=False, style=lambda _: "red"),
)


def show_faults(console: Console, store: Store, tournament: StoredTournament) -> None:
    """Print in how many matches each bot was at fault, by what, the most frequent first; nothing without faults."""
    rows = sorted(_rows(store, tournament), key=lambda row: -int(str(row["matches"])))
    if not rows:
        return
    columns = COLUMNS if len(tournament.pools) > 1 else COLUMNS[1:]
    for line in table_lines(columns, rows[:MOST_ROWS], width_limit(console)):
        console.print(line)
    if len(rows) > MOST_ROWS:
        console.print(f"and {len(rows) - MOST_ROWS} more")
    example = str(rows[0]["bot"]).replace(" ", "@")
    console.print(f"why, with the last turn and the output: tournament logs {tournament.name} --bot {example}")


def _rows(store: Store, tournament: StoredTournament) -> Iterator[Row]:
    for pool in tournament.pools:
        for entrant, kinds in sorted(fault_kinds(store, pool).items()):
            often = sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))
            yield {
                "game": pool.game,
                "bot": pool.labels[entrant],
                "matches": sum(kinds.values()),
                "kinds": ", ".join(f"{termination} {count}" for termination, count in often),
            }
