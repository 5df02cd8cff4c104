"""Matches without a referee: ``cardpit.practice``, and a bot's file run by hand."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from random import Random

import pytest

from cardpit import BatchBot, Bot, Result, Table, TimeControl, Turn
from cardpit.games import GAMES, IllegalAction, Value, find_game
from cardpit.games.seeds import bot_seed
from cardpit.practice import choose, play
from rooms import BOTS

SEED = bytes(32)


class First(Bot):
    def act(self, turn: Turn) -> str:
        return turn.legal_actions[0]


class AsyncFirst(Bot):
    async def act(self, turn: Turn) -> str:
        await asyncio.sleep(0)
        return turn.legal_actions[0]


class BatchFirst(BatchBot):
    def act_many(self, turns: Sequence[Turn]) -> list[int]:
        return [0] * len(turns)


class AsyncBatchFirst(BatchBot):
    async def act_many(self, turns: Sequence[Turn]) -> list[int]:
        await asyncio.sleep(0)
        return [0] * len(turns)


class WholeNumber:
    """Stands for the whole numbers of other libraries, such as NumPy's."""

    def __index__(self) -> int:
        return 0


class ForeignFirst(Bot):
    def act(self, turn: Turn) -> int:
        return WholeNumber()  # type: ignore[return-value]


@pytest.mark.parametrize("bot", [AsyncFirst, BatchFirst, AsyncBatchFirst, ForeignFirst])
@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_bot_practises_alike(game: str, bot: type[Bot]) -> None:
    seats = find_game(game).min_seats
    assert play(game, [bot] * seats, SEED) == play(game, [First] * seats, SEED)


def test_turns_of_a_seat_are_counted_from_one() -> None:
    numbers: dict[int, list[int]] = {0: [], 1: []}

    class Count(First):
        def act(self, turn: Turn) -> str:
            numbers[turn.seat].append(turn.number)
            return turn.legal_actions[0]

    play("landlord", [Count, Count], SEED)
    assert all(len(counted) > 1 for counted in numbers.values())
    assert all(counted == list(range(1, len(counted) + 1)) for counted in numbers.values())


def test_a_bot_is_told_of_its_table_and_of_the_result() -> None:
    told: list[Table | Result] = []

    class Diary(First):
        def opened(self, table: Table) -> None:
            assert self.table is table
            told.append(table)

        def closed(self, result: Result) -> None:
            told.append(result)

    parameters: dict[str, Value] = {"max_grabs": 1}
    outcome = play("landlord", [First, Diary], SEED, parameters)
    table, result = told
    assert isinstance(table, Table)
    assert (table.game, table.seat, table.seats) == ("landlord", 1, 2)
    assert table.parameters == find_game("landlord").settle(parameters)
    assert table.bot_seed == bot_seed(SEED, 1)
    assert result == (outcome.payoffs, outcome.places, ("normal", "normal"))


@pytest.mark.parametrize("answer", ["castle", 99, -1])
def test_an_illegal_answer_is_an_error(answer: str | int) -> None:
    class Wrong(Bot):
        def act(self, turn: Turn) -> str | int:
            return answer

    with pytest.raises(IllegalAction, match=r"is not one of the \d+ legal actions"):
        play("landlord", [Wrong, Wrong], SEED)


@pytest.mark.parametrize("answer", [None, 0.0, ["call"]])
def test_an_answer_of_another_type_names_what_is_allowed(answer: object) -> None:
    class Wrong(Bot):
        def act(self, turn: Turn) -> str:
            return answer  # type: ignore[return-value]

    with pytest.raises(TypeError) as error:
        play("landlord", [Wrong, Wrong], SEED)
    assert (
        str(error.value) == f"Wrong.act returned {answer!r}: allowed is an action of turn.legal_actions, or its index"
    )


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (["call", "no"], "WrongBatch.act_many returned 2 choices for 1 turns"),
        ("call", "WrongBatch.act_many returned 'call': allowed is one choice for each turn"),
        (0, "WrongBatch.act_many returned 0: allowed is one choice for each turn"),
        ([None], "WrongBatch.act_many returned None: allowed is an action of turn.legal_actions, or its index"),
    ],
)
def test_a_batch_of_another_length_or_type_names_what_is_allowed(answer: object, complaint: str) -> None:
    class WrongBatch(BatchBot):
        def act_many(self, turns: Sequence[Turn]) -> list[str]:
            return answer  # type: ignore[return-value]

    with pytest.raises(TypeError) as error:
        play("landlord", [WrongBatch, WrongBatch], SEED)
    assert str(error.value) == complaint


def test_an_async_bot_is_refused_where_nobody_can_wait_for_it() -> None:
    state = GAMES["landlord"].deal(SEED)
    table = Table(0, "landlord", 1, {}, 1, 2, TimeControl(), SEED, Random(0))
    turn = Turn(table, 1, lambda: state.observe(1), state.legal_actions(1), 1.0, 1.0)
    assert choose(First(), turn) == "call"
    assert choose(BatchFirst(), turn) == 0
    with pytest.raises(TypeError, match="AsyncFirst answers asynchronously"):
        choose(AsyncFirst(), turn)


def test_a_bot_run_by_hand_says_how_to_submit_it_and_plays() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CARDPIT_")}
    for name in ("first", "patient"):
        done = subprocess.run(
            [sys.executable, "sdk_bots.py", name],
            cwd=BOTS,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        first, *matches = [line for line in done.stdout.splitlines() if not line.startswith("thought")]
        assert first.endswith("plays when a referee starts it. Submit it with: tournament submit sdk_bots.py")
        assert len(matches) == len(GAMES)
        for line, game in zip(matches, GAMES.values(), strict=True):
            assert line.startswith(f"One match of {game.name} against random choices: place ")
            assert line.endswith(game.payoff_unit)
        assert done.stderr == ""
