"""The bench: a bot that is at fault in match after match plays no more.

A bot version is benched in a pool when it was at fault in ``bench_after`` of its matches in a row. Rows are counted in
the order of the schedule (by pairing, board and room), whatever the order in which matches end, and only over matches
that the rule itself does not leave out. So who is benched, and after which match, is a function of the results alone:
it does not depend on how many rooms were played at once, nor on where a run was interrupted. Adaptive schedules have no
bench: they go by complete results.
"""

from collections.abc import Mapping, Sequence

from tournament.run.sittings import matches_of, schedule_of
from tournament.store.database import Store
from tournament.store.ends import Place, ends_of, fault_counts, faults_by_place, lifted
from tournament.store.matches import MatchRow, matches_after
from tournament.store.tournaments import StoredPool, StoredTournament


def find_benched(store: Store, tournament: StoredTournament, pool: StoredPool) -> dict[int, Place]:
    """Return the bots that the results so far bench, by their number, each with the match of its last fault.

    Where a match is still to be played, nothing is concluded from the later ones of its bots: a bot that is benched
    stays so whatever is played after.
    """
    limit = tournament.configuration.bench_after
    suspects = {entrant for entrant, count in fault_counts(store, pool).items() if count >= limit} if limit else set()
    if not suspects:
        return {}
    results, pardons = faults_by_place(store, pool, suspects), lifted(store, pool)
    schedule, settings = schedule_of(tournament, pool), pool.configuration
    streaks = dict.fromkeys(suspects, 0)
    followed = set(suspects)
    found: dict[int, Place] = {}
    for pairing in range(schedule.total):
        if not followed:
            break
        bots = schedule.pairing(pairing)
        seated = suspects.intersection(bots)
        if not seated:
            continue
        for place in (Place(pairing, b, r) for b in range(settings.boards) for r in range(pool.seats)):
            if seated & found.keys():
                break
            if place not in results or not seated <= followed:
                followed -= seated
                break
            for entrant in seated:
                streaks[entrant] = streaks[entrant] + 1 if entrant in results[place] else 0
                if streaks[entrant] == limit and (entrant, place) in pardons:
                    streaks[entrant] = 0
                elif streaks[entrant] == limit:
                    found[entrant] = place
                    followed.discard(entrant)
    return dict(sorted(found.items()))


def left_out(ends: Mapping[int, Place], bots: Sequence[int], place: Place) -> bool:
    """Tell whether a match is not played because it stands behind the last one of one of its bots."""
    return any(bot in ends and ends[bot] < place for bot in bots)


def planned_matches(store: Store, tournament: StoredTournament, pool: StoredPool) -> int:
    """Return how many matches a pool has, without those that are left out: by the bench, or by the end of a test."""
    return matches_of(tournament, pool) - count_left_out(tournament, pool, ends_of(store, pool))


def count_left_out(tournament: StoredTournament, pool: StoredPool, ends: Mapping[int, Place]) -> int:
    """Return how many matches are not played because they stand behind the last ones of these bots."""
    if not ends:
        return 0
    schedule, boards = schedule_of(tournament, pool), pool.configuration.boards
    count = 0
    for pairing in range(schedule.total):
        last = min((ends[bot] for bot in schedule.pairing(pairing) if bot in ends), default=None)
        if last is not None and last.pairing <= pairing:
            played = last.board * pool.seats + last.room + 1 if last.pairing == pairing else 0
            count += boards * pool.seats - played
    return count


def surplus(store: Store, pool: StoredPool, ends: Mapping[int, Place]) -> list[MatchRow]:
    """Return the matches that were played although they stand behind the last one of one of their bots.

    There are some wherever several rooms are played at once.
    """
    # A match may stand behind the last ones of several of its bots.
    found = {
        match.key: match for entrant, place in ends.items() for match in matches_after(store, pool, entrant, place)
    }
    return list(found.values())
