"""Rooms for tests, with players made of the misbehaving bots in ``tests/bots``."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from cardpit import TimeControl
from cardpit.games import find_game
from cardpit.games.seeds import board_seed
from referee.orders import Board, Conduct, MatchReport, Player, Room, RoomReport

BOTS = Path(__file__).parent / "bots"

Hosted = tuple[list[MatchReport], RoomReport]
HostRoom = Callable[..., Hosted]


def faulty(name: str) -> Player:
    """A misbehaving bot of ``tests/bots/faults.py``."""
    return Player(name, 0, "", BOTS, ("python", "faults.py", name))


def make_room(
    bots: Sequence[str] = ("honest", "honest"),
    *,
    game: str = "landlord",
    boards: int = 1,
    move_time: float = 0.3,
    bank_time: float = 0.0,
    max_strikes: int = 3,
    realtime: bool = False,
    tick_time: float = 0.05,
    match_time: float = 3600.0,
    meter: str = "wall",
    time_odds: Sequence[tuple[float, float] | None] = (),
    **conduct: object,
) -> Room:
    """A room for bots of ``tests/bots/faults.py``."""
    control = TimeControl(move_time, bank_time, match_time, max_strikes, realtime, tick_time, meter)
    return Room(
        tournament="",
        pool=0,
        game=game,
        parameters=find_game(game).settle(None),
        pairing=0,
        room=0,
        players=tuple(
            replace(faulty(name), time_odds=odds) for name, odds in zip_longest(bots, time_odds) if name is not None
        ),
        boards=tuple(Board(k, board_seed(bytes(32), game, k)) for k in range(boards)),
        conduct=replace(Conduct(time_control=control, grace_time=0.3), **conduct),  # type: ignore[arg-type]
    )
