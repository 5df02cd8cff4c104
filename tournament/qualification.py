"""Qualification: what a bot must get through before it is stored."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from cardpit.games import GAMES
from cardpit.games.seeds import SEED_SIZE
from referee.orders import Board, Conduct, MatchReport, Player, Room, Termination, Verdict, rotated
from tournament.errors import Failure, Refused
from tournament.run.executor import Executor, RoomFailed

BOARDS = 1
"""Boards in each game, each played in every rotation: every seat is tried."""


@dataclass(frozen=True, slots=True)
class Qualified:
    """What a bot did in its qualification."""

    matches: int
    strikes: int
    """Late and illegal answers that did not yet cost it a match."""


def rooms(candidate: Player, opponent: Player, games: tuple[str, ...], conduct: Conduct) -> list[Room]:
    """Return the rooms of a qualification: the bot among as many of the opponent as the game needs, in each seat."""
    orders = []
    for number, game_id in enumerate(games):
        game = GAMES[game_id]
        boards = tuple(Board(board, secrets.token_bytes(SEED_SIZE)) for board in range(BOARDS))
        pairing = (candidate, *[opponent] * (game.min_seats - 1))
        for room in range(game.min_seats):
            players = rotated(pairing, room)
            orders.append(Room("", number, game_id, game.settle({}), 0, room, players, boards, conduct))
    return orders


async def qualify(
    candidate: Player,
    opponent: Player,
    games: tuple[str, ...],
    executor: Executor,
    conduct: Conduct,
    played: Callable[[str, int], None] = lambda game, seat: None,
) -> Qualified:
    """Let a bot play against the opponent in every game it claims, in every seat.

    ``played`` is told the game and the bot's seat after every match that it got through.
    Raises :class:`Refused` with the verdict, what the bot wrote and what to do, at its first fault.
    """
    free = asyncio.Semaphore(executor.capacity)
    strikes = matches = 0

    async def play(room: Room) -> None:
        nonlocal strikes, matches
        seat = room.players.index(candidate)
        async with free:
            try:
                async for report in executor.play(room):
                    if isinstance(report, MatchReport):
                        _judge(report, room, seat)
                        strikes += report.strikes[seat]
                        matches += 1
                        played(room.game, seat)
            except RoomFailed as error:
                raise Failure(f"bot {candidate.bot} could not be tried in {room.game}: {error}") from None

    await executor.start()
    try:
        async with asyncio.TaskGroup() as group:
            for room in rooms(candidate, opponent, games, conduct):
                group.create_task(play(room))
    except* (Refused, Failure) as errors:
        raise errors.exceptions[0] from None
    finally:
        await executor.close()
    return Qualified(matches, strikes)


def _judge(report: MatchReport, room: Room, seat: int) -> None:
    for verdict in report.verdicts:
        player = room.players[verdict.seat]
        if verdict.termination is Termination.PLATFORM:
            raise Failure(f"bot {player.bot} could not be tried in {room.game}: {verdict.detail}")
        if verdict.seat != seat:
            raise Failure(f"the opponent {player.label} failed in {room.game}: {verdict.detail}: nothing was decided")
        raise Refused(_refusal(player, room, verdict))


ADVICE = {
    Termination.TIMEOUT: "answer within the move time; the bank is for the whole match",
    Termination.ILLEGAL_ACTION: "answer with one of turn.legal_actions, or its index",
    Termination.PROTOCOL: "send one Decision for each Turn and nothing else",
    Termination.CRASH: "mend the error that the bot wrote below",
    Termination.DISCONNECT: "keep the process and its stream until Farewell",
    Termination.MEMORY: "use less memory",
    Termination.STARTUP: "check the bot's command and what it wrote below; a Python file ends with MyBot.run()",
}
"""What a bot's author can do about a verdict."""


def _refusal(player: Player, room: Room, verdict: Verdict) -> str:
    advice = ADVICE.get(verdict.termination, "look at what the bot wrote below")
    tail = verdict.log.rstrip()[-2000:]
    wrote = f"what the bot wrote:\n{tail}" if tail else "the bot wrote nothing"
    seat = f"in seat {verdict.seat} of {room.game}"
    return (
        f"bot {player.bot} is refused {seat}: {verdict.termination.value}: {verdict.detail}\n"
        f"what to do: {advice}\n{wrote}"
    )
