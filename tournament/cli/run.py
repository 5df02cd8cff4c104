"""``tournament run``."""

import asyncio
import os
import secrets
import signal
from pathlib import Path
from typing import Literal

import click
from rich.console import Console

from cardpit.games.seeds import SEED_SIZE
from referee.sandbox import shortcomings
from tournament.cli.options import examples, with_home
from tournament.cli.progress import Count, Lines, LiveView, Progress, Silence
from tournament.cli.ratings import live_lines, show_ratings
from tournament.cli.table import stderr
from tournament.configuration import Configuration
from tournament.errors import BadConfiguration, Failure
from tournament.home import Home, check_name
from tournament.plan import plan_lines
from tournament.request import ConductRequest, Request, TimeOdds, check, check_rules, differences, settle, settle_jail
from tournament.run import EXECUTORS
from tournament.run.bench import planned_matches
from tournament.run.coordinator import Conclusion, Coordinator
from tournament.settings import Settings, read_settings, seed_of, sprt_of
from tournament.store.database import Store
from tournament.store.matches import count_matches
from tournament.store.tournaments import StoredTournament, add_tournament, find_tournament, tournament_names

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


@click.command(
    name="run",
    epilog=examples(
        "tournament run --name cup --game landlord --bots random,first,landlord_rules --boards 50 --jobs 2",
        "tournament run --config tournament.toml",
        "tournament run --name cup",
        "tournament run --name duel --game landlord --sprt mine@2 mine@1 --elo0 0 --elo1 10",
        "tournament run --name big --game twenty-two --seats 4 --parameter must_beat=true",
    ),
)
@click.option("--name", help="The tournament's name. An unfinished one goes on where it stopped.")
@click.option("--config", type=click.Path(path_type=Path), help="A tournament.toml; other options override it.")
@click.option("--game", "games", multiple=True, help="What is played; may be given several times.")
@click.option("--bots", help="Who plays: names with commas, name@2 for a version; else every bot that plays the game.")
@click.option("--boards", type=int, help="Boards for each pairing; 50 if not given.")
@click.option("--seats", type=int, help="Bots at a table, where the game leaves a choice.")
@click.option("--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="A game's parameter; repeatable.")
@click.option("--schedule", help="Who meets whom: round-robin or gauntlet.")
@click.option("--seed", help="A text that all chance comes from, for tests. Leave it out in earnest.")
@click.option("--jobs", type=click.IntRange(1), help="How many rooms are played at once; else the number of cores.")
@click.option("--move-time", type=float, help="Seconds that are free for each decision; 0.1 if not given.")
@click.option("--bank-time", type=float, help="Seconds for overruns in a match; 10 if not given.")
@click.option("--time", "odds", multiple=True, metavar="BOT=MOVE,BANK", help="Another time for one bot; repeatable.")
@click.option("--match-time", type=float, help="Seconds that a match may take; 3600 if not given.")
@click.option("--startup-time", type=float, help="Seconds that a bot may take to start; 10 if not given.")
@click.option("--clock", type=click.Choice(["lockstep", "realtime"]), help="How ticks of real-time games end.")
@click.option("--tick-time", type=float, help="Seconds that a tick of the realtime clock lasts; 0.05 if not given.")
@click.option("--max-strikes", type=int, help="Strikes that lose a match; 3, or 50 in real-time games.")
@click.option("--bench-after", type=int, help="Faults in a row after which a bot plays no more; 10, and 0 is never.")
@click.option("--tables", type=int, help="Boards of a room that are played at once; 1 if not given.")
@click.option("--restart", type=click.Choice(["room", "match"]), help="How long a bot's process lives.")
@click.option("--jail", help="How bots are confined: auto (if not given), require, or the name of a jail.")
@click.option("--transport", type=click.Choice(["unix", "tcp"]), help="How bots are reached.")
@click.option("--sprt", nargs=2, metavar="A B", help="Play A against B until a sequential test has an answer.")
@click.option("--elo0", type=float, help="With --sprt: the smaller difference in Elo points.")
@click.option("--elo1", type=float, help="With --sprt: the greater one.")
@click.option("--p0", type=float, help="With --sprt, instead of Elo: the smaller mean score on a board, from 0 to 1.")
@click.option("--p1", type=float, help="With --sprt, instead of Elo: the greater one.")
@click.option("--quiet", is_flag=True, help="Say nothing while it goes on.")
@click.option("--plain", is_flag=True, help="Print lines instead of a live view.")
@with_home
def command(
    *,
    name: str | None,
    config: Path | None,
    games: tuple[str, ...],
    bots: str | None,
    boards: int | None,
    seats: int | None,
    parameters: tuple[str, ...],
    schedule: str | None,
    seed: str | None,
    jobs: int | None,
    move_time: float | None,
    bank_time: float | None,
    odds: tuple[str, ...],
    match_time: float | None,
    startup_time: float | None,
    clock: Literal["lockstep", "realtime"] | None,
    tick_time: float | None,
    max_strikes: int | None,
    bench_after: int | None,
    tables: int | None,
    restart: Literal["room", "match"] | None,
    jail: str | None,
    transport: Literal["unix", "tcp"] | None,
    sprt: tuple[str, str] | None,
    elo0: float | None,
    elo1: float | None,
    p0: float | None,
    p1: float | None,
    quiet: bool,
    plain: bool,
    home: Home,
) -> None:
    """Play a tournament, or go on with one.

    Every pairing of bots plays each board once in every rotation of the seats. The same command goes on after any
    interruption; so does --name alone. Other settings for a tournament that has begun are refused.

    --config reads a tournament.toml, as tournament init and tournament show write it.
    """
    settings = read_settings(config) if config is not None else Settings()
    name = name or settings.name
    if name is None:
        raise click.UsageError("Missing option '--name', or --config with a name.", click.get_current_context())
    conduct = ConductRequest(
        move_time=move_time,
        bank_time=bank_time,
        match_time=match_time,
        startup_time=startup_time,
        clock=clock,
        tick_time=tick_time,
        tables=tables,
        restart=restart,
        jail=jail,
        transport=transport,
    )
    options = Request(
        name=check_name("tournament", name),
        games=games,
        bots=_bots(bots, sprt),
        boards=boards,
        seats=seats,
        parameters=parameters,
        schedule=schedule,
        max_strikes=max_strikes,
        bench_after=bench_after,
        time_odds=tuple(TimeOdds.read(text) for text in odds),
        sprt=_sprt(sprt, sprt_of(p0=p0, p1=p1, elo0=elo0, elo1=elo1)),
        seed=seed_of(seed),
        conduct=conduct,
    )
    request = options.over(settings.request(name))
    jobs = jobs or settings.jobs
    run_tournament(request, home, jobs=jobs or len(os.sched_getaffinity(0)), quiet=quiet, plain=plain)


def _bots(bots: str | None, sprt: tuple[str, str] | None) -> tuple[str, ...]:
    if sprt is not None and bots is not None:
        raise BadConfiguration(f"--sprt {' '.join(sprt)} with --bots {bots}: the one or the other is allowed")
    return sprt or tuple(bot.strip() for bot in (bots or "").split(",") if bot.strip())


def _sprt(bots: tuple[str, str] | None, scores: tuple[float, float] | None) -> tuple[float, float] | None:
    if (bots is None) != (scores is None):
        raise BadConfiguration("a test needs --sprt A B, and --elo0 with --elo1, or --p0 with --p1")
    return scores


def run_tournament(request: Request, home: Home, *, jobs: int, quiet: bool = False, plain: bool = False) -> None:
    """Begin or go on with a tournament, and show its ratings. Ends the process with 1 or 130 if it is not finished."""
    check(request)
    console = stderr()
    with _open_store(home) as store:
        # What cannot be is refused before anything is made, the lock included.
        configuration = None if request.name in tournament_names(store) else settle(request, store)
        with home.locked(request.name):
            tournament = _open(request, store, configuration, console)
            conclusion = _play(store, home, tournament, jobs=jobs, quiet=quiet, plain=plain, console=console)
        show_ratings(store, find_tournament(store, tournament.name), tournament.pools)
    _conclude(tournament, conclusion, console, home)


def _open_store(home: Home) -> Store:
    """Open the store of a home that can be written."""
    if home.database.exists():
        home.prepare()
    return Store.open(home)


def _open(request: Request, store: Store, configuration: Configuration | None, console: Console) -> StoredTournament:
    """Return the tournament to go on with, or a new one."""
    if configuration is not None and request.name not in tournament_names(store):
        if request.seed is not None:
            console.print("the seed of --seed can be guessed: leave it out for a rated competition")
        return add_tournament(store, configuration, request.seed or secrets.token_bytes(SEED_SIZE))
    tournament = find_tournament(store, request.name)
    check_rules(tournament.configuration)
    settle_jail(tournament.configuration.conduct.jail)
    if changed := differences(request, tournament, store):
        raise BadConfiguration(
            f"tournament {request.name} is held with other settings: {'; '.join(changed)}: "
            "leave them out to go on with it, or take another --name"
        )
    return tournament


def _play(
    store: Store, home: Home, tournament: StoredTournament, *, jobs: int, quiet: bool, plain: bool, console: Console
) -> Conclusion:
    """Say what is going to be played, and play it."""
    total = sum(planned_matches(store, tournament, pool) for pool in tournament.pools)
    done = sum(count_matches(store, pool) for pool in tournament.pools)
    if not quiet:
        for line in plan_lines(tournament, done):
            console.print(line, markup=False)
    if warning := shortcomings(tournament.configuration.conduct.jail):
        console.print(warning, markup=False)
    console.print(f"commitment {tournament.commitment} (SHA-256 of the seed, which is revealed at the end)")
    count = Count(done, total)
    progress: Progress
    if quiet:
        progress = Silence(console)
    elif plain or not console.is_terminal:
        progress = Lines(console, count)
    else:
        progress = LiveView(console, count, lambda: live_lines(store, tournament, console.width))
    return asyncio.run(_run(Coordinator(home, store, tournament, EXECUTORS["local"](jobs), progress), progress))


async def _run(coordinator: Coordinator, progress: Progress) -> Conclusion:
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        if coordinator.draining:
            progress.say("ending all matches now")
            coordinator.abort()
        else:
            progress.say("finishing the running matches; Ctrl-C again ends them at once")
            coordinator.drain()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    loop.add_signal_handler(signal.SIGTERM, coordinator.abort)
    try:
        async with progress.showing():
            return await coordinator.run()
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)


def _conclude(tournament: StoredTournament, conclusion: Conclusion, console: Console, home: Home) -> None:
    again = f"tournament run --name {tournament.name}"
    if conclusion.interrupted:
        console.print(f"interrupted: what has been played is kept; go on with: {again}", markup=False)
        raise SystemExit(INTERRUPTED)
    if conclusion.failed_matches:
        raise Failure(
            f"the platform could not play {conclusion.failed_matches} matches: "
            f"tournament logs {tournament.name} says why; try them again with: {again}"
        )
    console.print(f"seed {tournament.seed.hex()}")
    console.print(f"finished; the data lies in {home.folder}", markup=False)
    console.print(f"check it with: tournament verify {tournament.name}", markup=False)
