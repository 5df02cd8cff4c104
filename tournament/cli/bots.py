"""``tournament bots``."""

import json

import click

from cardpit.games import GAMES
from tournament.cli.completion import BOT
from tournament.cli.options import entrants_named, examples, with_format, with_home
from tournament.cli.table import Column, Row, joined, show_table, stderr, stdout
from tournament.errors import BadConfiguration, WrongUse, unknown
from tournament.home import Home
from tournament.store.bots import all_versions, find_version, latest_versions, plays
from tournament.store.database import Store
from tournament.store.ends import benched, lift
from tournament.store.tables import BotVersion
from tournament.store.tournaments import StoredTournament, find_tournament, tournament_names


def _games(row: Row) -> str:
    text = joined("games", ", ")(row)
    return "all" if text == ", ".join(GAMES) else text


COLUMNS = (
    Column("bot", "bot", right=False),
    Column("version", "version"),
    Column("games", "games", _games, right=False),
    Column("submitted_at", "submitted", lambda row: str(row["submitted_at"])[:16].replace("T", " "), right=False),
    Column("description", "description", right=False),
    Column("command", "command", joined("command", " "), right=False, wide=True),
    Column("bundle_hash", "bundle", lambda row: str(row["bundle_hash"])[:12], right=False, wide=True),
)


@click.command(
    name="bots", epilog=examples("tournament bots", "tournament bots random", "tournament bots --unbench greedy@2")
)
@click.argument("bot", required=False, type=BOT)
@click.option("--unbench", metavar="BOT", help="Let a benched bot play again: name, or name@version.")
@click.option("--tournament", help="With --unbench: only in this tournament; else wherever it is benched.")
@with_format
@with_home
def command(
    *, bot: str | None, unbench: str | None, tournament: str | None, output: str, wide: bool, home: Home
) -> None:
    """List the bots with their latest versions, or every version of one.

    --unbench lists nothing: it lets a bot that was benched after too many faults in a row play again. Its row of faults
    begins anew; tournament run then plays the matches that were left out.
    """
    if unbench is not None:
        if bot is not None:
            raise BadConfiguration(f"bot {bot!r} with --unbench {unbench}: give the one or the other")
        with Store.open(home) as store:
            _unbench(store, home, unbench, tournament)
        return
    if tournament is not None:
        raise BadConfiguration(f"--tournament {tournament}: it is for --unbench only")
    if not Store.exists(home):
        versions: list[BotVersion] = []
        if bot is not None:
            raise unknown("bot", bot, [], "submit one first")
    else:
        with Store.open(home) as store:
            versions = latest_versions(store) if bot is None else all_versions(store, bot)
            if bot is not None and not versions:
                raise unknown("bot", bot, [v.name for v in latest_versions(store)], "submit one first")
    show_table(COLUMNS, [_row(version) for version in versions], output, wide or bot is not None)
    if not versions:
        stderr().print(f"no bots yet in {home.folder}: submit one with tournament submit PATH", markup=False)


def _unbench(store: Store, home: Home, bot: str, only: str | None) -> None:
    """Let a bot play again in one tournament or in all. Raises :class:`WrongUse` where it is not benched."""
    if only is None:
        find_version(store, bot)
    names = [only] if only is not None else tournament_names(store)
    lifted = []
    for tournament in (find_tournament(store, name) for name in names):
        wanted = (
            entrants_named(tournament, tournament.pools, bot)
            if only is not None or _takes_part(tournament, bot)
            else {pool.id: [] for pool in tournament.pools}
        )
        found = [(p, e) for p in tournament.pools for e in benched(store, p) if e in wanted[p.id]]
        if found:
            with store.locked(tournament.name):
                lifted += [(tournament, p, e) for p, e in found if lift(store, tournament, p, e)]
    if not lifted:
        where = f"tournament {only}" if only is not None else "any tournament"
        raise WrongUse(f"bot {bot} is not benched in {where}: tournament ratings marks those that are with †")
    for tournament, pool, entrant in lifted:
        stdout().print(f"{pool.labels[entrant]} may play {pool.game} again in {tournament.name}", markup=False)
    for name in dict.fromkeys(tournament.name for tournament, _, _ in lifted):
        stderr().print(f"play what was left out with: tournament run --name {name}", markup=False)
    for tournament in {t.name: t for t, _, _ in lifted if t.finished}.values():
        stderr().print(
            f"the seed of {tournament.name} has been revealed: its bots could know the cards of what is played now",
            markup=False,
        )


def _takes_part(tournament: StoredTournament, bot: str) -> bool:
    name, _, number = bot.replace(":", "@").partition("@")
    return any(
        version.name == name and number in ("", str(version.version))
        for pool in tournament.pools
        for version in pool.versions
    )


def _row(version: BotVersion) -> Row:
    return {
        "bot": version.name,
        "version": version.version,
        "games": [game for game in GAMES if plays(version, game)],
        "submitted_at": f"{version.submitted_at:%Y-%m-%dT%H:%M:%SZ}",
        "description": version.description,
        "command": json.loads(version.command),
        "bundle_hash": version.bundle_hash,
    }
