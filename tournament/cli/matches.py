"""``tournament matches``."""

from collections.abc import Sequence

import click

from tournament.cli.completion import BOT, GAME, TOURNAMENT
from tournament.cli.options import entrants_named, examples, pools_of, with_format, with_home
from tournament.cli.table import Column, Row, joined, show_table, stderr
from tournament.errors import BadConfiguration
from tournament.home import Home
from tournament.lag import is_lagged, limit_of
from tournament.store.database import Store
from tournament.store.matches import MatchRow, list_matches, match_name
from tournament.store.tournaments import StoredPool, StoredTournament, find_tournament
from tournament.store.voids import list_voided

COLUMNS = (
    Column("match", "match", right=False),
    Column("bots", "bots by seat", joined("bots", " v "), right=False),
    Column("payoffs", "payoffs", joined("payoffs", " : ", "g"), right=False),
    Column("termination", "end", right=False, style=lambda row: "" if row["termination"] == "normal" else "red"),
    Column("at_fault", "at fault", right=False, style=lambda _: "red"),
    Column("strikes", "strikes", joined("strikes", " : "), right=False),
    Column("decisions", "decisions"),
    Column("lagged", "lag", lambda row: "marked" if row["lagged"] else "", right=False, style=lambda _: "yellow"),
    Column("places", "places", joined("places", " : "), right=False, wide=True),
    Column("margins", "margins", joined("margins", " : "), right=False, wide=True),
    Column("used_times", "used s", joined("used_times", " : ", ".2f"), right=False, wide=True),
    Column("lag_time", "lag ms", lambda row: f"{float(str(row['lag_time'])) * 1000:.1f}", wide=True),
)

VOIDED_COLUMNS = (
    Column("match", "match", right=False),
    Column("payoffs", "payoffs", joined("payoffs", " : ", "g"), right=False),
    Column("termination", "end", right=False),
    Column("voided_at", "voided", lambda row: str(row["voided_at"])[:16].replace("T", " "), right=False),
    Column("why", "why", right=False),
    Column("record_hash", "record", lambda row: str(row["record_hash"])[:12], right=False, wide=True),
)


@click.command(
    name="matches",
    epilog=examples(
        "tournament matches cup --bot random --faults",
        "tournament matches cup --game landlord --board 17",
        "tournament matches cup --voided",
        "tournament replay cup/landlord/0/17/1",
    ),
)
@click.argument("tournament", type=TOURNAMENT)
@click.option("--game", type=GAME, help="Only this game.")
@click.option("--bot", type=BOT, help="Only matches of this bot: name, or name@version.")
@click.option("--board", type=click.IntRange(0), help="Only matches on this board.")
@click.option("--faults", is_flag=True, help="Only matches with a verdict.")
@click.option("--lagged", is_flag=True, help="Only matches in which the referee itself was late.")
@click.option("--voided", is_flag=True, help="The results that were taken out, each with the reason.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many to list.")
@click.option("--page", type=click.IntRange(1), default=1, show_default=True, help="Which of the pages of that size.")
@with_format
@with_home
def command(
    *,
    tournament: str,
    game: str | None,
    bot: str | None,
    board: int | None,
    faults: bool,
    lagged: bool,
    voided: bool,
    limit: int,
    page: int,
    output: str,
    wide: bool,
    home: Home,
) -> None:
    """List the matches of a tournament that have been played.

    A match is named tournament/game/pairing/board/room. The rooms of a board are its rotations: the same cards with
    the bots in other seats. "marked" under lag: the referee itself was later than a quarter of the move time; nobody
    was charged for it.
    """
    with Store.open(home) as store:
        found = find_tournament(store, tournament)
        pools = pools_of(found, game)
        if voided:
            for option, given in (
                ("--bot", bot),
                ("--board", board),
                ("--faults", faults or None),
                ("--lagged", lagged or None),
            ):
                if given is not None:
                    raise BadConfiguration(f"--voided with {option}: --game, --limit and --page are allowed")
            _show_voided(store, found, pools, (page - 1) * limit, limit, output, wide)
            return
        wanted = entrants_named(found, pools, bot) if bot is not None else {}
        rows: list[Row] = []
        skip = (page - 1) * limit
        for pool in pools:
            if bot is not None and not wanted[pool.id]:
                continue
            # One row more than is shown tells whether there is another page.
            left = limit + 1 - len(rows)
            matches = list_matches(
                store,
                pool,
                entrants=wanted.get(pool.id, ()),
                board=board,
                faults=faults,
                lag_above=limit_of(found, pool) if lagged else None,
                limit=skip + left,
            )
            rows += [_row(found, pool, match) for match in matches[skip:]]
            skip = max(0, skip - len(matches))
            if len(rows) > limit:
                break
    show_table(COLUMNS, rows[:limit], output, wide)
    if not rows:
        stderr().print("no such matches have been played", markup=False)
    elif len(rows) > limit:
        stderr().print(f"there are more: --page {page + 1}", markup=False)


def _show_voided(
    store: Store,
    tournament: StoredTournament,
    pools: Sequence[StoredPool],
    skip: int,
    limit: int,
    output: str,
    wide: bool,
) -> None:
    rows: list[Row] = [
        {
            "match": match_name(tournament, pool, row.pairing, row.board, row.room),
            "payoffs": row.payoffs,
            "termination": row.termination,
            "voided_at": row.voided_at,
            "why": row.why,
            "record_hash": row.record_hash.hex(),
        }
        for pool in pools
        for row in list_voided(store, pool)
    ]
    show_table(VOIDED_COLUMNS, rows[skip : skip + limit], output, wide)
    if not rows:
        stderr().print("no results have been taken out", markup=False)
    elif len(rows) > skip + limit:
        stderr().print(f"there are more: --page {skip // limit + 2}", markup=False)


def _row(tournament: StoredTournament, pool: StoredPool, match: MatchRow) -> Row:
    return {
        "match": match.name(tournament, pool),
        "bots": [pool.labels[seat.entrant] for seat in match.seats],
        "payoffs": [seat.payoff for seat in match.seats],
        "termination": match.termination,
        "at_fault": [pool.labels[seat.entrant] for seat in match.seats if seat.termination != "normal"],
        "strikes": [seat.strikes for seat in match.seats],
        "decisions": match.decisions,
        "places": [seat.place for seat in match.seats],
        "margins": [seat.margin for seat in match.seats],
        "used_times": [seat.used_time for seat in match.seats],
        "lag_time": match.lag_time,
        "lagged": is_lagged(tournament, pool, match),
    }
