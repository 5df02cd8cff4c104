"""``tournament bots``."""

import json

import click

from cardpit.games import GAMES
from tournament.cli.options import examples, with_format, with_home
from tournament.cli.table import Column, Row, joined, show_table, stderr
from tournament.errors import unknown
from tournament.home import Home
from tournament.store.bots import all_versions, latest_versions, plays
from tournament.store.database import Store
from tournament.store.tables import BotVersion


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


@click.command(name="bots", epilog=examples("tournament bots", "tournament bots random"))
@click.argument("bot", required=False)
@with_format
@with_home
def command(bot: str | None, output: str, wide: bool, home: Home) -> None:
    """List the bots with their latest versions, or every version of one."""
    if not home.database.exists():
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
