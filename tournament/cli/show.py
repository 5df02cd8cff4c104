"""``tournament show``."""

import json

import click

from tournament.cli.completion import TOURNAMENT
from tournament.cli.options import examples, with_home
from tournament.cli.table import stderr
from tournament.home import Home
from tournament.settings import settings_text
from tournament.store.database import Store
from tournament.store.tournaments import find_tournament


@click.command(
    name="show",
    epilog=examples("tournament show cup", "tournament show cup > again.toml", "tournament show cup --format json"),
)
@click.argument("tournament", type=TOURNAMENT)
@click.option("--format", "output", type=click.Choice(["toml", "json"]), default="toml", show_default=True)
@with_home
def command(tournament: str, output: str, home: Home) -> None:
    """Show how a tournament is held: every setting, the defaults included, and every bot with its version.

    It is printed as a tournament.toml, for run --config. The seed is shown when the tournament is finished.
    """
    with Store.open(home) as store:
        found = find_tournament(store, tournament)
    seed = found.seed.hex() if found.finished else None
    if output == "json":
        facts = {
            "configuration": found.configuration.model_dump(),
            "commitment": found.commitment,
            "finished": found.finished,
            "seed": seed,
        }
        print(json.dumps(facts, indent=2))
        return
    print(settings_text(found.configuration), end="")
    stderr().print(f"commitment {found.commitment}")
    stderr().print(f"seed {seed}" if seed else "the seed is revealed when the tournament is finished")
