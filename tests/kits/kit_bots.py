"""The bots in other languages as players, and rooms for them."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
import uvloop

from cardpit import TimeControl
from cardpit.games import find_game
from cardpit.games.seeds import board_seed
from referee.orders import Board, Conduct, MatchReport, Player, Room, Termination
from referee.record import check, parse
from referee.room import play_room
from tournament.bundle import read_bundle
from tournament.errors import BadBundle
from tournament.registry import candidate

BOTS = Path(__file__).parent.parent.parent / "bots"

TOOLS: Mapping[str, str] = MappingProxyType(
    {
        "node": "npm",
        "go": "go",
        "rust": "cargo and protoc",
        "cpp": "cmake, g++ and gRPC for C++",
        "java": "a JDK and mvn",
    }
)
"""Every language with a kit, and what builds it."""


def player(folder: Path) -> Player:
    """The bot in a folder."""
    return candidate(read_bundle(folder), folder)


def kit_bot(language: str) -> Player:
    """The random bot of a kit. Where it is not built, a test is skipped; in CI it fails."""
    try:
        return player(BOTS / f"random_{language}")
    except BadBundle as error:
        reason = f"the kit for {language} is not built ({error}): run make kits, with {TOOLS[language]}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def play(players: tuple[Player, ...], game: str, boards: tuple[int, ...], **conduct: object) -> list[MatchReport]:
    """Play a room, and return its matches once each is found to be without fault."""
    room = Room(
        tournament="",
        pool=0,
        game=game,
        parameters=find_game(game).settle(None),
        pairing=0,
        room=0,
        players=players,
        boards=tuple(Board(number, board_seed(bytes(32), game, number)) for number in boards),
        conduct=Conduct(TimeControl(move_time=1.0, bank_time=20.0), startup_time=20.0, **conduct),  # type: ignore[arg-type]
    )
    reports: list[MatchReport] = []
    done = uvloop.run(asyncio.wait_for(play_room(room, reports.append), 60))
    for report in reports:
        assert [verdict.detail for verdict in report.verdicts] == []
        assert report.termination is Termination.NORMAL
        assert sum(report.strikes) == 0
        assert check(parse(report.record), board_seed(bytes(32), game, report.board)) == []
    assert sorted(report.board for report in reports) == sorted(boards)
    assert set(done.logs) == {""}
    return reports
