"""What the shell completes: the names of games and schedules, and of the tournaments and bots in the home.

Each is the type of an argument or an option. What is not known is refused by the command itself, with the known ones.
"""

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from cardpit.games import GAMES
from tournament.errors import TournamentError
from tournament.home import Home


class Known(click.ParamType[str]):
    """A text, completed from the names that there are."""

    name = "text"

    def __init__(self, names: Callable[[Home], Iterable[str]], *, list_with: str = "") -> None:
        self._names = names
        self._list_with = list_with
        """What stands between the names of a list; empty where there is one name."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin so; of a list, each behind the names before it."""
        before, separator, last = incomplete.rpartition(self._list_with) if self._list_with else ("", "", incomplete)
        given = ctx.params.get("home") or ctx.find_root().params.get("home")
        try:
            names = list(self._names(given if isinstance(given, Home) else Home.find(given)))
        except TournamentError:  # there is no home yet, or no database in it
            names = []
        return [CompletionItem(before + separator + name) for name in names if name.startswith(last)]


def _games(_home: Home) -> Iterable[str]:
    return GAMES


def _schedules(_home: Home) -> Iterable[str]:
    from tournament.schedule import SCHEDULES

    return SCHEDULES


def _jails(_home: Home) -> Iterable[str]:
    from referee.sandbox import CHOICES

    return CHOICES


def _tournaments(home: Home) -> Iterable[str]:
    from tournament.store.database import Store
    from tournament.store.tournaments import tournament_names

    with Store.open(home) as store:
        return tournament_names(store)


def _bots(home: Home) -> Iterable[str]:
    from tournament.store.bots import latest_versions
    from tournament.store.database import Store

    with Store.open(home) as store:
        return [version.name for version in latest_versions(store)]


GAME = Known(_games)
SCHEDULE = Known(_schedules)
JAIL = Known(_jails)
TOURNAMENT = Known(_tournaments)
BOT = Known(_bots)
BOTS = Known(_bots, list_with=",")
