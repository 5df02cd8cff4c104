"""The games as PettingZoo environments: its own tests pass, and they are played by the rules."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from cardpit.encoding import CARDS, SHAPES, TOPS, Encoder
from cardpit.games import GAMES, GameError, State, UnknownGame
from cardpit.pettingzoo import Table, TurnEnv, aec_env, parallel_env

TRAINED_ON = [GAMES[game_id] for game_id in SHAPES]
TABLES = [(game.id, seats) for game in TRAINED_ON for seats in sorted({game.min_seats, game.max_seats})]
TICK_GAMES = [game.id for game in TRAINED_ON if game.real_time]
CYCLES = {game.id: (game.longest_match + 2) * game.max_seats for game in TRAINED_ON} | {"spit": 3000, "speed": 300}
"""More than the decisions of all agents in a match of random choices, which has few ticks beside the longest."""
pytestmark = pytest.mark.filterwarnings("ignore:Observation (space for each agent|is not a NumPy array):UserWarning")


def random_states(game_id: str, seats: int) -> Iterator[State]:
    chance = np.random.default_rng(5)
    state = GAMES[game_id].deal(bytes(32), seats)
    while state.outcome is None:
        yield state
        state = state.apply({seat: chance.choice(state.legal_actions(seat)) for seat in state.turn})
    yield state


def table_of(env: Any) -> Table:
    """Return the table of an environment, in its wrapper or not."""
    table = env.unwrapped.table
    assert isinstance(table, Table)
    return table


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_the_aec_environment_passes_the_tests_of_pettingzoo(game_id: str, seats: int) -> None:
    api_test(aec_env(game_id, seats), num_cycles=CYCLES[game_id])
    seed_test(lambda: aec_env(game_id, seats), num_cycles=CYCLES[game_id])


@pytest.mark.parametrize("game_id", TICK_GAMES)
def test_the_parallel_environment_passes_the_tests_of_pettingzoo(game_id: str) -> None:
    parallel_api_test(parallel_env(game_id), num_cycles=CYCLES[game_id])
    parallel_seed_test(lambda: parallel_env(game_id), num_cycles=CYCLES[game_id] // 10)


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_a_match_ends_with_the_payoffs_of_the_game_within_those_cycles(game_id: str, seats: int) -> None:
    env = aec_env(game_id, seats)
    env.reset(seed=3)
    for seat, agent in enumerate(env.agents):
        env.action_space(agent).seed(seat)
    rewards = dict.fromkeys(env.agents, 0.0)
    cycles = 0
    for agent in env.agent_iter(CYCLES[game_id] * seats):
        observation, reward, termination, truncation, info = env.last()
        rewards[agent] += reward
        cycles += 1
        assert not truncation
        assert info == {}
        env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))
    assert env.agents == []
    assert cycles < CYCLES[game_id]
    outcome = table_of(env).state.outcome
    assert outcome is not None
    assert tuple(rewards.values()) == outcome.payoffs


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_every_legal_action_has_a_number_of_its_own(game_id: str, seats: int) -> None:
    encoder = Encoder(GAMES[game_id], seats)
    for state in random_states(game_id, seats):
        for seat in state.turn:
            legal = state.legal_actions(seat)
            numbers = encoder.numbers(legal, state.observe(seat), seat)
            assert len(set(numbers)) == len(legal)
            assert all(0 <= number < encoder.action_count for number in numbers)
            named = [encoder.actions[number] for number in numbers]
            assert named == [action if not action.startswith("exchange") else "" for action in legal]


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_a_vector_tells_what_a_seat_sees_with_seats_from_its_own_on(game_id: str, seats: int) -> None:
    encoder = Encoder(GAMES[game_id], seats)
    for state in islice(random_states(game_id, seats), 60):
        for seat in range(seats):
            seen = state.observe(seat)
            vector = encoder.vector(seen, seat)
            assert all(-1 <= number <= 1 for number in vector)
            told = dict(zip(encoder.names, vector, strict=True))
            assert [name for name in told if name[:5] == "phase" and told[name]] == [f"phase {seen.phase}"]
            assert [name for name in told if name[:5] == "seat " and told[name]] == [f"seat {seat}"]
            for zone in seen.zones:
                start = f"{zone.name} {'-' if zone.owner is None else (zone.owner - seat) % seats}"
                assert {card for card in CARDS if told[f"{start} {card}"]} == set(zone.cards)
                assert [rank for rank in TOPS if told[f"{start} top {rank}"]] == [card[0] for card in zone.cards[-1:]]
                assert round(54 * told[f"{start} unseen"]) == zone.unseen


def test_counters_of_seats_are_told_from_the_own_seat() -> None:
    state = next(state for state in random_states("landlord", 2) if dict(state.observe(0).counters)["landlord"] == 1)
    encoder = Encoder(GAMES["landlord"])
    mine, theirs = (dict(zip(encoder.names, encoder.vector(state.observe(seat), seat), strict=True)) for seat in (1, 0))
    assert (mine["counter landlord"], theirs["counter landlord"]) == (0.0, 1 / 16)
    race = next(random_states("spit", 2))
    encoder = Encoder(GAMES["spit"])
    for seat in range(2):
        told = dict(zip(encoder.names, encoder.vector(race.observe(seat), seat), strict=True))
        assert told["counter cards 0"] == pytest.approx(np.log2(27) / 16)
        assert told["counter finisher"] == -1 / 16


def test_an_action_that_the_mask_forbids_is_replaced_by_the_default_action() -> None:
    env = TurnEnv("landlord")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(env.table.encoder.actions.index("play 5"))
    assert env.infos[agent] == {"substituted": "no"}
    ticks = parallel_env("speed")
    ticks.reset(seed=1)
    forbidden = int(np.flatnonzero(ticks.table.sight(0)["action_mask"] == 0)[0])
    *_, infos = ticks.step({"seat_0": forbidden, "seat_1": ticks.table.encoder.actions.index("pass")})
    assert infos == {"seat_0": {"substituted": "pass"}, "seat_1": {}}


def test_a_seed_names_the_match_and_the_next_ones() -> None:
    env, other = aec_env("landlord"), aec_env("landlord")
    deals = []
    for table in (env, other):
        table.reset(seed=5)
        first = table_of(table).state.text
        table.reset()
        deals.append((first, table_of(table).state.text))
    assert deals[0] == deals[1]
    assert deals[0][0] != deals[0][1]


def test_only_real_time_games_are_parallel() -> None:
    with pytest.raises(GameError, match="landlord has turns and no ticks"):
        parallel_env("landlord")
    with pytest.raises(UnknownGame, match="unknown game 'chess'"):
        aec_env("chess")
