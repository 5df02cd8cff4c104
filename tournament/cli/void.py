"""``tournament void``."""

import click

from tournament.cli.options import examples, with_home
from tournament.cli.table import stderr, stdout
from tournament.errors import BadConfiguration
from tournament.home import Home
from tournament.run.sittings import schedule_so_far
from tournament.store.boards import last_pairing
from tournament.store.database import Store
from tournament.store.matches import find_match
from tournament.store.voids import void_matches


@click.command(
    name="void",
    epilog=examples('tournament void cup/landlord/0/17/1 --why "the machine was asleep"', "tournament run --name cup"),
)
@click.argument("match")
@click.option("--why", required=True, help="The reason, which is kept and shown with it.")
@with_home
def command(*, match: str, why: str, home: Home) -> None:
    """Take the result of a match out, so that tournament run plays the match again.

    The result and its record are kept apart with the reason; tournament matches NAME --voided lists them.
    """
    if not why.strip():
        raise BadConfiguration(f"--why {why!r}: a reason is wanted")
    with Store.open(home) as store:
        tournament, _, _ = find_match(store, match)
        with store.locked(tournament.name):
            # It may have changed before the lock was held.
            tournament, pool, found = find_match(store, match)
            first = schedule_so_far(store, tournament, pool).first_resting_on(found.pairing)
            if last_pairing(store, pool) >= first:
                raise BadConfiguration(
                    f"{match}: who meets in pairing {first} follows from it, and that has been played: "
                    f"in {pool.configuration.schedule} only what nothing rests on can be voided"
                )
            void_matches(store, tournament, pool, [found], why.strip())
    stdout().print(f"voided {match}", markup=False)
    console = stderr()
    console.print(f"play it again with: tournament run --name {tournament.name}", markup=False)
    if tournament.finished:
        console.print(
            f"the seed of {tournament.name} has been revealed: its bots could know the cards of what is played now",
            markup=False,
        )
