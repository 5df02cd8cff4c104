"""The games as PettingZoo environments, on the very rules that the referee uses.

Games with turns are AEC environments, real-time games Parallel ones (and AEC ones through PettingZoo's converter)::

    from cardpit.pettingzoo import aec_env, parallel_env

    env = aec_env("landlord")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

An observation is ``{"observation": numbers from -1 to 1, "action_mask": 1 for each legal action}``;
:mod:`cardpit.encoding` makes both. The rewards of the last step are the payoffs; all others are 0. An action that
the mask forbids is replaced by the game's default action, as the referee does it, and told as ``substituted`` in the
agent's info. Needs the extra ``pettingzoo`` of this package.
"""

from collections.abc import Mapping
from random import Random
from typing import TypedDict

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from cardpit.encoding import PASS, Encoder
from cardpit.games import PUBLIC, GameError, State, Value, find_game
from cardpit.games.seeds import SEED_SIZE


class Sight(TypedDict):
    """What an agent is given to see."""

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]


class Table:
    """One match at a time, its state as numbers. Agents are ``seat_0``, ``seat_1``, ..."""

    def __init__(self, game_id: str, seats: int | None, parameters: Mapping[str, Value] | None) -> None:
        self.game = find_game(game_id)
        self.parameters = self.game.settle(parameters)
        self.encoder = Encoder(self.game, seats, self.parameters)
        self.agents = [f"seat_{seat}" for seat in range(self.encoder.seats)]
        self.name = f"cardpit_{game_id}_v{self.game.rules_version}"
        self.observation_space = Dict(
            {
                "observation": Box(-1.0, 1.0, (self.encoder.size,), np.float32),
                "action_mask": Box(0, 1, (self.encoder.action_count,), np.int8),
            }
        )
        self.state: State
        self._chance = Random()

    def deal(self, seed: int | None) -> None:
        """Begin a match; without a seed, the next of those that follow from the last seed given."""
        if seed is not None:
            self._chance = Random(seed)
        self.state = self.game.deal(self._chance.randbytes(SEED_SIZE), self.encoder.seats, self.parameters)

    def sight(self, seat: int) -> Sight:
        """Return what a seat sees, and which actions it may choose."""
        seen = self.state.observe(seat)
        mask = np.zeros(self.encoder.action_count, np.int8)
        mask[self.encoder.numbers(self.state.legal_actions(seat), seen, seat)] = 1
        return {"observation": np.array(self.encoder.vector(seen, seat), np.float32), "action_mask": mask}

    def action(self, seat: int, number: int) -> tuple[str, bool]:
        """Return the action of a seat to act, or the default action where that is not legal, and whether it is that."""
        legal = self.state.legal_actions(seat)
        numbers = self.encoder.numbers(legal, self.state.observe(seat), seat)
        if number in numbers:
            return legal[numbers.index(number)], False
        return self.state.default_action(seat), True


def _spaces(table: Table) -> tuple[dict[str, Dict], dict[str, Discrete]]:
    """Return the spaces of each agent, apart from each other, for each has a sampler of its own."""
    observations = {agent: Dict(table.observation_space.spaces) for agent in table.agents}
    actions = {agent: Discrete(table.encoder.action_count) for agent in table.agents}
    return observations, actions


class _Spaces:
    """What agents see and may choose."""

    observation_spaces: dict[str, Dict]
    action_spaces: dict[str, Discrete]

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]


class TurnEnv(_Spaces, AECEnv[str, Sight, int]):  # type: ignore[misc] # PettingZoo has no types
    """A game with turns."""

    def __init__(
        self,
        game_id: str,
        seats: int | None = None,
        parameters: Mapping[str, Value] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = Table(game_id, seats, parameters)
        self.metadata = {"name": self.table.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = list(self.table.agents)
        self.observation_spaces, self.action_spaces = _spaces(self.table)

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Begin a match."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Sight:
        """Return what an agent sees."""
        return self.table.sight(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Let the selected agent act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must act: allowed is an action, for the match goes on")
        seat = self.possible_agents.index(agent)
        chosen, substituted = self.table.action(seat, int(action))
        self.infos[agent] = {"substituted": chosen} if substituted else {}
        self.table.state = self.table.state.apply({seat: chosen})
        self._cumulative_rewards[agent] = 0.0
        outcome = self.table.state.outcome
        if outcome is not None:
            self.rewards = dict(zip(self.agents, outcome.payoffs, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        turn = self.table.state.turn
        self.agent_selection = self.possible_agents[turn[0] if turn else 0]

    def render(self) -> str:
        """Return what everybody may see, as text."""
        return repr(self.table.state.observe(PUBLIC))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


class TickEnv(_Spaces, ParallelEnv[str, Sight, int]):  # type: ignore[misc] # PettingZoo has no types
    """A real-time game: all agents act in each tick. Who is not asked can only pass."""

    def __init__(
        self, game_id: str, parameters: Mapping[str, Value] | None = None, render_mode: str | None = None
    ) -> None:
        self.table = Table(game_id, None, parameters)
        self.metadata = {"name": self.table.name, "render_modes": ["ansi"], "is_parallelizable": True}
        self.render_mode = render_mode
        self.possible_agents = list(self.table.agents)
        self.observation_spaces, self.action_spaces = _spaces(self.table)

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Sight], dict[str, dict[str, str]]]:
        """Begin a match, and return what all agents see."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        return self._sights(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Sight], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, str]]]:
        """Let all agents act at once."""
        agents, table = self.agents, self.table
        infos: dict[str, dict[str, str]] = {agent: {} for agent in agents}
        chosen: dict[int, str] = {}
        for seat in table.state.turn:
            chosen[seat], substituted = table.action(seat, int(actions[agents[seat]]))
            if substituted:
                infos[agents[seat]]["substituted"] = chosen[seat]
        table.state = table.state.apply(chosen)
        outcome = table.state.outcome
        payoffs = outcome.payoffs if outcome else (0.0,) * len(agents)
        sights = self._sights()
        if outcome is not None:
            self.agents = []
        return (
            sights,
            dict(zip(agents, payoffs, strict=True)),
            dict.fromkeys(agents, outcome is not None),
            dict.fromkeys(agents, False),
            infos,
        )

    def _sights(self) -> dict[str, Sight]:
        sights = {agent: self.table.sight(seat) for seat, agent in enumerate(self.possible_agents)}
        for seat, agent in enumerate(self.possible_agents):
            if seat not in self.table.state.turn:
                sights[agent]["action_mask"][self.table.encoder.actions.index(PASS)] = 1
        return sights

    def render(self) -> str:
        """Return what everybody may see, as text."""
        return repr(self.table.state.observe(PUBLIC))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


def aec_env(
    game_id: str, seats: int | None = None, parameters: Mapping[str, Value] | None = None
) -> AECEnv[str, Sight, int]:
    """Return the AEC environment of any game. Raises :class:`cardpit.games.GameError` for a bad id or setting."""
    if find_game(game_id).real_time:
        return parallel_to_aec(parallel_env(game_id, parameters))
    return TurnEnv(game_id, seats, parameters)


def parallel_env(game_id: str, parameters: Mapping[str, Value] | None = None) -> TickEnv:
    """Return the Parallel environment of a real-time game. Raises :class:`cardpit.games.GameError` for other games."""
    if not find_game(game_id).real_time:
        raise GameError(f"{game_id} has turns and no ticks: use aec_env")
    return TickEnv(game_id, parameters)
