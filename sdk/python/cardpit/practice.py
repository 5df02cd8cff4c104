"""Whole matches in this process, without a referee: no deadlines, no records. For trying a bot and for training."""

import asyncio
import inspect
import math
from collections.abc import Awaitable, Mapping, Sequence
from random import Random

from cardpit.bot import BatchBot, Bot, Choice, checked_choice, checked_choices
from cardpit.games import IllegalAction, Outcome, State, Value, find_game
from cardpit.games.seeds import bot_seed
from cardpit.views import Result, Table, TimeControl, Turn

_NO_LIMIT = TimeControl(move_time=math.inf, bank_time=math.inf, match_time=math.inf)


def play(
    game_id: str,
    bots: Sequence[type[Bot]],
    seed: bytes,
    parameters: Mapping[str, Value] | None = None,
) -> Outcome:
    """Play one match between bots, by seat, and return how it ended.

    ``seed`` is 32 bytes. Raises :class:`cardpit.games.IllegalAction` where a bot chooses what is not legal, and lets
    through whatever a bot raises. A bot with ``async`` methods can play here where no event loop is running.
    """
    game = find_game(game_id)
    settled = game.settle(parameters)
    state = game.deal(seed, len(bots), settled)
    tables = [
        Table(seat, game_id, game.rules_version, settled, seat, len(bots), _NO_LIMIT, private, Random(private))
        for seat, private in enumerate(bot_seed(seed, seat) for seat in range(len(bots)))
    ]
    players = [bot() for bot in bots]
    for player, table in zip(players, tables, strict=True):
        player.table = table
        player.opened(table)
    numbers = [0] * len(bots)
    runner = asyncio.Runner()
    try:
        while state.outcome is None:
            actions = {}
            for seat in state.turn:
                numbers[seat] += 1
                actions[seat] = _act(players[seat], tables[seat], numbers[seat], state, runner)
            state = state.apply(actions)
    finally:
        runner.close()
    result = Result(state.outcome.payoffs, state.outcome.places, ("normal",) * len(bots))
    for player in players:
        player.closed(result)
    return state.outcome


def _act(player: Bot, table: Table, number: int, state: State, runner: asyncio.Runner) -> str:
    legal = state.legal_actions(table.seat)
    answer = _ask(player, Turn(table, number, lambda: state.observe(table.seat), legal, math.inf, math.inf))
    if isinstance(answer, Awaitable):
        answer = runner.run(_awaited(answer))
    choice = _read(player, answer)
    action = notation(choice, legal)
    if action is None:
        raise IllegalAction(table.seat, str(choice), f"is not one of the {len(legal)} legal actions")
    return action


def choose(player: Bot, turn: Turn) -> Choice:
    """Return what a bot answers to one turn. Raises ``TypeError`` for a bot whose methods are ``async``."""
    answer = _ask(player, turn)
    if isinstance(answer, Awaitable):
        if inspect.iscoroutine(answer):
            answer.close()
        raise TypeError(f"{type(player).__name__} answers asynchronously: it cannot be asked in this process")
    return _read(player, answer)


def _ask(player: Bot, turn: Turn) -> object:
    return player.act_many((turn,)) if isinstance(player, BatchBot) else player.act(turn)


def _read(player: Bot, answer: object) -> Choice:
    if isinstance(player, BatchBot):
        return checked_choices(player, answer, 1)[0]
    return checked_choice(player, answer)


async def _awaited(answer: Awaitable[object]) -> object:
    return await answer


def notation(choice: Choice, legal_actions: Sequence[str]) -> str | None:
    """Return the action that a choice names, by index or by notation; None if it names no legal one."""
    if isinstance(choice, str):
        return choice if choice in legal_actions else None
    return legal_actions[choice] if 0 <= choice < len(legal_actions) else None
