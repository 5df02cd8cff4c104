"""Plays Speed by a small network that ``train.py`` has trained against random choices. Needs nothing but NumPy."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cardpit import BatchBot, Turn
from cardpit.encoding import Encoder
from cardpit.games import find_game

POLICY = Path(__file__).parent / "policy.npz"


class Trained(BatchBot):
    """Takes the legal action to which the network gives most weight, for all tables at once."""

    games = ("speed",)

    def __init__(self) -> None:
        with np.load(POLICY) as weights:
            self.hidden = (weights["hidden_weight"].astype(np.float32).T, weights["hidden_bias"].astype(np.float32))
            self.action = (weights["action_weight"].astype(np.float32).T, weights["action_bias"].astype(np.float32))
        self.encoder = Encoder(find_game("speed"))

    def act_many(self, turns: Sequence[Turn]) -> Sequence[int]:
        """Return one index of a legal action for each turn."""
        seen = np.array([self.encoder.vector(turn.observation, turn.seat) for turn in turns], np.float32)
        weights, bias = self.hidden
        hidden = np.tanh(seen @ weights + bias)
        weights, bias = self.action
        scores = hidden @ weights + bias
        choices = []
        for turn, row in zip(turns, scores, strict=True):
            numbers = self.encoder.numbers(turn.legal_actions, turn.observation, turn.seat)
            choices.append(int(np.argmax(row[numbers])))
        return choices


if __name__ == "__main__":
    Trained.run()
