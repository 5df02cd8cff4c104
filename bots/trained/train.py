"""Trains the policy of this bot: Speed against random choices, by PPO with masked actions (Stable-Baselines3 contrib).

Run it in a virtual environment with ``pip install -e "sdk/python[pettingzoo]" sb3-contrib``::

    python bots/trained/train.py --steps 40000

It takes some minutes on two cores and writes ``policy.npz``, which is all that the bot needs.
"""

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from cardpit.games import State
from cardpit.pettingzoo import parallel_env

POLICY = Path(__file__).parent / "policy.npz"
HIDDEN = 64
"""Neurons of the only layer between what is seen and the actions."""

CARD = 0.05
"""The reward for each card that one is more ahead."""

Numbers = NDArray[np.float32]
Mask = NDArray[np.int8]


class AgainstRandom(gymnasium.Env[Numbers, np.int64]):
    """Speed for one agent: the other seat plays any legal action. The seats change with each match."""

    def __init__(self) -> None:
        self.match = parallel_env("speed")
        self.observation_space = self.match.observation_space("seat_0")["observation"]
        self.action_space = self.match.action_space("seat_0")
        self.own, self.other = self.match.possible_agents
        self.sights: dict[str, Any] = {}
        self.lead = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal, and change the seats."""
        super().reset(seed=seed)
        self.own, self.other = self.other, self.own
        deal_seed = int(self.np_random.integers(2**32))
        self.sights, _ = self.match.reset(seed=deal_seed)
        self.lead = 0
        return self.sights[self.own]["observation"], {}

    def step(self, action: np.int64) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Play one tick; a match is worth 1 for a win and -1 for a loss, and on the way each card counts a little."""
        answer = self.np_random.choice(np.flatnonzero(self.sights[self.other]["action_mask"]))
        actions = {self.own: int(action), self.other: int(answer)}
        self.sights, payoffs, ended, _, _ = self.match.step(actions)
        reward = 2 * payoffs[self.own] - 1 if ended[self.own] else 0.0
        before, self.lead = self.lead, cards_ahead(self.match.table.state, self.match.possible_agents.index(self.own))
        reward += CARD * (self.lead - before)
        return self.sights[self.own]["observation"], reward, ended[self.own], False, {}

    def action_masks(self) -> Mask:
        """Return which actions are legal; the learner asks for it by this name."""
        mask: Mask = self.sights[self.own]["action_mask"]
        return mask


def cards_ahead(state: State, seat: int) -> int:
    """Return how many cards fewer than the other a seat has in hand and stock."""
    left = [0, 0]
    for zone in state.observe(seat).zones:
        if zone.owner is not None:
            left[zone.owner] += len(zone.cards) + zone.unseen
    return left[1 - seat] - left[seat]


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=40_000, help="ticks to learn from")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    learner = MaskablePPO(
        "MlpPolicy",
        AgainstRandom(),
        learning_rate=1e-3,
        n_steps=1000,
        batch_size=250,
        gamma=0.95,
        ent_coef=0.003,
        policy_kwargs={"net_arch": [HIDDEN]},
        seed=options.seed,
        device="cpu",
        verbose=1,
    )
    learner.learn(options.steps)
    weights = learner.policy.state_dict()
    names = {
        "hidden_weight": "mlp_extractor.policy_net.0.weight",
        "hidden_bias": "mlp_extractor.policy_net.0.bias",
        "action_weight": "action_net.weight",
        "action_bias": "action_net.bias",
    }
    np.savez_compressed(POLICY, **{name: weights[key].numpy().astype(np.float16) for name, key in names.items()})
    print(f"wrote {POLICY}, {POLICY.stat().st_size} bytes")


if __name__ == "__main__":
    main()
