"""Matches that are marked for lag: the referee itself was late in them, so that time was no exact measure."""

from referee.lag import lag_limit, lag_mark
from tournament.store.database import Store
from tournament.store.matches import MatchRow, count_matches
from tournament.store.tournaments import StoredPool, StoredTournament


def limit_of(tournament: StoredTournament, pool: StoredPool) -> float:
    """Return the lag in seconds above which a match of a pool is marked, by the shortest move time in the pool."""
    odds = (move for move, _ in pool.time_odds.values())
    return lag_limit(min([tournament.configuration.conduct.move_time, *odds]))


def is_lagged(tournament: StoredTournament, pool: StoredPool, match: MatchRow) -> bool:
    """Tell whether a match is marked."""
    return match.lag_time > limit_of(tournament, pool)


def lag_text(tournament: StoredTournament, pool: StoredPool, match: MatchRow) -> str:
    """Return what the mark on a match says; empty if it has none."""
    if not is_lagged(tournament, pool, match):
        return ""
    return lag_mark(match.lag_time, limit_of(tournament, pool))


def lag_lines(store: Store, tournament: StoredTournament) -> list[str]:
    """Return a line for each pool that has marked matches."""
    lines = []
    for pool in tournament.pools:
        if count := count_matches(store, pool, lag_above=limit_of(tournament, pool)):
            lines.append(
                f"{pool.game}: {count} of {count_matches(store, pool)} matches are marked for lag: the machine was too "
                f"busy for the move time (tournament matches {tournament.name} --lagged): fewer --jobs would help"
            )
    return lines
