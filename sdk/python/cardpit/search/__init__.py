"""Search for every game: a seat imagines the cards that it cannot see, again and again, and looks what comes of it.

``docs/search.md`` explains it. A bot that searches::

    from cardpit import Bot
    from cardpit.search import GUIDES, Searcher

    class Thinker(Bot):
        def opened(self, table):
            self.searcher = Searcher(table, GUIDES[table.game])

        def act(self, turn):
            return self.searcher.consider(turn).action
"""

from types import MappingProxyType

from cardpit.search.guide import Guide
from cardpit.search.landlord_guide import LandlordGuide
from cardpit.search.race_guides import SpeedGuide, SpitGuide
from cardpit.search.searcher import Searcher, Tracker, plan
from cardpit.search.tree import Budget, Estimate, Finding, search
from cardpit.search.twenty_two_guide import TwentyTwoGuide

__all__ = ["GUIDES", "Budget", "Estimate", "Finding", "Guide", "Searcher", "Tracker", "plan", "search"]

GUIDES: MappingProxyType[str, type[Guide]] = MappingProxyType(
    {
        "landlord": LandlordGuide,
        "twenty-two": TwentyTwoGuide,
        "spit": SpitGuide,
        "speed": SpeedGuide,
    }
)
"""The guide of each game, by its id. :class:`Guide` itself serves any game."""
