"""Search for every game: a seat imagines the cards that it cannot see, again and again, and looks what comes of it.

``docs/search.md`` explains it. A bot that searches::

    from cardpit import Bot
    from cardpit.search import Searcher

    class Thinker(Bot):
        def opened(self, table):
            self.searcher = Searcher(table)

        def act(self, turn):
            return self.searcher.consider(turn).action
"""

from cardpit.search.guide import Guide
from cardpit.search.guides import GUIDES
from cardpit.search.searcher import Searcher, Tracker, plan
from cardpit.search.tree import Budget, Estimate, Finding, search

__all__ = ["GUIDES", "Budget", "Estimate", "Finding", "Guide", "Searcher", "Tracker", "plan", "search"]
