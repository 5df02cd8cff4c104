"""A home with a store, and the application over it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from tournament.home import Home
from tournament.store.database import Store
from tournament.web.app import create_app
from tournament.web.site import Site


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with Store.create(home) as store:
        yield store


@pytest.fixture
def app(home: Home, store: Store) -> FastAPI:
    """The application; without a client that is entered, nothing is tried."""
    return create_app(Site(home, store, jail="process"))
