"""The API: tournaments, their tables, crosstables and histories."""

from typing import Annotated

from fastapi import APIRouter, Query

from tournament.standings import Standing
from tournament.store.listing import tournaments_page
from tournament.store.tables import Tournament
from tournament.store.tournaments import StoredPool, find_tournament
from tournament.web.api.answers import (
    PROBLEMS,
    BotName,
    CrosstablePage,
    EncounterAnswer,
    HistoryAnswer,
    PoolAnswer,
    RatingsAnswer,
    StandingAnswer,
    TournamentAnswer,
    TournamentDetails,
    TournamentPage,
)
from tournament.web.queries import Before, BotOf, Limit, entrants_of
from tournament.web.site import Name, PoolOf, PoolView, SiteOf

router = APIRouter(tags=["tournaments"], responses=PROBLEMS)


def bot_name(pool: StoredPool, entrant: int) -> BotName:
    """Return a bot of a pool."""
    version = pool.versions[entrant]
    return BotName(bot=version.name, version=version.version)


def standing_answer(view: PoolView, row: Standing) -> StandingAnswer:
    """Return a row of the table."""
    return StandingAnswer(
        rank=row.rank,
        rank_interval=(row.low_rank, row.high_rank),
        bot=row.bot,
        version=row.version,
        mu=row.rating.mu,
        sigma=row.rating.sigma,
        half_width=row.rating.half_width,
        conservative=row.rating.conservative,
        next_better=row.next_better,
        win_percent_against_average=100 * row.average_win,
        score_percent=row.score_percent,
        payoff=row.payoff,
        margin=row.margin,
        boards=row.boards,
        matches=row.matches,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        timeouts=row.timeouts,
        errors=row.errors,
        group=row.group,
        benched=row.entrant in view.snapshot.benched,
    )


def _tournament_answer(site: SiteOf, row: Tournament) -> TournamentAnswer:
    return TournamentAnswer(
        name=row.name,
        created_at=row.created_at,
        finished=row.finished_at is not None,
        games=[pool.game for pool in find_tournament(site.store, row.name).pools],
    )


@router.get("/tournaments", summary="List the tournaments, newest first")
def tournaments(site: SiteOf, before: Before = None, limit: Limit = 50) -> TournamentPage:
    """Return a page of tournaments."""
    rows = tournaments_page(site.store, before, limit + 1)
    return TournamentPage(
        tournaments=[_tournament_answer(site, row) for row in rows[:limit]],
        next=rows[limit - 1].id if len(rows) > limit else None,
    )


@router.get("/tournaments/{name}", summary="Show a tournament: configuration, commitment, progress")
def tournament(site: SiteOf, name: Name) -> TournamentDetails:
    """Return a tournament."""
    found = find_tournament(site.store, name)
    snapshots = [site.snapshots.of(found, pool) for pool in found.pools]
    pace = site.snapshots.pace(found)
    return TournamentDetails(
        name=found.name,
        finished=found.finished,
        commitment=found.commitment,
        seed=found.seed.hex() if found.finished else None,
        matches_per_second=pace.rate,
        remaining_time=pace.remaining_time,
        pools=[
            PoolAnswer(
                game=pool.game,
                seats=pool.seats,
                schedule=pool.configuration.schedule,
                bots=[bot_name(pool, entrant) for entrant in range(len(pool.versions))],
                matches_played=snapshot.played,
                matches_planned=snapshot.planned,
                boards_finished=snapshot.table.boards,
            )
            for pool, snapshot in zip(found.pools, snapshots, strict=True)
        ],
        configuration=found.configuration,
    )


@router.get("/tournaments/{name}/{game}/ratings", summary="Show the table of a game")
def ratings(view: PoolOf) -> RatingsAnswer:
    """Return the table, best first."""
    table = view.snapshot.table
    return RatingsAnswer(
        game=view.pool.game,
        boards=table.boards,
        draw_probability=table.draw_probability,
        rows=[standing_answer(view, row) for row in table.rows],
    )


@router.get("/tournaments/{name}/{game}/crosstable", summary="Show who scored how much against whom")
def crosstable(
    view: PoolOf,
    bot: BotOf = None,
    start: Annotated[int, Query(ge=0, lt=2**53, description="Go on from here: `next` of the page before.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="Encounters of a page.")] = 1000,
) -> CrosstablePage:
    """Return a page of the encounters of every bot, or of one, with every other that it has met."""
    count = len(view.pool.versions)
    rows = range(count) if bot is None else entrants_of(view.pool, bot)
    found: list[EncounterAnswer] = []
    for number in range(start, len(rows) * count):
        row, column = rows[number // count], number % count
        met = view.snapshot.crosstable.encounter(row, column) if row != column else None
        if met is None:
            continue
        if len(found) == limit:
            return CrosstablePage(encounters=found, next=number)
        found.append(
            EncounterAnswer(
                bot=bot_name(view.pool, row),
                against=bot_name(view.pool, column),
                boards=met.boards,
                score_percent=met.score_percent,
                difference=met.difference,
                probability_better=met.better,
                sign=met.sign,
            )
        )
    return CrosstablePage(encounters=found, next=None)


@router.get("/tournaments/{name}/{game}/history", summary="Show how the ratings came about")
def history(view: PoolOf) -> HistoryAnswer:
    """Return the ratings after more and more boards of the schedule; of many boards empty while it is worked out."""
    found = view.snapshot.history
    return HistoryAnswer(
        bots=[bot_name(view.pool, entrant) for entrant in range(len(view.pool.versions))],
        boards=list(found.boards),
        mu=found.mu.tolist(),
        half_width=found.half_width.tolist(),
    )
