"""``tournament replay``."""

import asyncio
import logging
import sys
from pathlib import Path

import click
import uvloop

from cardpit.games import ALL
from cardpit.games.seeds import board_seed
from cardpit.v1 import record_pb2 as pb
from referee.orders import Conduct
from referee.record import parse
from tournament.archive import open_record
from tournament.cli.completion import JAIL
from tournament.cli.options import examples, jail_by_hand, with_home, with_output
from tournament.cli.table import Column, Row, show_table, stdout
from tournament.errors import BadConfiguration, Failure
from tournament.feed import Fed, feed
from tournament.home import Home
from tournament.registry import find_player
from tournament.replay import Replay
from tournament.store.database import Store
from tournament.store.matches import find_match, find_record


def _then(row: Row) -> str:
    return f"{row['then']} ({row['substituted']}, so not its own)" if row["substituted"] else str(row["then"])


def _now(row: Row) -> str:
    return f"{row['now'] or 'no answer'}{'' if row['legal'] else ' (illegal)'}"


COLUMNS = (
    Column("decision", "decision"),
    Column("step", "step"),
    Column("then", "then", _then, right=False),
    Column("substituted", "in place of its own", shown=False),
    Column("now", "now", _now, right=False),
    Column("legal", "legal", shown=False),
    Column("same", "same", shown=False),
)


@click.command(
    name="replay",
    epilog=examples(
        "tournament replay cup/landlord/0/17/1",
        "tournament replay cup/landlord/0/17/1 --from 20 --to 30",
        "tournament replay cup/landlord/0/17/1 --feed my_bot.py --seat 1",
        "tournament replay match.pb --brief",
    ),
)
@click.argument("match")
@click.option("--from", "first", type=click.IntRange(0), default=0, help="The first step to show; 0 is the deal.")
@click.option("--to", "last", type=click.IntRange(0), help="The last step to show.")
@click.option("--seat", type=click.IntRange(0), help="Show what this seat saw; else every card.")
@click.option("--brief", is_flag=True, help="Show the actions without the table.")
@click.option("--step", is_flag=True, help="Wait for Enter after each step; q ends.")
@click.option(
    "--feed", "bot", metavar="BOT", help="Put the turns of --seat to this bot; show where it decides otherwise."
)
@click.option(
    "--jail", type=JAIL, help="With --feed: how the bot is confined; auto, or process for one at a path, if left out."
)
@with_output("With --feed: how to print. json and csv have every decision.")
@with_home
def command(
    *,
    match: str,
    first: int,
    last: int | None,
    seat: int | None,
    brief: bool,
    step: bool,
    bot: str | None,
    jail: str | None,
    output: str,
    home: Home,
) -> None:
    """Show a match, decision by decision.

    MATCH is the name of one, as tournament matches lists it, or a file that --record has written. It is played again
    from its record: what is shown is what the rules make of it.
    """
    if bot is None and output != "table":
        raise BadConfiguration(f"--format {output}: it is for --feed only")
    if bot is not None and seat is None:
        raise BadConfiguration(f"--feed {bot} needs --seat: whose turns are they?")
    try:
        record, timings, seed = _open(match, home)
        seats = len(record.header.players)
        if seat is not None and seat >= seats:
            raise BadConfiguration(f"--seat {seat}: allowed are 0 to {seats - 1}")
        if bot is not None and seat is not None:
            _feed(record, timings, seed, seat=seat, bot=bot, jail=jail, output=output, home=home)
        else:
            _show(Replay(record, timings, seed, ALL if seat is None else seat), first, last, brief=brief, step=step)
    except ValueError as error:
        raise Failure(f"match {match}: its record is damaged: {error}") from None


def _open(match: str, home: Home) -> tuple[pb.Record, pb.Timings, bytes]:
    """Return a record, its timings and the seed of its board."""
    file = Path(match)
    if file.is_file():
        record = parse(file.read_bytes())
        return record, pb.Timings(), record.header.seed
    with Store.open(home) as store:
        tournament, pool, found = find_match(store, match)
        stored = find_record(store, found)
    record, timings = open_record(stored.record, stored.timings)
    return record, timings, board_seed(tournament.seed, pool.game, found.board)


def _show(replay: Replay, first: int, last: int | None, *, brief: bool, step: bool) -> None:
    end = replay.length if last is None else min(last, replay.length)
    console = stdout()
    for line in replay.head():
        console.print(line)
    for lines in replay.steps(first, end, brief):
        for line in lines:
            console.print(line)
        if step and sys.stdin.readline().strip() == "q":
            return
    if end == replay.length:
        for line in replay.result():
            console.print(line)


def _feed(
    record: pb.Record,
    timings: pb.Timings,
    seed: bytes,
    *,
    seat: int,
    bot: str,
    jail: str | None,
    output: str,
    home: Home,
) -> None:
    player = find_player(bot, home, record.header.game)
    conduct = Conduct(jail=jail_by_hand([player], jail))
    logging.getLogger("referee").setLevel(logging.ERROR)

    async def run() -> list[Fed]:
        return [fed async for fed in feed(record, timings, seed, seat, player, conduct)]

    try:
        decisions = uvloop.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    shown = [fed for fed in decisions if output != "table" or not fed.same]
    rows: list[Row] = [
        {key: getattr(fed, key) for key in ("decision", "step", "then", "substituted", "now", "legal", "same")}
        for fed in shown
    ]
    if rows or output != "table":
        show_table(COLUMNS, rows, output)
    if output == "table":
        agree = sum(fed.same for fed in decisions)
        stdout().print(
            f"{player.label} in seat {seat}: of {len(decisions)} decisions {agree} are the same, "
            f"{len(decisions) - agree} are not",
            markup=False,
        )
