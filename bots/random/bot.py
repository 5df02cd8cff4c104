"""Plays any legal action of any game, each as likely as the others."""

from cardpit import Bot, Turn


class Random(Bot):
    """Draws from the seat's private randomness, so that the same board is played the same way."""

    def act(self, turn: Turn) -> int:
        """Choose any action."""
        return self.table.rng.randrange(len(turn.legal_actions))


if __name__ == "__main__":
    Random.run()
