"""Options that several commands have."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from tournament.errors import unknown
from tournament.home import Home

if TYPE_CHECKING:
    from referee.orders import Player
    from tournament.store.tournaments import StoredPool, StoredTournament

Command = TypeVar("Command", bound=Callable[..., None])


def examples(*lines: str) -> str:
    """Return command lines as the end of a help page, unwrapped."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def _find_home(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> Home:
    return Home.find(value or ctx.find_root().params.get("home"))


def with_home(command: Command) -> Command:
    """Give a command ``home``. The option may stand before or behind the command's name."""
    return click.option(
        "--home",
        type=click.Path(),
        callback=_find_home,
        help="Where the data lies; else CARDPIT_HOME, else ./.cardpit.",
    )(command)


def with_output(help_text: str = "How to print.") -> Callable[[Command], Command]:
    """Return what gives a command ``output``."""
    return click.option(
        "--format",
        "output",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help=help_text,
    )


def with_format(command: Command) -> Command:
    """Give a command ``output`` and ``wide``."""
    return with_output()(click.option("--wide", is_flag=True, help="Show every column.")(command))


def jail_by_hand(players: Sequence["Player"], wanted: str | None) -> str:
    """Return the jail for bots that are started by hand, and warn of what it does not enforce.

    Without a wish it is the strictest that works, or ``process`` where one of them is started where its author works on
    it. Raises :class:`tournament.errors.WrongUse`.
    """
    from referee.sandbox import shortcomings
    from tournament.cli.table import stderr
    from tournament.request import check_jail, settle_jail

    if wanted is None and not all(player.bundle_hash for player in players):
        return "process"
    jail = wanted or "auto"
    check_jail(jail)
    jail = settle_jail(jail)
    if warning := shortcomings(jail):
        stderr().print(warning, markup=False)
    return jail


def pools_of(tournament: "StoredTournament", game: str | None) -> tuple["StoredPool", ...]:
    """Return the pool of a game, or every pool. Raises :class:`tournament.errors.UnknownName`."""
    return tournament.pools if game is None else (tournament.pool(game),)


def entrants_named(tournament: "StoredTournament", pools: Sequence["StoredPool"], bot: str) -> dict[int, list[int]]:
    """Return the numbers of a bot in each pool, by the pool's key: ``name`` (every version) or ``name@2``.

    Raises :class:`tournament.errors.UnknownName` where it is in none of them.
    """
    name, _, number = bot.replace(":", "@").partition("@")
    found = {
        pool.id: [
            entrant
            for entrant, version in enumerate(pool.versions)
            if version.name == name and (not number or str(version.version) == number)
        ]
        for pool in pools
    }
    if not any(found.values()):
        known = sorted({f"{v.name}@{v.version}" for pool in pools for v in pool.versions})
        raise unknown(f"bot of tournament {tournament.name}", bot, known)
    return found
