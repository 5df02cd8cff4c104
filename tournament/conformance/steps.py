"""The steps of an examination, in their order: what each expects of a bot, and what to do where it fails."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace

from cardpit.games import GAMES, find_game
from referee.seats.grpc import GrpcSeat
from tournament.bundle import copy_bundle, read_bundle
from tournament.conformance.examinee import Examinee, Sitting, StepFailed
from tournament.conformance.seats import LaterSeat, LateSeat
from tournament.errors import BadBundle, BuildFailed
from tournament.registry import candidate

MAX_TABLES = 4
"""How many tables a process is given at once, if it can hold so many."""

MAX_SEATS = 4
"""At most, at a table of a game for more than two."""

NO_LIMIT = 1_000_000
"""Strikes, where the examiner itself gives them."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step."""

    name: str
    """In one word."""
    expected: str
    """What a bot that is right does, as the rest of a sentence that begins with it."""
    advice: str
    """What to do where it does not."""
    run: Callable[[Examinee], "str | Coroutine[object, None, str]"]
    """Does it, and returns a note; raises :class:`StepFailed`."""
    needed: bool = False
    """Whether nothing further can be tried without it."""


def _bundle(examinee: Examinee) -> str:
    try:
        bundle = read_bundle(examinee.path)
    except BadBundle as error:
        raise StepFailed(str(error)) from None
    for game in examinee.games:
        if game not in bundle.plays():
            raise StepFailed(f"it plays {', '.join(bundle.plays())}: not {game}, which is asked for")
    examinee.bundle = bundle
    examinee.games = examinee.games or bundle.plays()
    files = "1 file" if len(bundle.files) == 1 else f"{len(bundle.files)} files"
    return f"{bundle.name}: {files}, plays {', '.join(bundle.plays())}"


def _build(examinee: Examinee) -> str:
    bundle = examinee.bundle
    assert bundle is not None, "the step before has read it"
    try:
        copy = copy_bundle(bundle, examinee.folder, jail=examinee.conduct.jail, network=examinee.network)
    except BuildFailed as error:
        detail, _, log = str(error).partition("\n")
        raise StepFailed(detail, log=log) from None
    examinee.player = candidate(bundle, copy)
    return " ".join(bundle.build) or "nothing to build"


async def _start(examinee: Examinee) -> str:
    session = await examinee.session(examinee.games[0])
    hello = session.hello
    assert hello is not None, "a session without a Hello has a fault"
    return f"{hello.sdk_name or 'no SDK'} {hello.sdk_version}".strip()


async def _hello(examinee: Examinee) -> str:
    hello = (await examinee.session(examinee.games[0])).hello
    assert hello is not None, "a session without a Hello has a fault"
    if unknown := [game for game in hello.games if game not in GAMES]:
        raise StepFailed(f"its Hello names the game {unknown[0]!r}: known are {', '.join(GAMES)}")
    if missing := [game for game in examinee.games if hello.games and game not in hello.games]:
        raise StepFailed(f"its bundle claims {', '.join(missing)}, its Hello only {', '.join(hello.games)}")
    tables = max(1, hello.max_tables)
    return f"plays {', '.join(hello.games) or 'all games'}; {'1 table' if tables == 1 else f'{tables} tables'} at once"


async def _match(examinee: Examinee) -> str:
    await examinee.play(examinee.games[0], [Sitting(0, 0, find_game(examinee.games[0]).min_seats)])
    return examinee.games[0]


async def _next(examinee: Examinee) -> str:
    await examinee.play(examinee.games[0], [Sitting(1, 1, find_game(examinee.games[0]).min_seats)])
    return examinee.games[0]


async def _tables(examinee: Examinee) -> str:
    most = 0
    for game in examinee.games:
        tables = min(MAX_TABLES, (await examinee.session(game)).max_tables)
        most = max(most, tables)
        if tables > 1:
            seats = find_game(game).min_seats
            await examinee.play(game, [Sitting(board, board % seats, seats) for board in range(tables)])
    return f"{most} at once" if most > 1 else "its Hello says that it holds one: nothing to try"


async def _later(examinee: Examinee) -> str:
    for game in examinee.games:
        await examinee.play(game, [Sitting(2, 0, find_game(game).min_seats)], kind=LaterSeat)
    return "unknown fields and an unknown kind of message"


async def _late(examinee: Examinee) -> str:
    control = examinee.conduct.time_control._replace(max_strikes=NO_LIMIT)
    conduct = replace(examinee.conduct, time_control=control)
    withheld = 0
    for game in examinee.games:
        seats: list[GrpcSeat] = await examinee.play(
            game, [Sitting(3, 1, find_game(game).min_seats)], kind=LateSeat, conduct=conduct
        )
        withheld += sum(seat.withheld for seat in seats if isinstance(seat, LateSeat))
    return f"{withheld} answers were replaced"


async def _farewell(examinee: Examinee) -> str:
    await examinee.session(examinee.games[0])
    grace = examinee.conduct.grace_time
    for session, status in await examinee.end():
        if session.fault is not None:
            raise examinee.failed(session, session.fault)
        if status is None:
            raise StepFailed(f"it still ran {grace:g} s after Farewell, and was killed", log=session.log)
        if status:
            how = f"ended with exit status {status}" if status > 0 else f"was ended by signal {-status}"
            raise StepFailed(f"it {how} after Farewell: 0 is wanted", log=session.log)
    return ""


def game_step(game_id: str) -> Step:
    """Return the step that plays a game."""
    game = find_game(game_id)
    numbers = sorted({game.min_seats, min(game.max_seats, MAX_SEATS)})
    sittings = [Sitting(board, seat, seats) for board, seats in enumerate(numbers) for seat in range(seats)]

    async def play(examinee: Examinee) -> str:
        for sitting in sittings:
            await examinee.play(game_id, [sitting])
        return f"{len(sittings)} matches, each seat of {' and of '.join(map(str, numbers))}"

    return Step(
        game_id,
        f"plays whole matches of {game.name} in every seat, with a legal answer in time to each turn",
        f"docs/games/{game_id}.md explains its turns and actions; if it cannot play it, take it out of its games",
        play,
    )


FIRST = (
    Step(
        "bundle",
        "is a Python file with a Bot, or a folder with a bot.toml",
        "see Bundles in docs/bots.md",
        _bundle,
        True,
    ),
    Step("build", "is built by its build command without an error", "run the command by hand in a copy", _build, True),
    Step("start", "starts and says Hello within its startup time", "", _start, True),
    Step("hello", "says in Hello that it plays what its bundle claims", "let both name the same games", _hello),
    Step("match", "plays a match, with one legal answer in time to each turn", "", _match, True),
    Step(
        "next",
        "stays after TableClosed, and plays at the next table, which has another number",
        "answer with the table and the turn of the turn that asks; a closed table is forgotten, the process goes on",
        _next,
        True,
    ),
)
"""The steps up to the first whole match; :func:`game_step` makes one for each game behind them."""

LAST = (
    Step(
        "tables",
        "plays at several tables at once, whose turns come in one message",
        "keep what you remember by table, and answer each turn in the message; or say max_tables = 1 in Hello",
        _tables,
    ),
    Step(
        "later",
        "ignores fields and kinds of messages that it does not know, for the protocol grows",
        "read what you know and pass over the rest",
        _later,
    ),
    Step(
        "late",
        "goes on where the default action was put in place of its answer",
        "look at the substitution and the events of the turn, not at what you answered before",
        _late,
    ),
    Step(
        "farewell",
        "ends by itself at Farewell, with exit status 0",
        "at Farewell, or at the end of the stream, close your side and exit",
        _farewell,
    ),
)
"""The steps behind the games."""
