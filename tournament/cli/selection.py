"""Options that choose the boards of a table."""

from collections.abc import Sequence

import click

from tournament.cli.options import Command, entrants_named
from tournament.errors import BadConfiguration
from tournament.selection import Selection, read_time, versions_of
from tournament.store.tournaments import StoredPool, StoredTournament


def with_selection(command: Command) -> Command:
    """Give a command ``since`` and ``exclude``."""
    command = click.option("--exclude", multiple=True, metavar="BOT", help="Without its boards; repeatable.")(command)
    return click.option("--since", metavar="TIME", help="Only boards finished since then, such as 2026-05-01T18:30.")(
        command
    )


def find_selection(
    tournament: StoredTournament, pools: Sequence[StoredPool], since: str | None, exclude: Sequence[str]
) -> Selection:
    """Return what the options choose. Raises :class:`tournament.errors.WrongUse`."""
    moment = None if since is None else read_time(since)
    chosen = [versions_of(pools, entrants_named(tournament, pools, bot)) for bot in exclude]
    selection = Selection(moment, tuple(dict.fromkeys(version for versions in chosen for version in versions)))
    for pool in pools:
        if len(selection.left_out(pool)) == len(pool.versions):
            raise BadConfiguration(f"--exclude {' --exclude '.join(exclude)}: nobody of {pool.game} is left")
    return selection
