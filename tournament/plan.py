"""What a tournament is going to play, as lines to read before it starts."""

from cardpit.games import value_text
from tournament.run.sittings import intervals_hold, schedule_of
from tournament.schedule import WARNING
from tournament.statistics import resolution
from tournament.store.tournaments import StoredPool, StoredTournament


def plan_lines(tournament: StoredTournament, done: int) -> list[str]:
    """Return pools, matches, what the ratings will resolve, and how matches are held."""
    conduct = tournament.configuration.conduct
    lines = [
        f"tournament {tournament.name}: move time {conduct.move_time:g} s, bank {conduct.bank_time:g} s, "
        f"match time {conduct.match_time:g} s, start-up {conduct.startup_time:g} s, jail {conduct.jail}, "
        f"restart {conduct.restart}, tables {conduct.tables}, {conduct.transport}, {conduct.clock} clock, "
        f"{conduct.meter} meter, {'pondering allowed' if conduct.ponder else 'no pondering'}"
    ]
    if tournament.configuration.bench_after:
        lines.append(f"a bot at fault in {tournament.configuration.bench_after} matches in a row is benched")
    if (sprt := tournament.configuration.sprt) is not None:
        first, second = tournament.pools[0].labels
        lines.append(
            f"a test ends it: is the score of {first} against {second} rather {sprt.p0:.4f} or rather {sprt.p1:.4f}, "
            f"wrong in {sprt.error:.0%} of cases at most; the boards below are the most that are played"
        )
    for pool in tournament.pools:
        lines += _pool_lines(tournament, pool)
    if done:
        lines.append(f"going on: {done} matches have been played")
    return lines


def _pool_lines(tournament: StoredTournament, pool: StoredPool) -> list[str]:
    settings = pool.configuration
    schedule = schedule_of(tournament, pool)
    pairings = schedule.total
    boards = pairings * settings.boards
    resolved = resolution(pool.seats, boards * pool.seats // len(pool.versions))
    parameters = ", ".join(f"{name}={value_text(value)}" for name, value in settings.parameters.items())
    shown = ", ".join(pool.labels[:8]) + (f" and {len(pool.labels) - 8} more" if len(pool.labels) > 8 else "")
    return [
        f"{pool.game}: {len(pool.versions)} bots ({shown}), {settings.schedule}"
        + (f" of {schedule.rounds} rounds" if schedule.rounds else "")
        + (" with a third place" if settings.third_place else ""),
        f"  {pairings} pairings x {settings.boards} boards x {pool.seats} rotations = {boards * pool.seats} matches",
        f"  {settings.max_strikes} strikes forfeit" + (f"; {parameters}" if parameters else ""),
        f"  {resolved if intervals_hold(pool) else WARNING}",
        *(f"  {line}" for line in odds_lines(tournament, pool)),
    ]


def odds_lines(tournament: StoredTournament, pool: StoredPool) -> list[str]:
    """Return a line for each bot that does not have everybody's time."""
    conduct = tournament.configuration.conduct
    return [
        f"time of {pool.labels[number]}: {move:g} s for each decision, bank {bank:g} s "
        f"(everybody else {conduct.move_time:g} s, {conduct.bank_time:g} s)"
        for number, (move, bank) in pool.time_odds.items()
    ]
