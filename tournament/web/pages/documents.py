"""The pages: the games with their rules, and the project's documents."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from markupsafe import Markup

from cardpit.games import GAMES
from tournament.errors import UnknownName
from tournament.figures import STYLE
from tournament.web.documents import document_names, document_page, game_page, images
from tournament.web.rendering import page
from tournament.web.site import GameId

router = APIRouter()


@router.get("/games")
def games(request: Request) -> HTMLResponse:
    """List the games."""
    return page(request, "games.html", games=list(GAMES.values()))


@router.get("/games/{game}")
def game(request: Request, game: GameId) -> HTMLResponse:
    """Show the rules of a game."""
    body = game_page(game)
    return page(request, "document.html", title=GAMES[game].name, body=Markup(body), group="games")


@router.get("/docs")
def documents(request: Request) -> HTMLResponse:
    """List the documents."""
    found = [(name, document_page(name)[0]) for name in document_names()]
    return page(request, "documents.html", documents=found)


@router.get("/docs/images/{name}")
def image(name: Annotated[str, Path(pattern="^[a-z-]{1,40}[.]png$")]) -> FileResponse:
    """Return a picture of a document."""
    file = images() / name
    if not file.is_file():
        raise UnknownName(f"unknown picture {name!r}")
    return FileResponse(file)


@router.get("/docs/{name}")
def document(request: Request, name: Annotated[str, Path(pattern="^[a-z-]{1,40}$")]) -> HTMLResponse:
    """Show a document."""
    title, body = document_page(name)
    return page(request, "document.html", title=title, body=Markup(body), group="docs")


@router.get("/static/figures.css")
def figures_style() -> Response:
    """Return the style of the figures."""
    return Response(STYLE, media_type="text/css")
