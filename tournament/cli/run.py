"""``tournament run``."""

import asyncio
import secrets
import signal
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

import click
from rich.console import Console

from cardpit.games.seeds import SEED_SIZE
from referee.sandbox import shortcomings
from tournament.cli.completion import BOTS, GAME, JAIL, SCHEDULE
from tournament.cli.faults import show_faults
from tournament.cli.options import examples, with_home
from tournament.cli.progress import Count, Lines, LiveView, Progress, Silence
from tournament.cli.ratings import live_lines, show_ratings
from tournament.cli.table import stderr
from tournament.configuration import Configuration
from tournament.errors import BadConfiguration, Failure, StoreLost
from tournament.home import Home, check_name
from tournament.lag import lag_lines
from tournament.newcomers import add_newcomers
from tournament.plan import plan_lines
from tournament.request import ConductRequest, Request, TimeOdds, check, check_rules, differences, settle, settle_jail
from tournament.run import EXECUTORS, Executor
from tournament.run.bench import planned_matches
from tournament.run.coordinator import Conclusion, Coordinator
from tournament.settings import Settings, read_settings, seed_of, sprt_of
from tournament.store.database import Store
from tournament.store.matches import count_matches
from tournament.store.tournaments import StoredTournament, add_tournament, find_tournament, tournament_names
from tournament.watch import LOOK_TIME, check_watch, latecomers

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


@click.command(
    name="run",
    epilog=examples(
        "tournament run --name cup --game landlord --bots random,first,landlord_rules --boards 50 --jobs 2",
        "tournament run --config tournament.toml",
        "tournament run --name cup",
        "tournament run --name cup --add late",
        "tournament run --name cup --watch",
        "tournament run --name league --game spit --schedule swiss --rounds 6",
        "tournament run --name final --game spit --bots a,b,c,d --schedule knockout --third-place",
        "tournament run --name duel --game landlord --sprt mine@2 mine@1 --elo0 0 --elo1 10",
        "tournament run --name big --game twenty-two --seats 4 --parameter must_beat=true",
    ),
)
@click.option("--name", help="The tournament's name. An unfinished one goes on where it stopped.")
@click.option("--config", type=click.Path(path_type=Path), help="A tournament.toml; other options override it.")
@click.option("--game", "games", multiple=True, type=GAME, help="What is played; may be given several times.")
@click.option(
    "--bots", type=BOTS, help="Who plays: names with commas, name@2 for a version; else every bot that plays the game."
)
@click.option("--boards", type=int, help="Boards for each pairing; 50 if not given.")
@click.option("--seats", type=int, help="Bots at a table, where the game leaves a choice.")
@click.option("--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="A game's parameter; repeatable.")
@click.option("--add", multiple=True, metavar="BOT", help="A bot that comes to a tournament later; repeatable.")
@click.option("--watch", is_flag=True, help="Take in what is submitted meanwhile, and go on until Ctrl-C.")
@click.option(
    "--schedule", type=SCHEDULE, help="Who meets whom: round-robin, gauntlet, every-table, swiss, knockout or playoff."
)
@click.option("--rounds", type=int, help="Rounds of a swiss or a playoff; else as many as the bots need.")
@click.option("--third-place", is_flag=True, default=None, help="Let the losers of a knockout's semi-finals meet.")
@click.option(
    "--seeds-from", metavar="TOURNAMENT", help="Whose ratings are a knockout's seeds; else the order of --bots."
)
@click.option("--seed", help="A text that all chance comes from, for tests. Leave it out in earnest.")
@click.option("--jobs", type=click.IntRange(1), help="How many rooms are played at once; else the number of cores.")
@click.option(
    "--executor", type=click.Choice(list(EXECUTORS)), default="local", help="What plays rooms: ray is a cluster."
)
@click.option(
    "--address", help="With --executor ray: where the cluster is; else RAY_ADDRESS, or the one of this machine."
)
@click.option("--move-time", type=float, help="Seconds that are free for each decision; 0.1 if not given.")
@click.option("--bank-time", type=float, help="Seconds for overruns in a match; 10 if not given.")
@click.option("--time", "odds", multiple=True, metavar="BOT=MOVE,BANK", help="Another time for one bot; repeatable.")
@click.option("--match-time", type=float, help="Seconds that a match may take; 3600 if not given.")
@click.option("--startup-time", type=float, help="Seconds that a bot may take to start; 10 if not given.")
@click.option("--clock", type=click.Choice(["lockstep", "realtime"]), help="How ticks of real-time games end.")
@click.option("--tick-time", type=float, help="Seconds that a tick of the realtime clock lasts; 0.05 if not given.")
@click.option("--meter", type=click.Choice(["wall", "cpu"]), help="What a decision is charged; wall if not given.")
@click.option("--ponder/--no-ponder", default=None, help="Whether bots may think between their turns; no if not given.")
@click.option("--max-strikes", type=int, help="Strikes that lose a match; 3, or 50 in real-time games.")
@click.option("--bench-after", type=int, help="Faults in a row after which a bot plays no more; 10, and 0 is never.")
@click.option("--tables", type=int, help="Boards of a room that are played at once; 1 if not given.")
@click.option("--restart", type=click.Choice(["room", "match"]), help="How long a bot's process lives.")
@click.option("--jail", type=JAIL, help="How bots are confined: auto (if not given), require, or the name of a jail.")
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
    add: tuple[str, ...],
    watch: bool,
    schedule: str | None,
    rounds: int | None,
    third_place: bool | None,
    seeds_from: str | None,
    seed: str | None,
    jobs: int | None,
    executor: str,
    address: str | None,
    move_time: float | None,
    bank_time: float | None,
    odds: tuple[str, ...],
    match_time: float | None,
    startup_time: float | None,
    clock: Literal["lockstep", "realtime"] | None,
    tick_time: float | None,
    meter: Literal["wall", "cpu"] | None,
    ponder: bool | None,
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

    --watch takes in every version that is accepted after the start and plays one of the games. The tournament is
    finished, and its seed revealed, when it is run without.

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
        meter=meter,
        ponder=ponder,
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
        add=add,
        schedule=schedule,
        rounds=rounds,
        third_place=third_place,
        seeds_from=seeds_from,
        max_strikes=max_strikes,
        bench_after=bench_after,
        time_odds=tuple(TimeOdds.read(text) for text in odds),
        sprt=_sprt(sprt, sprt_of(p0=p0, p1=p1, elo0=elo0, elo1=elo1)),
        seed=seed_of(seed),
        conduct=conduct,
    )
    request = options.over(settings.request(name))
    jobs = jobs or settings.jobs
    run_tournament(request, home, jobs=jobs, executor=executor, address=address, watch=watch, quiet=quiet, plain=plain)


def _bots(bots: str | None, sprt: tuple[str, str] | None) -> tuple[str, ...]:
    if sprt is not None and bots is not None:
        raise BadConfiguration(f"--sprt {' '.join(sprt)} with --bots {bots}: the one or the other is allowed")
    return sprt or tuple(bot.strip() for bot in (bots or "").split(",") if bot.strip())


def _sprt(bots: tuple[str, str] | None, scores: tuple[float, float] | None) -> tuple[float, float] | None:
    if (bots is None) != (scores is None):
        raise BadConfiguration("a test needs --sprt A B, and --elo0 with --elo1, or --p0 with --p1")
    return scores


def run_tournament(
    request: Request,
    home: Home,
    *,
    jobs: int | None,
    executor: str = "local",
    address: str | None = None,
    watch: bool = False,
    quiet: bool = False,
    plain: bool = False,
) -> None:
    """Begin or go on with a tournament, and show its ratings. Ends the process with 1 or 130 if it is not finished."""
    check(request)
    rooms = partial(EXECUTORS[executor], jobs, address)
    # What cannot be is refused before anything is made, the lock included.
    rooms()
    console = stderr()
    with _open_store(home) as store:
        configuration = None if request.name in tournament_names(store) else settle(request, store)
        with store.locked(request.name):
            tournament = _open(request, store, configuration, console)
            play = _watch if watch else _play
            conclusion = play(store, home, tournament, rooms, quiet=quiet, plain=plain, console=console)
        tournament = find_tournament(store, tournament.name)
        show_ratings(store, tournament, tournament.pools)
        show_faults(console, store, tournament)
        for line in lag_lines(store, tournament):
            console.print(line, style="yellow", markup=False)
    _conclude(tournament, conclusion, console, home)


def _open_store(home: Home) -> Store:
    """Open the store of a home that can be written."""
    if Store.exists(home):
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
    return _add(request, store, tournament, console) if request.add else tournament


def _add(request: Request, store: Store, tournament: StoredTournament, console: Console) -> StoredTournament:
    """Return the tournament with the bots of ``--add``."""
    grown = add_newcomers(store, tournament, request.add)
    if tournament.finished and not grown.finished:
        console.print(
            f"the seed of {tournament.name} has been revealed: who comes now could know the cards", markup=False
        )
    return grown


def _watch(
    store: Store,
    home: Home,
    tournament: StoredTournament,
    rooms: Callable[[], Executor],
    *,
    quiet: bool,
    plain: bool,
    console: Console,
) -> Conclusion:
    """Play, and take in what is submitted meanwhile, until Ctrl-C or until the platform fails."""
    check_watch(tournament)
    while True:
        if names := latecomers(store, tournament):
            console.print(f"taking in {', '.join(names)}", markup=False)
            tournament = add_newcomers(store, tournament, names)
        news = partial(latecomers, store, tournament)
        conclusion = _play(store, home, tournament, rooms, news, quiet=quiet, plain=plain, console=console)
        if conclusion.interrupted or conclusion.failed_matches:
            return conclusion


def _play(
    store: Store,
    home: Home,
    tournament: StoredTournament,
    rooms: Callable[[], Executor],
    news: Callable[[], list[str]] | None = None,
    *,
    quiet: bool,
    plain: bool,
    console: Console,
) -> Conclusion:
    """Say what is going to be played, and play it; with ``news``, until that tells of something."""
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
    coordinator = Coordinator(home, store, tournament, rooms(), progress, open_end=news is not None)
    return asyncio.run(_run(coordinator, progress, news))


async def _run(coordinator: Coordinator, progress: Progress, news: Callable[[], list[str]] | None = None) -> Conclusion:
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()

    def interrupt() -> None:
        if stopped.is_set():
            progress.say("ending all matches now")
            coordinator.abort()
        else:
            progress.say("finishing the running matches; Ctrl-C again ends them at once")
            coordinator.drain()
        stopped.set()

    def end() -> None:
        stopped.set()
        coordinator.abort()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    loop.add_signal_handler(signal.SIGTERM, end)
    try:
        async with progress.showing():
            if news is None:
                return await coordinator.run()
            watching = asyncio.create_task(_look_out(coordinator, news))
            conclusion = await coordinator.run()
            if not coordinator.draining and not conclusion.failed_matches:
                progress.say("everything is played: waiting for new bots; Ctrl-C ends that")
                stopping = asyncio.create_task(stopped.wait())
                await asyncio.wait({watching, stopping}, return_when=asyncio.FIRST_COMPLETED)
                stopping.cancel()
            watching.cancel()
            return replace(conclusion, interrupted=stopped.is_set())
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)


async def _look_out(coordinator: Coordinator, news: Callable[[], list[str]]) -> None:
    """Wait for news, then let the running matches end."""
    while True:
        await asyncio.sleep(LOOK_TIME)
        try:
            if await asyncio.to_thread(news):
                coordinator.drain()
                return
        except StoreLost:
            continue  # The run itself waits for the database, and says so.


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
