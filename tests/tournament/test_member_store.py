"""Accounts, submissions and exhibitions in each kind of database."""

from pathlib import Path

import pytest

import tournament.store.exhibitions
from cardpit.games import find_game
from referee.orders import Board, MatchReport, Player, Room, Termination
from tournament.bundle import Bundle
from tournament.errors import UnknownName
from tournament.store.accounts import Role, User, add_account, disown, find_user, may_submit, own, owned_bots
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.exhibitions import add_exhibition, exhibitions_page, find_exhibition
from tournament.store.submissions import (
    Counts,
    Status,
    add_submission,
    counts_of,
    find_submission,
    running,
    set_bot,
    set_status,
    submissions_page,
    waiting,
)

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def ada(store: Store) -> User:
    user = find_user(store, add_account(store, "ada", Role.PARTICIPANT))
    assert user is not None
    return user


def a_bundle(name: str) -> Bundle:
    return Bundle(name, "", ("python", "bot.py"), (), (), (), "1" * 64)


def test_a_submission_goes_from_waiting_to_its_version(store: Store, ada: User) -> None:
    first, second = (add_submission(store, ada, "", 10) for _ in range(2))
    assert waiting(store) == [first, second]
    assert counts_of(store, ada) == Counts(waiting=2, minute=2, day=2)
    set_status(store, first, Status.RUNNING)
    assert (running(store), waiting(store)) == ([first], [second])
    set_bot(store, first, "mine", add_version(store, a_bundle("mine")))
    set_status(store, first, Status.ACCEPTED, "it\0went\nwell")
    assert counts_of(store, ada) == Counts(waiting=1, minute=2, day=2)
    found = find_submission(store, first)
    assert (found.user, found.bot, found.version, found.status) == (ada, "mine", 1, Status.ACCEPTED)
    assert found.log == "it\N{SYMBOL FOR NULL}went\nwell"
    assert [row.id for row in submissions_page(store, ada, None, 5)] == [second, first]
    assert [row.id for row in submissions_page(store, ada, second, 5)] == [first]
    with pytest.raises(UnknownName, match="unknown submission 99"):
        find_submission(store, 99)


def test_a_name_is_owned_and_given_back(store: Store, ada: User) -> None:
    own(store, ada, "mine")
    own(store, ada, "mine")
    assert owned_bots(store, ada) == ["mine"]
    disown(store, "mine")
    assert (owned_bots(store, ada), may_submit(store, ada, "mine")) == ([], True)


def test_the_newest_exhibitions_are_kept(store: Store, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament.store.exhibitions, "MOST_KEPT", 2)
    version = add_version(store, a_bundle("mine"))
    keys = [
        add_exhibition(store, user, version, a_room(), person_seat=1, report=a_report()) for user in (None, ada, None)
    ]
    assert [(row.id, row.user) for row in exhibitions_page(store, None, 5)] == [(keys[2], None), (keys[1], "ada")]
    found = find_exhibition(store, keys[1])
    assert (found.bot, found.game, found.seed, found.payoffs) == ("mine 1", "landlord", bytes(32), (4.0, -4.0))
    with pytest.raises(UnknownName, match=f"unknown exhibition {keys[0]}: the newest 2 are kept"):
        find_exhibition(store, keys[0])


def a_room() -> Room:
    players = tuple(Player(name, 0, "", Path(), ()) for name in ("mine", "person"))
    return Room("", 0, "landlord", find_game("landlord").settle({}), 0, 0, players, (Board(0, bytes(32)),))


def a_report() -> MatchReport:
    return MatchReport(
        pairing=0,
        board=0,
        room=0,
        record=b"record",
        timings=b"timings",
        termination=Termination.NORMAL,
        payoffs=(4.0, -4.0),
        places=(1, 2),
        margins=(3, -3),
        strikes=(0, 0),
        timeouts=(0, 0),
        used_times=(0.0, 0.0),
        verdicts=(),
        decisions=1,
        lag_time=0.0,
    )
