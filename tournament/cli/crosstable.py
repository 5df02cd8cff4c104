"""``tournament crosstable``."""

import click

from tournament.cli.completion import BOT, GAME, TOURNAMENT
from tournament.cli.head_to_head import show_head_to_head
from tournament.cli.options import examples, pools_of, with_format, with_home
from tournament.cli.selection import find_selection, with_selection
from tournament.cli.table import Column, Row, show_table, stdout, width_limit
from tournament.crosstable import Crosstable, Encounter, cross
from tournament.errors import BadConfiguration
from tournament.home import Home
from tournament.selection import Selection
from tournament.standings import TableOfPool, make_table
from tournament.statistics import signs_by_chance
from tournament.store.database import Store
from tournament.store.tournaments import StoredPool, find_tournament

PAIR_COLUMNS = tuple(
    Column(key, key) for key in ("game", "bot", "opponent", "boards", "score_percent", "difference", "better", "sign")
)

DEFAULT_WIDTH = 110
"""Columns of text where there is no terminal to ask."""

STYLES = {"+": "green", "-": "red"}


@click.command(
    name="crosstable",
    epilog=examples(
        "tournament crosstable cup",
        "tournament crosstable cup greedy first@2",
        "tournament crosstable cup --format csv",
    ),
)
@click.argument("tournament", type=TOURNAMENT)
@click.argument("bots", nargs=-1, metavar="[BOT BOT]", type=BOT)
@click.option("--game", type=GAME, help="Only this game.")
@with_selection
@with_format
@with_home
def command(
    *,
    tournament: str,
    bots: tuple[str, ...],
    game: str | None,
    since: str | None,
    exclude: tuple[str, ...],
    output: str,
    wide: bool,
    home: Home,
) -> None:
    """Show who scored how much against whom, the best first; with two bots, those head to head.

    A cell is the share of matches in which the row finished ahead of the column, ties half, in percent; + or - says
    that the scores on the boards differ at 95 %. JSON and CSV have one object or line for each pair.
    """
    if len(bots) not in (0, 2):
        raise BadConfiguration(f"{' '.join(bots)}: two bots are allowed, or none for the whole table")
    with Store.open(home) as store:
        found = find_tournament(store, tournament)
        pools = pools_of(found, game)
        selection = find_selection(found, pools, since, exclude)
        if bots:
            show_head_to_head(store, found, pools, (bots[0], bots[1]), selection, output, wide)
            return
        pairs: list[Row] = []
        for number, pool in enumerate(pools):
            scores = selection.scores(store, pool)
            table, crosstable = make_table(pool, scores, selection.left_out(pool)), cross(scores)
            if output == "table":
                if number:
                    stdout().print()
                _show(pool, table, crosstable, selection, wide)
            else:
                pairs += _pairs(pool, table, crosstable)
    if output != "table":
        show_table(PAIR_COLUMNS, pairs, output)


def _pairs(pool: StoredPool, table: TableOfPool, crosstable: Crosstable) -> list[Row]:
    rows: list[Row] = []
    for own in table.rows:
        for other in table.rows:
            met = crosstable.encounter(own.entrant, other.entrant) if own is not other else None
            if met is not None:
                rows.append(
                    {
                        "game": pool.game,
                        "bot": pool.labels[own.entrant],
                        "opponent": pool.labels[other.entrant],
                        "boards": met.boards,
                        "score_percent": met.score_percent,
                        "difference": met.difference,
                        "better": met.better,
                        "sign": met.sign,
                    }
                )
    return rows


def _show(pool: StoredPool, table: TableOfPool, crosstable: Crosstable, selection: Selection, wide: bool) -> None:
    console = stdout()
    labels = [pool.labels[row.entrant] for row in table.rows]
    names = max(len(label) for label in labels)
    room = (width_limit(console) or DEFAULT_WIDTH) - names - 6
    fitting = len(labels) if wide else max(1, min(len(labels), room // 7))
    top = table.rows[:fitting]
    cells: dict[tuple[int, int], Encounter | None] = {
        (own.entrant, other.entrant): crosstable.encounter(own.entrant, other.entrant)
        for own in top
        for other in top
        if own is not other
    }

    def column(other: int, rank: int) -> Column:
        def key(row: Row) -> tuple[int, int]:
            return (int(str(row["entrant"])), other)

        def text(row: Row) -> str:
            met = cells.get(key(row))
            return ("·" if key(row)[0] == other else "") if met is None else f"{met.score_percent:.0f}{met.sign or ' '}"

        def style(row: Row) -> str:
            met = cells.get(key(row))
            return STYLES.get(met.sign, "") if met is not None else ""

        return Column("", f"{rank} ", text, style=style)

    columns = [
        Column("rank", "#"),
        Column("bot", "bot", right=False),
        *(column(other.entrant, other.rank) for other in top),
    ]
    rows: list[Row] = [{"rank": own.rank, "bot": pool.labels[own.entrant], "entrant": own.entrant} for own in top]
    heading = [f"{pool.game} · score % of the row against the column · {table.boards} boards", *selection.words]
    console.print(" · ".join(heading), style="bold", markup=False)
    show_table(columns, rows, "table", wide)
    met = [cell for pair, cell in cells.items() if cell is not None and pair[0] < pair[1]]
    if met:
        chance = signs_by_chance(len(met))
        signed = sum(bool(cell.sign) for cell in met)
        console.print(f"{signed} of {len(met)} pairs differ at 95 %; by chance alone {chance:.1f} would", style="dim")
    if fitting < len(labels):
        console.print(f"the top {fitting} of {len(labels)}: --wide or --format csv shows all", style="dim")
