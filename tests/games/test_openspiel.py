"""The games through the eyes of OpenSpiel: an adapter, and its own check of random matches."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel
import pytest

from cardpit.encoding import Encoder
from cardpit.games import GAMES, Game, State
from cardpit.games.seeds import board_seed

DEALS = 64
"""The first chance node chooses one of so many seeds; all later chance follows from it."""


class Held:
    """What OpenSpiel need not copy with a state, as it never changes."""

    def __init__(self, kind: Game, encoder: Encoder, state: State | None = None) -> None:
        self.kind = kind
        self.encoder = encoder
        self.state = state
        self.numbers: dict[int, dict[int, str]] = {}
        """By player: the legal actions by number, once they were asked for."""

    def __deepcopy__(self, memo: object) -> "Held":
        return self


class SpielState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types for this
    """A match, its actions by number. A tick is a simultaneous node."""

    def __init__(self, game: "SpielGame") -> None:
        super().__init__(game)
        self.held = Held(game.kind, game.encoder)

    @property
    def state(self) -> State | None:
        return self.held.state

    @property
    def encoder(self) -> Encoder:
        return self.held.encoder

    def hold(self, state: State) -> None:
        self.held = Held(self.held.kind, self.held.encoder, state)

    def current_player(self) -> int:
        if self.state is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.state.turn[0] if len(self.state.turn) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1 / DEALS) for deal in range(DEALS)]

    def by_number(self, player: int) -> dict[int, str]:
        found = self.held.numbers.get(player)
        if found is None:
            assert self.state is not None
            legal = self.state.legal_actions(player)
            numbers = self.encoder.numbers(legal, self.state.observe(player), player)
            found = self.held.numbers[player] = dict(zip(numbers, legal, strict=True))
        return found

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.by_number(player))

    def _apply_action(self, action: int) -> None:
        if self.state is None:
            kind = self.held.kind
            self.hold(kind.deal(board_seed(bytes(32), kind.id, action), self.encoder.seats))
        else:
            (seat,) = self.state.turn
            self.hold(self.state.apply({seat: self.by_number(seat)[action]}))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        assert self.state is not None
        self.hold(self.state.apply({seat: self.by_number(seat)[action] for seat, action in enumerate(actions)}))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self.by_number(player)[action]

    def is_terminal(self) -> bool:
        return self.state is not None and self.state.outcome is not None

    def returns(self) -> list[float]:
        outcome = self.state.outcome if self.state is not None else None
        return list(outcome.payoffs) if outcome else [0.0] * self.encoder.seats

    def __str__(self) -> str:
        return "before the deal" if self.state is None else self.state.text


class Observer:
    """What a player sees, as OpenSpiel wants to ask for it."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.tensor = np.zeros(encoder.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = 0 if state.state is None else self.encoder.vector(state.state.observe(player), player)

    def string_from(self, state: SpielState, player: int) -> str:
        return "" if state.state is None else repr(state.state.observe(player))


class SpielGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types for this
    """A game of Cardpit with default parameters."""

    def __init__(self, kind: Game, seats: int, params: Mapping[str, Any] | None = None) -> None:
        self.kind = kind
        self.encoder = Encoder(kind, seats)
        low, high = kind.payoff_bounds(seats, kind.settle(None))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoder.action_count,
            max_chance_outcomes=DEALS,
            num_players=seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if kind.zero_sum else seats * (seats - 1) / 2,
            max_game_length=seats * kind.longest_match,
        )
        super().__init__(spiel_type(kind, seats), info, params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> Observer:
        return Observer(self.encoder)


def spiel_type(kind: Game, seats: int) -> Any:
    dynamics, utility = pyspiel.GameType.Dynamics, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"cardpit_{kind.id.replace('-', '_')}_{seats}",
        long_name=kind.name,
        dynamics=dynamics.SIMULTANEOUS if kind.real_time else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if kind.zero_sum else utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


TABLES = sorted({(game_id, seats) for game_id, game in GAMES.items() for seats in (game.min_seats, game.max_seats)})


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_openspiel_finds_no_fault_with_random_matches(game_id: str, seats: int) -> None:
    pyspiel.random_sim_test(SpielGame(GAMES[game_id], seats), num_sims=1, serialize=False, verbose=False)
