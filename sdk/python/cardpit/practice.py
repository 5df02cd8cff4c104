"""Whole matches in this process, without a referee: no deadlines, no records. For trying a bot and for training."""

from collections.abc import Awaitable, Mapping, Sequence
from random import Random

from cardpit.bot import BatchBot, Bot, Choice
from cardpit.games import IllegalAction, Outcome, State, Value, find_game
from cardpit.games.seeds import bot_seed
from cardpit.views import Result, Table, TimeControl, Turn

_NO_LIMIT = TimeControl(move_time=float("inf"), bank_time=float("inf"), match_time=float("inf"))


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
        state = state.apply({seat: choose(players[seat], tables[seat], number, state) for seat in state.turn})
    result = Result(state.outcome.payoffs, state.outcome.places, ("normal",) * len(bots))
    for player in players:
        player.closed(result)
    return state.outcome


def choose(player: Bot, table: Table, number: int, state: State) -> str:
    """Return the notation of what a bot chooses in a state. Raises :class:`cardpit.games.IllegalAction`."""
    legal = state.legal_actions(table.seat)
    turn = Turn(table, number, lambda: state.observe(table.seat), legal, float("inf"), float("inf"))
    choice: Choice | Awaitable[Choice]
    if isinstance(player, BatchBot):
        choices = player.act_many((turn,))
        choice = choices if isinstance(choices, Awaitable) else choices[0]  # type: ignore[assignment]
    else:
        choice = player.act(turn)
    if isinstance(choice, int) and 0 <= choice < len(legal):
        return legal[choice]
    if isinstance(choice, str) and choice in legal:
        return choice
    raise IllegalAction(table.seat, str(choice), f"is not one of the {len(legal)} legal actions")
