"""``tournament submit``."""

import asyncio
import os
from pathlib import Path

import click

from referee.orders import Conduct
from referee.sandbox import shortcomings
from tournament.bundle import Bundle, copy_bundle, discard_bundle, read_bundle
from tournament.cli.completion import JAIL
from tournament.cli.options import examples, with_home
from tournament.cli.table import stderr, stdout
from tournament.errors import BadConfiguration, Failure, Refused
from tournament.home import Home
from tournament.qualification import Qualified, qualify
from tournament.registry import baseline, candidate
from tournament.remote import Progress, Remote
from tournament.request import check_jail, settle_jail
from tournament.run import EXECUTORS
from tournament.store.bots import add_version, check_spelling, find_same, label
from tournament.store.database import Store
from tournament.store.tables import BotVersion


@click.command(
    name="submit",
    epilog=examples(
        "tournament submit bots/random",
        "tournament submit my_bot.py --name mine",
        "tournament submit my_bot.py --server https://cards.example.org --token TOKEN",
    ),
)
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", help="The bot's name; else that in bot.toml, or that of the file.")
@click.option("--jail", type=JAIL, default="auto", show_default=True, help="How the bot is confined while it is tried.")
@click.option("--build-network", is_flag=True, help="Let the build command use the network.")
@click.option("--jobs", type=click.IntRange(1), help="How many matches are tried at once; else the number of cores.")
@click.option("--server", metavar="URL", help="Submit over the network to a tournament serve.")
@click.option(
    "--token", envvar="CARDPIT_SERVER_TOKEN", show_envvar=True, help="With --server: what the organiser gave you."
)
@with_home
def command(
    *,
    path: Path,
    name: str | None,
    jail: str,
    build_network: bool,
    jobs: int | None,
    server: str | None,
    token: str | None,
    home: Home,
) -> None:
    """Submit a bot: a folder with a bot.toml, or a Python file.

    It is copied under the hash of its content and plays some matches against the random bot in every game it claims.
    If it gets through, it becomes the next version of its name; identical content changes nothing.

    With --server all of this happens there, and what is said there is shown here.
    """
    check_jail(jail)
    bundle = read_bundle(path, name)
    if server is not None:
        _submit_to(Remote(server, _token(token)), bundle)
        return
    jail = settle_jail(jail)
    if warning := shortcomings(jail):
        stderr().print(warning, markup=False)
    with Store.create(home) as store:
        jobs = jobs or len(os.sched_getaffinity(0))
        submit(bundle, store, home, jail=jail, build_network=build_network, jobs=jobs)


def _token(given: str | None) -> str:
    if not given:
        raise BadConfiguration("--server without a token: give --token, or set CARDPIT_SERVER_TOKEN")
    return given.strip()


def _submit_to(remote: Remote, bundle: Bundle) -> None:
    """Submit over the network and show what becomes of it. Raises :class:`Refused` or :class:`Failure`."""
    if remote.readable:
        stderr().print(f"{remote.server} is not https: others on the way can read your token")
    key = remote.submit(bundle)
    stderr().print(f"submission {key} of {bundle.name}: {remote.server}/submissions/{key}", markup=False)
    progress = Progress("waiting", "", "")
    for progress in remote.follow(key):
        click.echo(progress.said, nl=False, err=True)
    if progress.status == "refused":
        raise Refused(f"submission {key} of {bundle.name} is refused: what was said above says why")
    if progress.status != "accepted":
        raise Failure(f"submission {key} of {bundle.name} could not be tried: submit it again, or tell the organiser")
    stdout().print(f"submitted {progress.label}", markup=False)


def submit(
    bundle: Bundle, store: Store, home: Home, *, jail: str, build_network: bool = False, jobs: int
) -> BotVersion:
    """Build a bot, try it in a jail and store it; return the version that it became.

    Raises :class:`tournament.errors.Refused` or :class:`tournament.errors.BuildFailed` and leaves nothing behind.
    """
    check_spelling(store, bundle.name)
    if same := find_same(store, bundle):
        stdout().print(f"{label(same)} has just this content: nothing changed")
        return same
    existed = (home.bundles / bundle.hash).exists()
    if bundle.build:
        stderr().print(f"building {bundle.name} …", markup=False)
    folder = copy_bundle(bundle, home.bundles, jail=jail, network=build_network)
    try:
        opponent = candidate(read_bundle(baseline("random")), baseline("random"))
        stderr().print(f"trying {bundle.name} in {', '.join(bundle.plays())} …", markup=False)
        done = asyncio.run(
            qualify(
                candidate(bundle, folder),
                opponent,
                bundle.plays(),
                EXECUTORS["local"](jobs, None),
                Conduct(jail=jail),
                lambda game, seat: stderr().print(f"played {game} in seat {seat}", markup=False),
            )
        )
        version = add_version(store, bundle)
    except BaseException:
        if not existed:
            discard_bundle(folder)
        raise
    _say(label(version), bundle, done)
    return version


def _say(name: str, bundle: Bundle, done: Qualified) -> None:
    strikes = f", {done.strikes} answers late or illegal" if done.strikes else ""
    stdout().print(
        f"submitted {name}: plays {', '.join(bundle.plays())}; {done.matches} matches tried{strikes}", markup=False
    )
