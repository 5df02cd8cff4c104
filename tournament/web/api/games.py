"""The API: games."""

from fastapi import APIRouter

from cardpit.games import GAMES, Game
from tournament.errors import unknown
from tournament.web.api.answers import PROBLEMS, GameAnswer, ParameterAnswer
from tournament.web.site import GameId

router = APIRouter(tags=["games"], responses=PROBLEMS)


def game_answer(game: Game) -> GameAnswer:
    """Return what a game says of itself."""
    return GameAnswer(
        id=game.id,
        name=game.name,
        rules_version=game.rules_version,
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        real_time=game.real_time,
        zero_sum=game.zero_sum,
        payoff_unit=game.payoff_unit,
        longest_match=game.longest_match,
        source=game.source,
        house_rules=list(game.house_rules),
        parameters=[
            ParameterAnswer(name=p.name, default=p.default, allowed=p.allowed, meaning=p.meaning)
            for p in game.parameters
        ],
    )


@router.get("/games", summary="List the games")
def games() -> list[GameAnswer]:
    """Return every game."""
    return [game_answer(game) for game in GAMES.values()]


@router.get("/games/{game}", summary="Show a game with its parameters")
def game(game: GameId) -> GameAnswer:
    """Return a game."""
    if game not in GAMES:
        raise unknown("game", game, GAMES)
    return game_answer(GAMES[game])
