"""The order of bots by their ratings in an earlier tournament: who is the first seed of a knockout."""

from collections.abc import Sequence

from tournament.errors import BadConfiguration
from tournament.standings import table_of
from tournament.store.database import Store
from tournament.store.tables import BotVersion
from tournament.store.tournaments import find_tournament


def seeded(store: Store, earlier: str, game: str, bots: Sequence[BotVersion]) -> list[BotVersion]:
    """Return bots in the order of an earlier tournament's table of this game, behind them those that are not in it.

    A bot that took part with another version only counts as that one. Raises :class:`tournament.errors.WrongUse` where
    there is no such tournament, or it did not play the game.
    """
    pools = [pool for pool in find_tournament(store, earlier).pools if pool.game == game]
    if not pools:
        raise BadConfiguration(f"--seeds-from {earlier}: {game} was not played in it")
    rows = table_of(store, pools[0]).rows
    exact = {(row.bot, row.version): row.rank for row in reversed(rows)}
    by_name = {row.bot: row.rank for row in reversed(rows)}
    last = len(rows) + 1
    return sorted(bots, key=lambda bot: exact.get((bot.name, bot.version), by_name.get(bot.name, last)))
