"""Lists page by page, from both kinds of database."""

import pytest

from tournament.home import Home
from tournament.store import listing
from tournament.store.database import Store
from tournament.store.ends import Place
from tournament.store.tournaments import find_tournament

pytestmark = pytest.mark.usefixtures("database", "cup")


def test_tournaments_and_bots_are_listed_page_by_page(home: Home) -> None:
    with Store.open(home) as store:
        (row,) = listing.tournaments_page(store, None, 5)
        assert row.name == "cup"
        assert listing.tournaments_page(store, row.id, 5) == []
        assert listing.bot_names_page(store, "first", 5) == ["random", "spitter"]
        assert [version.name for version in listing.versions_named(store, ["spitter", "first"])] == ["first", "spitter"]
        keys = listing.entry_tournaments(store, "first", None, 5)
        assert listing.entries_of(store, "first", keys) == [listing.Entry("cup", "landlord", 1)]
        assert listing.entry_tournaments(store, "first", keys[0], 5) == []


def test_matches_and_boards_are_listed_page_by_page(home: Home) -> None:
    with Store.open(home) as store:
        (pool,) = find_tournament(store, "cup").pools
        newest, voided = listing.change_of(store)
        assert (newest >= 8, voided) == (True, 0)
        assert len(listing.ordered_blobs(store, pool)) == 4
        assert len(listing.rooms_of(store, pool, 0, 3)) == 2
        after = listing.matches_in_order(store, pool, after=Place(0, 1, 0), limit=3)
        assert [(match.board, match.room) for match in after] == [(1, 1), (2, 0), (2, 1)]
        assert [match.room for match in listing.matches_in_order(store, pool, board=1, limit=3)] == [0, 1]
        both = listing.matches_of_bots(store, pool, [[0], [1]], limit=5)
        assert [match.key for match in both] == sorted((match.key for match in both), reverse=True)
        assert len(listing.matches_of_bots(store, pool, [[0]], board=2, before=newest + 1, limit=5)) == 2
        assert listing.matches_of_bots(store, pool, [[0]], faults=True, limit=5) == []
        assert listing.matches_of_bots(store, pool, [], faults=True, limit=5) == []
        assert listing.verdicts_page(store, pool, before=newest, limit=5) == []
        assert listing.verdict_counts(store, pool) == []
        assert len(listing.latest_ends(store, [pool], newest, 1 << 30)) == 8
