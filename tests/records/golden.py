"""Golden records: whole matches as text, one a game, to be read as a diff when a rule changes.

``make golden`` writes them again.
"""

import asyncio
from pathlib import Path
from types import MappingProxyType

from built_in import load
from cardpit import Bot
from cardpit.games import GAMES, find_game
from cardpit.games.seeds import board_seed, text_seed
from cardpit.v1 import record_pb2 as pb
from referee.match import Match
from referee.orders import Board, Conduct, Player, Room
from referee.record import parse
from referee.seats.inprocess import InProcessSeat
from tournament.replay import Replay

HERE = Path(__file__).parent
BOTS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "landlord": ("landlord_rules", "first"),
        "twenty-two": ("twenty_two_rules", "first", "first"),
        "spit": ("spit_rules", "first"),
        "speed": ("speed_rules", "first"),
    }
)
"""Bots without chance of their own, by seat; in other games all seats have ``first``."""


def golden_path(game_id: str) -> Path:
    """Return the file of a game."""
    return HERE / f"{game_id}.txt"


def golden_text(game_id: str) -> str:
    """Play the match of a game and return it as text, with the table after each turn, or after each 50th tick."""
    game = find_game(game_id)
    seed = board_seed(text_seed("golden"), game_id, 0)
    names = BOTS.get(game_id, ("first",) * game.min_seats)
    bots: list[type[Bot]] = [load(name) for name in names]
    players = tuple(Player(name, 0, "", HERE, ()) for name in names)
    board = Board(0, seed)
    room = Room("", 0, game_id, game.settle(None), 0, 0, players, (board,), Conduct(jail="none"))
    report = asyncio.run(Match(room, board, [InProcessSeat(bot) for bot in bots]).play())
    replay = Replay(parse(report.record), pb.Timings(), seed)
    lines = replay.head()
    whole, brief = replay.steps(0, replay.length), replay.steps(0, replay.length, brief=True)
    for step, (drawn, told) in enumerate(zip(whole, brief, strict=True)):
        lines += drawn if not game.real_time or step % 50 == 0 or step == replay.length else told
    return "".join(f"{line.plain.rstrip()}\n" for line in [*lines, *replay.result()])


if __name__ == "__main__":
    for game_id in GAMES:
        golden_path(game_id).write_text(golden_text(game_id), encoding="utf-8")
