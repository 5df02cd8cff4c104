"""Pages from templates. Everything that is put into one is escaped, but for the figures and documents made here."""

import math
from datetime import datetime
from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import cardpit
from cardpit.games import GAMES
from tournament.crosstable import Encounter
from tournament.figures import history_plot, interval_plot
from tournament.lag import is_lagged, lag_text
from tournament.standings import FEW_BOARDS

HEAT_STEPS = 5
"""Shades of a colour in a crosstable, for each side."""


def _fixed(value: float, digits: int = 2) -> str:
    """Return a number with so many digits, and a true minus sign."""
    return f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def _plain(value: float) -> str:
    """Return a number as short as it can be."""
    return f"{value:g}".replace("-", "\N{MINUS SIGN}")


def _probability(value: float | None) -> str:
    if value is None:
        return ""
    return "1.0" if value > 0.995 else f"{value:.2f}".lstrip("0")


def _duration(seconds: float) -> str:
    """Return a duration in words, in its two largest units."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole // 60 % 60} min"


def _moment(value: datetime) -> str:
    return f"{value:%Y-%m-%d %H:%M} UTC"


def _heat(encounter: Encounter) -> str:
    """Return the class of a cell of a crosstable: for who is ahead, and how far."""
    tint = (encounter.score_percent - 50) / 50
    step = min(math.ceil(abs(tint) * HEAT_STEPS), HEAT_STEPS)
    return f"{'plus' if tint > 0 else 'minus'}-{step}" if step else "even"


def _game_name(game_id: str) -> str:
    return GAMES[game_id].name if game_id in GAMES else game_id


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "fixed": _fixed,
        "plain": _plain,
        "probability": _probability,
        "duration": _duration,
        "moment": _moment,
        "heat": _heat,
        "game_name": _game_name,
    }
    environment.globals |= {
        "cardpit_version": cardpit.__version__,
        "few_boards": FEW_BOARDS,
        "is_lagged": is_lagged,
        "lag_text": lag_text,
        "interval_plot": lambda table: Markup(interval_plot(table)),
        "history_plot": lambda table, history: Markup(history_plot(table, history)),
    }
    return environment


_templates = _environment()


def page(request: Request, template: str, status: int = 200, /, **content: object) -> HTMLResponse:
    """Return a page, made of a template and what it shows."""
    return HTMLResponse(_templates.get_template(template).render(path=request.url.path, **content), status)
