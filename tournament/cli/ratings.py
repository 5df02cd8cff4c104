"""``tournament ratings``."""

from collections.abc import Mapping, Sequence

import click
from rich.text import Text

from tournament.cli.combined import show_combined
from tournament.cli.completion import GAME, TOURNAMENT
from tournament.cli.options import examples, pools_of, with_format, with_home
from tournament.cli.seats import show_by_seat
from tournament.cli.selection import find_selection, with_selection
from tournament.cli.table import Column, Row, show_table, stdout, table_lines
from tournament.errors import BadConfiguration
from tournament.home import Home
from tournament.plan import odds_lines
from tournament.ratings import BETA
from tournament.run.bench import count_left_out
from tournament.run.sittings import intervals_hold, matches_of, schedule_so_far
from tournament.schedule import WARNING
from tournament.selection import EVERYTHING, Selection
from tournament.sequential import SequentialTest, test_line
from tournament.standings import FEW_BOARDS, Standing, TableOfPool, table_of
from tournament.store.database import Store
from tournament.store.ends import Place, benched
from tournament.store.matches import count_matches, match_name
from tournament.store.tournaments import StoredPool, StoredTournament, find_tournament

LIVE_ROWS = 10
"""Rows of each table that are shown while a tournament is played."""

PERCENT = 100

BENCHED = " †"
"""The sign of a bot that is benched."""


def _probability(value: object) -> str:
    """Return a probability without the zero before its point."""
    if not isinstance(value, float):
        return ""
    return "1.0" if value > 0.995 else f"{value:.2f}".lstrip("0")


def _alarm(key: str) -> "Column":
    """Return a column of faults: with a sign and a colour where there are some."""
    titles = {"timeouts": "T/O", "errors": "err"}
    return Column(
        key,
        titles[key],
        lambda row: f"!{row[key]}" if row[key] else "0",
        style=lambda row: "bold red" if row[key] else "",
    )


def _uncertain(row: Row) -> bool:
    boards = row["boards"]
    return isinstance(boards, int) and boards < FEW_BOARDS


def _interval(row: Row) -> str:
    interval = row["rank_interval"]
    assert isinstance(interval, list), "an interval has two ends"
    low, high = interval
    return f"{low}" if low == high else f"{low}-{high}"


COLUMNS = (
    Column("game", "game", right=False, shown=False),
    Column("rank", "#"),
    Column("rank_interval", "95% rank", _interval, right=False),
    Column("bot", "bot", lambda row: f"{row['bot']} {row['version']}{BENCHED if row['benched'] else ''}", right=False),
    Column("version", "version", shown=False),
    Column("mu", "rating", lambda row: f"{row['mu']:.2f}{'?' if _uncertain(row) else ''}"),
    Column("half_width", "±", lambda row: f"{row['half_width']:.2f}"),
    Column("next_better", ">next", lambda row: _probability(row["next_better"])),
    Column("win_percent_against_average", "win% v avg", lambda row: f"{row['win_percent_against_average']:.0f} %"),
    Column("score_percent", "score%", lambda row: f"{row['score_percent']:.1f}"),
    Column("boards", "boards"),
    Column("record", "W-D-L", lambda row: f"{row['wins']}-{row['draws']}-{row['losses']}"),
    _alarm("timeouts"),
    _alarm("errors"),
    Column("group", "same", right=False),
    Column("benched", "benched", shown=False),
    Column("intervals_hold", "intervals hold", shown=False),
    Column("wins", "wins", shown=False),
    Column("draws", "draws", shown=False),
    Column("losses", "losses", shown=False),
    Column("matches", "matches", wide=True),
    Column("payoff", "payoff", lambda row: f"{row['payoff']:.2f}", wide=True),
    Column("margin", "margin", lambda row: f"{row['margin']:.2f}", wide=True),
    Column("sigma", "sigma", lambda row: f"{row['sigma']:.2f}", wide=True),
    Column("conservative", "mu-3sigma", lambda row: f"{row['conservative']:.2f}", wide=True),
)


@click.command(
    name="ratings",
    epilog=examples(
        "tournament ratings cup",
        "tournament ratings cup --game spit --format json",
        "tournament ratings cup --wide",
        "tournament ratings cup --combined",
        "tournament ratings cup --since 2026-05-01 --exclude broken@2",
    ),
)
@click.argument("tournament", type=TOURNAMENT)
@click.option("--game", type=GAME, help="Only the table of this game.")
@click.option("--combined", is_flag=True, help="One table over all games, of standardised ratings.")
@click.option("--by-seat", is_flag=True, help="The mean payoff of each bot in each seat.")
@with_selection
@with_format
@with_home
def command(
    *,
    tournament: str,
    game: str | None,
    combined: bool,
    by_seat: bool,
    since: str | None,
    exclude: tuple[str, ...],
    output: str,
    wide: bool,
    home: Home,
) -> None:
    """Show the ratings of a tournament: one table for each game, from the boards that are finished.

    # is the rank, with the ranks that cannot be excluded at 95 %; ± is 1.96 sigma; >next is the probability of being
    better than the row below; ? marks a rating from fewer than 10 boards. T/O counts late answers, err illegal ones and
    crashes. Rows with the same letter cannot be told apart. † marks a bot that is benched.
    """
    if by_seat and (combined or since or exclude):
        raise BadConfiguration("--by-seat with --combined, --since or --exclude: it stands alone")
    with Store.open(home) as store:
        found = find_tournament(store, tournament)
        pools = pools_of(found, game)
        if by_seat:
            show_by_seat(store, found, pools, output, wide)
            return
        selection = find_selection(found, pools, since, exclude)
        if combined:
            show_combined(store, found, pools, selection, output, wide)
        else:
            show_ratings(store, found, pools, output, wide, selection)


def show_ratings(
    store: Store,
    tournament: StoredTournament,
    pools: Sequence[StoredPool],
    output: str = "table",
    wide: bool = False,
    selection: Selection = EVERYTHING,
) -> None:
    """Print the tables of some pools."""
    if output != "table":
        show_table(COLUMNS, rating_rows(store, pools, selection), output)
        return
    console = stdout()
    for number, table in enumerate(selection.table(store, pool) for pool in pools):
        if number:
            console.print()
        heading = " · ".join([caption(store, tournament, table), *selection.words])
        console.print(heading, style="bold", markup=False)
        out = benched(store, table.pool)
        show_table(COLUMNS, [_row(table, standing, out) for standing in table.rows], output, wide)
        for line in feet(store, tournament, table.pool, out):
            console.print(line, style="dim", markup=False)


def rating_rows(store: Store, pools: Sequence[StoredPool], selection: Selection = EVERYTHING) -> list[Row]:
    """Return the rows of some pools' tables, each with a value for every column."""
    rows = []
    for pool in pools:
        table, out = selection.table(store, pool), benched(store, pool)
        rows += [_row(table, standing, out) for standing in table.rows]
    return rows


def caption(store: Store, tournament: StoredTournament, table: TableOfPool) -> str:
    """Return the line above a table."""
    pool = table.pool
    boards = matches_of(tournament, pool) // pool.seats
    played = count_matches(store, pool)
    warning = "" if intervals_hold(pool) else f"{WARNING} · "
    return (
        f"{pool.game} · tournament {tournament.name} · {table.boards}/{boards} boards ({played} matches) · {warning}"
        f"TrueSkill, order-free, beta {BETA:.2f}, tau 0, ties {PERCENT * table.draw_probability:.0f} %"
    )


def feet(store: Store, tournament: StoredTournament, pool: StoredPool, benchings: Mapping[int, Place]) -> list[str]:
    """Return the lines below a table."""
    test = SequentialTest.of(store, tournament, pool)
    lines = odds_lines(tournament, pool) + ([test_line(test, pool)] if test is not None else [])
    lines += schedule_so_far(store, tournament, pool).account(pool.labels)
    for entrant, place in benchings.items():
        version = pool.versions[entrant]
        match = match_name(tournament, pool, place.pairing, place.board, place.room)
        lines.append(
            f"† {pool.labels[entrant]} is benched after {tournament.configuration.bench_after} faults in a row, the "
            f"last in {match}: tournament bots --unbench {version.name}@{version.version} lets it play again"
        )
    if count := count_left_out(tournament, pool, benchings):
        lines.append(f"† {count} matches of benched bots are not played")
    return lines


def _row(table: TableOfPool, standing: Standing, benchings: Mapping[int, Place]) -> Row:
    rating = standing.rating
    return {
        "game": table.pool.game,
        "rank": standing.rank,
        "rank_interval": [standing.low_rank, standing.high_rank],
        "bot": standing.bot,
        "version": standing.version,
        "mu": rating.mu,
        "half_width": rating.half_width,
        "next_better": standing.next_better,
        "win_percent_against_average": PERCENT * standing.average_win,
        "score_percent": standing.score_percent,
        "boards": standing.boards,
        "record": f"{standing.wins}-{standing.draws}-{standing.losses}",
        "timeouts": standing.timeouts,
        "errors": standing.errors,
        "group": standing.group,
        "benched": standing.entrant in benchings,
        "intervals_hold": intervals_hold(table.pool),
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "matches": standing.matches,
        "payoff": standing.payoff,
        "margin": standing.margin,
        "sigma": rating.sigma,
        "conservative": rating.conservative,
    }


def live_lines(store: Store, tournament: StoredTournament, width: int) -> list[Text]:
    """Return the top of each table that has a board, as lines of that width at most."""
    lines: list[Text] = []
    shown = [column for column in COLUMNS if column.shown and not column.wide]
    for table in (table_of(store, pool) for pool in tournament.pools):
        if table.boards:
            lines.append(Text(caption(store, tournament, table)[:width], "bold"))
            out = benched(store, table.pool)
            lines += table_lines(shown, [_row(table, s, out) for s in table.rows[:LIVE_ROWS]], width)
    return lines
