"""The project's own pages, rendered: the rules of the games and all other documents."""

import re
import sysconfig
from functools import lru_cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from cardpit.games import GAMES
from tournament.errors import UnknownName, unknown

_LINK = re.compile(r"(?:\.\./)*(?:games/)?(?P<name>[a-z-]+)\.md(?P<anchor>#[a-z0-9-]*)?")


def documents() -> Path:
    """Return the folder of the pages."""
    # In a checkout it lies beside the packages, else where the installation put it.
    checkout = Path(__file__).parents[2] / "docs"
    return checkout if (checkout / "web.md").is_file() else Path(sysconfig.get_path("data"), "share", "cardpit", "docs")


def images() -> Path:
    """Return the folder of their pictures."""
    return documents() / "images"


def document_names() -> list[str]:
    """Return the names of all documents but the pages of games."""
    return sorted(path.stem for path in documents().glob("*.md"))


@lru_cache(64)
def game_page(game_id: str) -> str:
    """Return the page of a game as HTML without its heading. Raises :class:`UnknownName` where there is none."""
    path = documents() / "games" / f"{game_id}.md"
    if game_id not in GAMES or not path.is_file():
        raise unknown("game", game_id, GAMES)
    return _render(path)[1]


@lru_cache(64)
def document_page(name: str) -> tuple[str, str]:
    """Return the heading of a document and the rest as HTML. Raises :class:`UnknownName` where there is none."""
    if name not in document_names():
        raise UnknownName(f"unknown document {name!r}: known are {', '.join(document_names())}")
    return _render(documents() / f"{name}.md")


def _render(path: Path) -> tuple[str, str]:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(path.read_text(encoding="utf-8"))
    heading = tokens[1].content if tokens and tokens[0].tag == "h1" else path.stem
    for position, token in enumerate(tokens):
        if token.type == "heading_open":
            words = re.sub(r"[^\w\- ]", "", tokens[position + 1].content.lower())
            token.attrSet("id", words.replace(" ", "-"))
        elif token.type == "fence":
            token.attrSet("tabindex", "0")
        elif token.type in ("th_open", "td_open") and token.attrs.pop("style", None) == "text-align:right":
            token.attrSet("class", "num")
        elif token.type == "inline":
            token.children = _relink(token.children or [])
    body = markdown.renderer.render(tokens[3:] if tokens and tokens[0].tag == "h1" else tokens, markdown.options, {})
    # A wide table scrolls by itself, by the keyboard too.
    body = body.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    return heading, body.replace("<th></th>", "<td></td>").replace("<pre>", '<pre tabindex="0">')


def _relink(tokens: list[Token]) -> list[Token]:
    """Point links between documents at their places here; a link to a file that is not shown becomes plain text."""
    kept = []
    dropped = 0
    for token in tokens:
        if token.type == "link_open":
            href = str(token.attrGet("href") or "")
            match = _LINK.fullmatch(href)
            name = match["name"] if match else ""
            if name in GAMES:
                token.attrSet("href", f"/games/{name}{match['anchor'] or '' if match else ''}")
            elif (documents() / f"{name}.md").is_file():
                token.attrSet("href", f"/docs/{name}{match['anchor'] or '' if match else ''}")
            elif "://" not in href and not href.startswith("#"):
                dropped += 1
                continue
        elif token.type == "link_close" and dropped:
            dropped -= 1
            continue
        kept.append(token)
    return kept
