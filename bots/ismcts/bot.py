"""Plays every game by search: it imagines the cards that it cannot see, again and again, and looks what comes of it."""

from cardpit import Bot, Table, Turn
from cardpit.search import Searcher


class Ismcts(Bot):
    """Takes what information-set Monte Carlo tree search found best, within the time of its table."""

    max_tables = 1

    def opened(self, table: Table) -> None:
        """Begin to remember what is seen at the table."""
        self.searcher = Searcher(table)

    def act(self, turn: Turn) -> str:
        """Search, and tell in the comment how far it came."""
        finding = self.searcher.consider(turn)
        if finding.estimates:
            best = finding.estimates[0]
            self.comment = f"{best.value:+.2f} expected, {finding.iterations} iterations"
        return finding.action


if __name__ == "__main__":
    Ismcts.run()
