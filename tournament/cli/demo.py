"""``tournament demo``."""

from hashlib import sha256

import click

from cardpit.games import GAMES
from tournament.bundle import Bundle, copy_bundle, read_bundle
from tournament.cli.options import examples, with_home
from tournament.cli.run import run_tournament
from tournament.cli.table import stderr
from tournament.home import Home
from tournament.registry import BASELINES, baseline
from tournament.request import Request
from tournament.store.bots import add_version, find_same
from tournament.store.database import Store
from tournament.store.tournaments import all_tournaments

BOARDS = 4
"""For each pairing: the whole takes well under a minute."""


@click.command(name="demo", epilog=examples("tournament demo", "tournament demo --boards 20"))
@click.option("--boards", type=click.IntRange(1), default=BOARDS, show_default=True, help="Boards for each pairing.")
@click.option("--jobs", type=click.IntRange(1), help="How many rooms are played at once; else the number of cores.")
@click.option("--plain", is_flag=True, help="Print lines instead of a live view.")
@with_home
def command(*, boards: int, jobs: int | None, plain: bool, home: Home) -> None:
    """Play a small tournament of all games between the built-in bots.

    Every bot is a process of its own that talks to the referee over gRPC, as in earnest.
    """
    bundles = [read_bundle(baseline(name)) for name in BASELINES]
    with Store.create(home) as store:
        bots = tuple(_enter(store, home, bundle) for bundle in bundles)
        name = free_name(store)
    stderr().print(f"the demo plays {', '.join(GAMES)} between {', '.join(bots)}", markup=False)
    request = Request(name=name, games=tuple(GAMES), bots=bots, boards=boards, seed=sha256(b"cardpit/demo").digest())
    run_tournament(request, home, jobs=jobs, plain=plain)
    console = stderr()
    console.print("look further with:", style="bold")
    option = "" if home.folder == Home.find(None).folder else f" --home {home.folder}"
    for line in (f"ratings {name} --wide", f"crosstable {name}", f"matches {name}", f"replay {name}/landlord/0/0/0"):
        console.print(f"  tournament {line}{option}", markup=False)


def _enter(store: Store, home: Home, bundle: Bundle) -> str:
    """Store a built-in bot without trying it, and return its name and version."""
    version = find_same(store, bundle)
    copy_bundle(bundle, home.bundles)
    version = version or add_version(store, bundle)
    return f"{version.name}@{version.version}"


def free_name(store: Store) -> str:
    """Return the name of an unfinished demo to go on with, or a new one."""
    finished = {row.name: row.finished_at is not None for row in all_tournaments(store)}
    number = 1
    while finished.get(name := "demo" if number == 1 else f"demo-{number}"):
        number += 1
    return name
