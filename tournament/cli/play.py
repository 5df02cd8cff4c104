"""``tournament play``."""

import asyncio
import logging
import secrets
import sys
from pathlib import Path

import click
import uvloop

from cardpit import TimeControl
from cardpit.games import Game, Value, find_game
from cardpit.games.seeds import board_seed, text_seed
from cardpit.v1.record_pb2 import Timings
from referee.clock import default_strikes
from referee.orders import Board, Conduct, Player, Room
from referee.record import parse, seal
from referee.seats.person import PersonSeat
from tournament.cli.completion import GAME, JAIL
from tournament.cli.options import examples, jail_by_hand, with_home
from tournament.cli.table import stdout
from tournament.errors import BadConfiguration
from tournament.home import Home
from tournament.play.exhibition import Played, play_exhibition
from tournament.play.keyboard import Keyboard
from tournament.play.terminal import Terminal
from tournament.registry import find_player
from tournament.replay import Replay

ENDLESS = 1e6
"""Seconds."""

TICK_TIME = 1.0
"""Seconds; a person is slower than a bot."""

PERSON = "person"
"""A person's name in a record."""


@click.command(
    name="play",
    epilog=examples(
        "tournament play landlord --against bots/landlord_rules",
        "tournament play twenty-two --against random --against first --seat 1 --seed x",
        "tournament play spit --against spit_rules --tick-time 2",
        "tournament play speed --against my_bot.py --clock lockstep --no-timeout --jail none",
    ),
)
@click.argument("game_id", metavar="GAME", type=GAME)
@click.option(
    "--against",
    "bots",
    multiple=True,
    required=True,
    metavar="BOT",
    help="A submitted or built-in bot (name, name@version), or its path; may be given again.",
)
@click.option("--seat", type=click.IntRange(0), default=0, show_default=True, help="Your seat.")
@click.option("--seed", help="Any text: the same seed gives the same cards. Random if left out.")
@click.option("--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter of the game.")
@click.option(
    "--clock",
    type=click.Choice(["lockstep", "realtime"]),
    help="Real-time games: whether each tick waits for you; realtime if left out.",
)
@click.option(
    "--tick-time",
    type=click.FloatRange(0, min_open=True),
    help=f"Seconds a tick with --clock realtime: {TICK_TIME:g} if left out.",
)
@click.option(
    "--move-time",
    type=click.FloatRange(0, min_open=True),
    default=TimeControl().move_time,
    show_default=True,
    help="Seconds that a bot has free for a decision. You have all the time in the world.",
)
@click.option(
    "--bank-time",
    type=click.FloatRange(0),
    default=TimeControl().bank_time,
    show_default=True,
    help="Seconds that a bot has beyond, for the match.",
)
@click.option("--no-timeout", is_flag=True, help="Give bots all the time too, for one under a debugger.")
@click.option(
    "--jail", type=JAIL, help="How the bots are confined; auto, or process with a bot at a path, if left out."
)
@click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the record to this file; tournament replay shows it.",
)
@with_home
def command(
    *,
    game_id: str,
    bots: tuple[str, ...],
    seat: int,
    seed: str | None,
    parameters: tuple[str, ...],
    clock: str | None,
    tick_time: float | None,
    move_time: float,
    bank_time: float,
    no_timeout: bool,
    jail: str | None,
    record: Path | None,
    home: Home,
) -> None:
    """Play a game yourself against bots, in the terminal. It is rated nowhere.

    Type ? for what can be typed. Leaving forfeits the match. Exit code 1 if a bot was at fault.
    """
    game = find_game(game_id)
    settled = game.settle(dict(map(_split, parameters)))
    seats = game.settle_seats(len(bots) + 1)
    if seat >= seats:
        raise BadConfiguration(f"--seat {seat}: allowed are 0 to {seats - 1}")
    realtime = _is_realtime(game, clock, tick_time)
    players = [find_player(bot, home, game_id) for bot in bots]
    jail = jail_by_hand(players, jail)
    # A verdict is shown with the result.
    logging.getLogger("referee").setLevel(logging.ERROR)
    control = TimeControl(
        move_time=ENDLESS if no_timeout else move_time,
        bank_time=bank_time,
        match_time=ENDLESS,
        max_strikes=default_strikes(real_time=game.real_time),
        realtime=realtime,
        tick_time=tick_time or TICK_TIME,
    )
    conduct = Conduct(control, ENDLESS if no_timeout else Conduct().startup_time, jail=jail)
    players.insert(seat, Player(PERSON, 0, "", Path(), (), time_odds=(ENDLESS, 0.0)))
    seed = secrets.token_hex(4) if seed is None else seed
    board = Board(0, board_seed(text_seed(seed), game_id, 0))
    room = Room("", 0, game_id, settled, 0, 0, tuple(players), (board,), conduct)
    try:
        played = uvloop.run(_play(room, seat))
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise KeyboardInterrupt from None
    if record is not None:
        record.write_bytes(_revealed(played, board))
    _conclude(room, played, seat, seed)
    sys.exit(1 if any(verdict.seat != seat for verdict in played.report.verdicts) else 0)


def _split(parameter: str) -> tuple[str, Value]:
    name, equals, value = parameter.partition("=")
    if not equals:
        raise BadConfiguration(f"--parameter {parameter!r} is no NAME=VALUE")
    return name, value


def _is_realtime(game: Game, clock: str | None, tick_time: float | None) -> bool:
    """Tell whether ticks close on the wall clock. Raises :class:`BadConfiguration`."""
    if not game.real_time and (clock == "realtime" or tick_time is not None):
        option = "--clock realtime" if clock == "realtime" else f"--tick-time {tick_time:g}"
        raise BadConfiguration(f"{option} is not for {game.id}, which goes in turns: it is for real-time games")
    if clock == "lockstep" and tick_time is not None:
        raise BadConfiguration(
            f"--tick-time {tick_time:g} with --clock lockstep, which waits for you: realtime is allowed"
        )
    return game.real_time and clock != "lockstep"


async def _play(room: Room, seat: int) -> Played:
    person = PersonSeat()
    names = [player.label for player in room.players]
    try:
        with Keyboard(alive=room.conduct.time_control.realtime) as keyboard:
            async with asyncio.TaskGroup() as group:
                group.create_task(Terminal(person, keyboard, stdout(), names).attend())
                return await play_exhibition(room, {seat: person})
    except* Exception as errors:  # noqa: BLE001 - raised again
        error: Exception = errors
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        raise error from None


def _revealed(played: Played, board: Board) -> bytes:
    record = parse(played.report.record)
    record.header.seed = board.seed
    return seal(record)


def _conclude(room: Room, played: Played, seat: int, seed: str) -> None:
    """Show how the match has ended, and what a bot at fault has written."""
    console = stdout()
    report = played.report
    replay = Replay(parse(report.record), Timings.FromString(report.timings), room.boards[0].seed)
    for line in replay.result():
        console.print(line)
    for verdict in report.verdicts:
        console.print(f"  seat {verdict.seat} {verdict.detail}", style="red", markup=False)
        if verdict.seat != seat:
            console.print(played.logs[verdict.seat].rstrip()[-2000:], style="dim", markup=False)
    console.print(f"the same cards again: --seed {seed}", style="dim", markup=False)
