"""The pages: a module for each group."""

from tournament.web.pages import accounts, bots, documents, home, matches, play, submissions, tournaments

PAGE_ROUTERS = (
    home.router,
    tournaments.router,
    matches.router,
    bots.router,
    documents.router,
    accounts.router,
    submissions.router,
    play.router,
)
"""Every group; a new one is a line here."""
