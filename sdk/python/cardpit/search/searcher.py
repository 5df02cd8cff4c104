"""A seat that remembers what it has seen, shares out its time, and searches."""

from math import isinf

from cardpit.games import State, find_game
from cardpit.search.guide import Guide
from cardpit.search.guides import GUIDES
from cardpit.search.tree import Budget, Finding, search
from cardpit.views import Table, Turn

MOVE_SHARE = 0.6
"""Of the time that is free for a decision: the rest is for the way of the answer, and for a busy machine."""
TICK_SHARE = 0.25
"""The same in real-time games: a match has hundreds of ticks, and one of them is worth little."""
BANK_SHARE = 0.8
"""Of the bank: the rest is kept for accidents."""
ITERATIONS, TICK_ITERATIONS = 200, 24
"""Where nothing limits the time, as in practice: for a decision, and in real-time games for a tick."""


class Tracker:
    """The memory of one seat at one table: it turns what the seat sees into a state that agrees with all of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.state: State | None = None
        """What was imagined at the last turn; None before the first."""

    def see(self, turn: Turn) -> State:
        """Return a state that looks to the seat like this turn. Each turn of the table must be shown, in order."""
        table = self.table
        game = find_game(table.game)
        self.state = game.imagine(turn.observation, table.seat, table.seats, table.parameters, self.state)
        return self.state


def plan(turn: Turn, decisions: int) -> Budget:
    """Return how long to think at a turn, if about so many decisions have yet to share the bank of time."""
    real_time = find_game(turn.table.game).real_time
    if isinf(turn.move_time):
        return Budget(TICK_ITERATIONS if real_time else ITERATIONS)
    share = TICK_SHARE if real_time else MOVE_SHARE
    return Budget(seconds=share * turn.move_time + BANK_SHARE * turn.bank_time / decisions)


class Searcher:
    """Plays one seat by information-set Monte Carlo tree search."""

    def __init__(self, table: Table, guide: type[Guide] | None = None, budget: Budget | None = None) -> None:
        self.table = table
        self.guide = guide or GUIDES.get(table.game, Guide)
        """That of the game, if no other was given; a game without one is played out at random."""
        self.budget = budget
        """For each decision; None to share out the time of the table."""
        self.tracker = Tracker(table)

    def consider(self, turn: Turn) -> Finding:
        """Return what to do at a turn, and why. Each turn of the table must be shown, in order."""
        state = self.tracker.see(turn)
        guide = self.guide(state, self.table.seat)
        budget = self.budget or plan(turn, guide.decisions)
        return search(state, self.table.seat, guide, self.table.rng, budget=budget)
