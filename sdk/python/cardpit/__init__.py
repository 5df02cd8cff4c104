"""Cardpit: write a bot that plays cards.

``Bot`` is all that most bots need; ``cardpit.games`` has the very rules that the referee uses.
"""

from cardpit.bot import BatchBot, Bot, Choice
from cardpit.views import Result, Substitution, Table, TimeControl, Turn

__all__ = ["BatchBot", "Bot", "Choice", "Result", "Substitution", "Table", "TimeControl", "Turn", "__version__"]

__version__ = "0.1.0"
