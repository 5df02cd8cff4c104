"""Whole matches in this process, without a referee: no deadlines, no records. For trying a bot and for training."""

import math
from collections.abc import Awaitable, Mapping, Sequence
from random import Random

from cardpit.bot import BatchBot, Bot, Choice
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
    through whatever a bot raises. Bots with ``async`` methods cannot play here.
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
    number = 0
    while state.outcome is None:
        number += 1
        state = state.apply({seat: _act(players[seat], tables[seat], number, state) for seat in state.turn})
    result = Result(state.outcome.payoffs, state.outcome.places, ("normal",) * len(bots))
    for player in players:
        player.closed(result)
    return state.outcome


def _act(player: Bot, table: Table, number: int, state: State) -> str:
    legal = state.legal_actions(table.seat)
    choice = choose(player, Turn(table, number, lambda: state.observe(table.seat), legal, math.inf, math.inf))
    action = notation(choice, legal)
    if action is None:
        raise IllegalAction(table.seat, str(choice), f"is not one of the {len(legal)} legal actions")
    return action


def choose(player: Bot, turn: Turn) -> Choice:
    """Return what a bot answers to one turn. Raises ``TypeError`` for a bot whose methods are ``async``."""
    answer = player.act_many((turn,)) if isinstance(player, BatchBot) else player.act(turn)
    if isinstance(answer, Awaitable):
        raise TypeError(f"{type(player).__name__} answers asynchronously: only a referee can ask it")
    if isinstance(answer, (str, int)):
        return answer
    return answer[0]


def notation(choice: Choice, legal_actions: Sequence[str]) -> str | None:
    """Return the action that a choice names, by index or by notation; None if it names no legal one."""
    if isinstance(choice, str):
        return choice if choice in legal_actions else None
    return legal_actions[choice] if 0 <= choice < len(legal_actions) else None
