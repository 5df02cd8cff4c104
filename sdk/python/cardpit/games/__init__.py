"""The rules of every game, in pure Python: no clock, no network, no state outside the states.

``GAMES`` holds them by id. ``docs/adding-a-game.md`` says how to write one.
"""

from types import MappingProxyType

from cardpit.games.game import (
    ALL,
    PUBLIC,
    BadParameter,
    BadPosition,
    BadSeats,
    Event,
    Game,
    GameError,
    IllegalAction,
    Observation,
    Outcome,
    Parameter,
    State,
    UnknownGame,
    Value,
    Zone,
    value_text,
)
from cardpit.games.landlord import Landlord
from cardpit.games.speed import Speed
from cardpit.games.spit import Spit
from cardpit.games.twenty_two import TwentyTwo

__all__ = [
    "ALL",
    "GAMES",
    "PUBLIC",
    "BadParameter",
    "BadPosition",
    "BadSeats",
    "Event",
    "Game",
    "GameError",
    "IllegalAction",
    "Observation",
    "Outcome",
    "Parameter",
    "State",
    "UnknownGame",
    "Value",
    "Zone",
    "find_game",
    "value_text",
]

GAMES: MappingProxyType[str, Game] = MappingProxyType(
    {
        "landlord": Landlord(),
        "twenty-two": TwentyTwo(),
        "spit": Spit(),
        "speed": Speed(),
    }
)
"""Every game by its id, in the order in which lists show them."""


def find_game(game_id: str) -> Game:
    """Return the game with this id. Raises :class:`UnknownGame`, which lists the known ones."""
    try:
        return GAMES[game_id]
    except KeyError:
        raise UnknownGame(f"unknown game {game_id!r}: known are {', '.join(GAMES)}") from None
