"""The example of training: a policy that was learnt plays as a bot, and wins."""

from built_in import load
from games.test_spit_bot import share


def test_the_trained_policy_beats_the_random_choices_it_was_trained_against() -> None:
    # 70 % of 400 other matches; of 200 matches between equals the share is beyond .62 once in two thousand times.
    assert share("speed", load("trained"), load("random"), 100) > 0.62
