"""``tournament replay``."""

import sys

import click

from cardpit.games import ALL
from cardpit.games.seeds import board_seed
from tournament.archive import open_record
from tournament.cli.options import examples, with_home
from tournament.cli.table import stdout
from tournament.errors import BadConfiguration, Failure
from tournament.home import Home
from tournament.replay import Replay
from tournament.store.database import Store
from tournament.store.matches import find_match, find_record


@click.command(
    name="replay",
    epilog=examples(
        "tournament replay cup/landlord/0/17/1",
        "tournament replay cup/landlord/0/17/1 --from 20 --to 30",
        "tournament replay cup/spit/0/3/0 --brief",
    ),
)
@click.argument("match")
@click.option("--from", "first", type=click.IntRange(0), default=0, help="The first step to show; 0 is the deal.")
@click.option("--to", "last", type=click.IntRange(0), help="The last step to show.")
@click.option("--seat", type=click.IntRange(0), help="Show what this seat saw; else every card.")
@click.option("--brief", is_flag=True, help="Show the actions without the table.")
@click.option("--step", is_flag=True, help="Wait for Enter after each step; q ends.")
@with_home
def command(*, match: str, first: int, last: int | None, seat: int | None, brief: bool, step: bool, home: Home) -> None:
    """Show a match, decision by decision.

    The match is played again from its record: what is shown is what the rules make of it.
    """
    with Store.open(home) as store:
        tournament, pool, found = find_match(store, match)
        stored = find_record(store, found)
        if seat is not None and seat >= pool.seats:
            raise BadConfiguration(f"--seat {seat}: allowed are 0 to {pool.seats - 1}")
    try:
        record, timings = open_record(stored.record, stored.timings)
        seed = board_seed(tournament.seed, pool.game, found.board)
        replay = Replay(record, timings, seed, ALL if seat is None else seat)
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
    except ValueError as error:
        raise Failure(f"match {match}: its record is damaged: {error}") from None
