"""``tournament list``."""

import click

from tournament.cli.options import examples, with_format, with_home
from tournament.cli.table import Column, Row, show_table, stderr
from tournament.home import Home
from tournament.run.bench import planned_matches
from tournament.store.database import Store
from tournament.store.matches import count_matches
from tournament.store.tournaments import all_tournaments, find_tournament

COLUMNS = (
    Column("tournament", "tournament", right=False),
    Column("state", "state", right=False),
    Column("games", "games", right=False),
    Column("bots", "bots"),
    Column("played", "played"),
    Column("matches", "of matches"),
    Column("created_at", "begun", lambda row: str(row["created_at"])[:16].replace("T", " "), right=False),
    Column("commitment", "commitment", right=False, wide=True),
)


@click.command(name="list", epilog=examples("tournament list"))
@with_format
@with_home
def command(output: str, wide: bool, home: Home) -> None:
    """List the tournaments, newest first."""
    rows: list[Row] = []
    if Store.exists(home):
        with Store.open(home) as store:
            for row in all_tournaments(store):
                tournament = find_tournament(store, row.name)
                rows.append(
                    {
                        "tournament": row.name,
                        "state": "finished" if tournament.finished else "unfinished",
                        "games": [pool.game for pool in tournament.pools],
                        "bots": len({version.id for pool in tournament.pools for version in pool.versions}),
                        "played": sum(count_matches(store, pool) for pool in tournament.pools),
                        "matches": sum(planned_matches(store, tournament, pool) for pool in tournament.pools),
                        "created_at": f"{row.created_at:%Y-%m-%dT%H:%M:%SZ}",
                        "commitment": row.commitment,
                    }
                )
    show_table(COLUMNS, rows, output, wide)
    if not rows:
        stderr().print(f"no tournaments yet in {home.folder}: begin one with tournament run", markup=False)
