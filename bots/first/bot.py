"""Plays the first legal action of any game: the smallest bot there is."""

from cardpit import Bot, Turn


class First(Bot):
    """Plays the first legal action of any game."""

    def act(self, turn: Turn) -> int:
        """Choose the first action."""
        return 0


if __name__ == "__main__":
    First.run()
