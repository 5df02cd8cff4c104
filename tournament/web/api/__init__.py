"""The JSON API, ``/api/v1``: a module for each part."""

from tournament.web.api import bots, exhibitions, games, logs, matches, submissions, tournaments

API_ROUTERS = (
    tournaments.router,
    matches.router,
    bots.router,
    games.router,
    submissions.router,
    exhibitions.router,
    logs.router,
)
"""Every part; a new one is a line here."""
