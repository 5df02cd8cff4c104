"""The command ``referee``: one match by hand, for a bot's author.

Exit codes: 0 played, 1 a bot was at fault, 2 wrong use, 130 interrupted.
"""

import asyncio
import json
import logging
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import cast

import click
import uvloop

from cardpit import TimeControl
from cardpit.games import GAMES, Game, GameError, Value, find_game
from cardpit.games.seeds import SEED_SIZE, board_seed, text_seed
from referee.clock import default_strikes
from referee.lag import lag_limit, lag_mark
from referee.manifest import BadManifest, read_player
from referee.orders import Board, Conduct, MatchReport, Room, rotated
from referee.record import parse, seal
from referee.room import play_room
from referee.sandbox import CHOICES, JailError, choose_jail
from referee.usage import usage_text

COUNT = click.IntRange(min=1)
SECONDS = click.FloatRange(min=0, min_open=True)


class Commands(click.Group):
    """The commands; what cannot be read of a command line becomes one line."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        try:
            return cast("object", super().invoke(ctx))
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            raise Misused(usage_text(error)) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(version("cardpit-platform"), prog_name="referee")
def main() -> None:
    """Play matches between bots, strictly."""


@main.command("match", epilog="\b\nExample:\n  referee match --game landlord bots/first bots/random --seed 3 --moves")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT ...")
@click.option("--game", "game_id", required=True, help=f"One of {', '.join(GAMES)}.")
@click.option("--seed", help="Any text: the same seed gives the same cards. Random if left out.")
@click.option("--board-seed", "board_hex", metavar="HEX", help="The seed of one board, as an export tells it.")
@click.option("--boards", "count", default=1, show_default=True, type=COUNT, help="How many deals to play.")
@click.option("--rotate", is_flag=True, help="Play each deal in every rotation of the seats.")
@click.option("--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter of the game.")
@click.option(
    "--move-time", default=TimeControl().move_time, show_default=True, type=SECONDS, help="Seconds free a decision."
)
@click.option(
    "--bank-time",
    default=TimeControl().bank_time,
    show_default=True,
    type=click.FloatRange(min=0),
    help="Seconds beyond, for the match.",
)
@click.option("--max-strikes", type=COUNT, help="So many strikes forfeit: 3, or 50 in real-time games.")
@click.option("--realtime", is_flag=True, help="Close each tick on the wall clock (real-time games).")
@click.option(
    "--tick-time",
    default=TimeControl().tick_time,
    show_default=True,
    type=SECONDS,
    help="Seconds a tick, with --realtime.",
)
@click.option(
    "--meter", default="wall", show_default=True, type=click.Choice(["wall", "cpu"]), help="What a decision is charged."
)
@click.option("--ponder", is_flag=True, help="Let bots think between their turns.")
@click.option("--no-timeout", is_flag=True, help="Give all the time in the world, for a bot under a debugger.")
@click.option("--jail", default="process", show_default=True, type=click.Choice(CHOICES), help="Confines the bots.")
@click.option("--record", type=click.Path(path_type=Path), help="Write the last match's record to this file.")
@click.option("--moves", is_flag=True, help="Show every action.")
@click.option("--format", "form", default="text", type=click.Choice(["text", "json"]), show_default=True)
def match_command(
    *,
    bots: tuple[str, ...],
    game_id: str,
    seed: str | None,
    board_hex: str | None,
    count: int,
    rotate: bool,
    parameters: tuple[str, ...],
    move_time: float,
    bank_time: float,
    max_strikes: int | None,
    realtime: bool,
    tick_time: float,
    meter: str,
    ponder: bool,
    no_timeout: bool,
    jail: str,
    record: Path | None,
    moves: bool,
    form: str,
) -> None:
    """Play one match between bots: folders with a bot.toml, or Python files, by seat."""
    logging.basicConfig(level=logging.ERROR, format="referee: %(message)s")
    if meter == "cpu" and realtime:
        raise Misused("--meter cpu with --realtime, which no bot is charged for: wall is allowed")
    try:
        game = find_game(game_id)
        settled = game.settle(dict(_split(parameter) for parameter in parameters))
        game.settle_seats(len(bots))
        players = tuple(read_player(Path(bot), game.id) for bot in bots)
        jail = choose_jail(jail)
    except (GameError, BadManifest, JailError) as error:
        raise Misused(str(error)) from None
    endless = 1e6
    control = TimeControl(
        move_time=endless if no_timeout else move_time,
        bank_time=bank_time,
        match_time=endless if no_timeout else TimeControl().match_time,
        max_strikes=max_strikes or default_strikes(real_time=game.real_time),
        realtime=realtime,
        tick_time=tick_time,
        meter=meter,
    )
    conduct = Conduct(
        time_control=control,
        jail=jail,
        ponder=ponder,
        startup_time=endless if no_timeout else Conduct().startup_time,
    )
    boards = _boards(game.id, seed, board_hex, count)
    reports = []
    for rotation in range(len(players) if rotate else 1):
        room = Room("", 0, game.id, settled, 0, rotation, rotated(players, rotation), boards, conduct)
        reports += [(room, report) for report in _play(room)]
    for room, report in reports:
        if form == "json":
            click.echo(json.dumps(_as_data(room, report)))
        else:
            _print(game, room, report, moves)
    if record is not None:
        record.write_bytes(_revealed(reports[-1][1], boards))
    sys.exit(1 if any(report.verdicts for _, report in reports) else 0)


class Misused(click.ClickException):
    """A message on one line, for what cannot be done."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        """Print it."""
        click.echo(f"referee: {self.message}", err=True)


def _boards(game_id: str, seed: str | None, board_hex: str | None, count: int) -> tuple[Board, ...]:
    if board_hex is None:
        root = text_seed(seed) if seed is not None else os.urandom(SEED_SIZE)
        return tuple(Board(k, board_seed(root, game_id, k)) for k in range(count))
    if seed is not None or count > 1:
        raise Misused("--board-seed is the seed of one board: neither --seed nor more than one of --boards is allowed")
    try:
        found = bytes.fromhex(board_hex)
    except ValueError:
        found = b""
    if len(found) != SEED_SIZE:
        raise Misused(f"--board-seed {board_hex!r}: {2 * SEED_SIZE} hexadecimal digits are allowed")
    return (Board(0, found),)


def _split(parameter: str) -> tuple[str, Value]:
    name, equals, value = parameter.partition("=")
    if not equals:
        raise Misused(f"--parameter {parameter!r} is no NAME=VALUE")
    return name, value


def _play(room: Room) -> list[MatchReport]:
    reports: list[MatchReport] = []

    async def play() -> Sequence[str]:
        return (await play_room(room, reports.append)).logs

    try:
        logs = uvloop.run(play())
    except (KeyboardInterrupt, asyncio.CancelledError):
        click.echo("referee: interrupted", err=True)
        sys.exit(130)
    for player, log in zip(room.players, logs, strict=True):
        for line in log.splitlines():
            click.echo(f"{player.label}: {line}", err=True)
    return reports


def _print(game: Game, room: Room, report: MatchReport, moves: bool) -> None:
    if moves:
        for number, step in enumerate(parse(report.record).steps, 1):
            for action in step.actions:
                mark = "  (in place of its own)" if action.substituted else ""
                click.echo(f"{number:>4}  seat {action.seat}  {room.players[action.seat].label}: {action.action}{mark}")
    for seat, player in enumerate(room.players):
        verdict = next((f": {v.termination.value}: {v.detail}" for v in report.verdicts if v.seat == seat), "")
        click.echo(
            f"board {report.board}  seat {seat}  {player.label:<16}  place {report.places[seat]}  "
            f"{report.payoffs[seat]:+g} {game.payoff_unit}  {report.used_times[seat]:.3f} s  "
            f"{report.strikes[seat]} strikes{verdict}"
        )
    if report.lag_time > (limit := _lag_limit(room)):
        click.echo(f"board {report.board}  {lag_mark(report.lag_time, limit)}", err=True)


def _lag_limit(room: Room) -> float:
    return lag_limit(min(control.move_time for control in room.time_controls))


def _as_data(room: Room, report: MatchReport) -> dict[str, object]:
    faults = {verdict.seat: verdict for verdict in report.verdicts}
    return {
        "board": report.board,
        "room": report.room,
        "termination": report.termination.value,
        "decisions": report.decisions,
        "lag_time": report.lag_time,
        "lagged": report.lag_time > _lag_limit(room),
        "seats": [
            {
                "bot": player.bot,
                "payoff": report.payoffs[seat],
                "place": report.places[seat],
                "strikes": report.strikes[seat],
                "timeouts": report.timeouts[seat],
                "used_time": report.used_times[seat],
                "termination": faults[seat].termination.value if seat in faults else "normal",
                "detail": faults[seat].detail if seat in faults else "",
            }
            for seat, player in enumerate(room.players)
        ],
    }


def _revealed(report: MatchReport, boards: Sequence[Board]) -> bytes:
    record = parse(report.record)
    record.header.seed = boards[report.board].seed
    return seal(record)
