import json
import re
from collections.abc import Callable
from hashlib import sha256

import pytest
from click.testing import Result

from tournament.bundle import Bundle
from tournament.home import Home
from tournament.store.accounts import (
    Role,
    add_account,
    all_accounts,
    disown,
    find_user,
    may_submit,
    own,
    owned_bots,
    owner_of,
    renew_token,
    revoke_token,
)
from tournament.store.bots import add_version
from tournament.store.database import Store

Call = Callable[..., Result]


def test_a_token_is_shown_once_and_stored_as_a_hash(call: Call, home: Home) -> None:
    result = call("users", "add", "ada", "--role", "organiser")
    token = result.stdout.strip()
    assert re.fullmatch(r"cardpit_[A-Za-z0-9_-]{43}", token)
    assert "not shown again" in result.stderr
    with Store.open(home) as store:
        assert [a.token_hash for a in all_accounts(store)] == [sha256(token.encode()).hexdigest()]
        found = find_user(store, token)
    assert found is not None
    assert (found.name, found.role) == ("ada", Role.ORGANISER)
    assert token.encode() not in home.database.read_bytes()


def test_users_are_listed_with_what_their_token_is_worth(call: Call) -> None:
    call("users", "add", "bob")
    call("users", "add", "ada", "--role", "organiser")
    assert call("users", "revoke", "bob").stdout == "bob has no token any more\n"
    rows = json.loads(call("users", "list", "--format", "json").stdout)
    assert [(row["user"], row["role"], row["token"]) for row in rows] == [
        ("ada", "organiser", "valid"),
        ("bob", "participant", "revoked"),
    ]


def test_no_users_are_listed_in_an_empty_home(call: Call) -> None:
    result = call("users", "list", "--format", "json")
    assert json.loads(result.stdout) == []
    assert "no users yet" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("add", "ada"), "user 'ada' exists already"),
        (("add", "../x"), "user name '../x': allowed are"),
        (("add", "eve", "--role", "king"), "'king' is not one of 'participant', 'organiser'"),
        (("token", "adda"), "unknown user 'adda': did you mean ada?"),
        (("revoke", "bob"), "unknown user 'bob'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(call: Call, words: tuple[str, ...], message: str) -> None:
    call("users", "add", "ada")
    result = call("users", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_new_token_ends_the_old_one(store: Store) -> None:
    old = add_account(store, "ada", Role.PARTICIPANT)
    new = renew_token(store, "ada")
    assert find_user(store, old) is None
    assert find_user(store, new) is not None
    revoke_token(store, "ada")
    assert find_user(store, new) is None


@pytest.mark.parametrize("token", ["", "cardpit_", "cardpit_" + "A" * 43, "x" * 10_000])
def test_what_is_no_token_is_nobodys(store: Store, token: str) -> None:
    add_account(store, "ada", Role.PARTICIPANT)
    revoke_token(store, "ada")
    assert find_user(store, token) is None


def test_a_bot_belongs_to_who_submits_it_first(store: Store) -> None:
    ada, bob, boss = (
        find_user(store, add_account(store, name, role))
        for name, role in (("ada", Role.PARTICIPANT), ("bob", Role.PARTICIPANT), ("boss", Role.ORGANISER))
    )
    assert ada is not None and bob is not None and boss is not None
    assert may_submit(store, ada, "mine")
    own(store, ada, "mine")
    own(store, bob, "mine")
    assert owner_of(store, "mine") == ada.id
    assert [may_submit(store, user, "mine") for user in (ada, bob, boss)] == [True, False, True]
    assert (owned_bots(store, ada), owned_bots(store, bob)) == (["mine"], [])


def test_a_name_without_a_version_can_be_given_back(store: Store) -> None:
    ada, bob = (find_user(store, add_account(store, name, Role.PARTICIPANT)) for name in ("ada", "bob"))
    assert ada is not None and bob is not None
    own(store, ada, "mine")
    disown(store, "mine")
    own(store, bob, "mine")
    add_version(store, Bundle("mine", "", ("python", "bot.py"), (), (), (), "1" * 64))
    disown(store, "mine")
    assert (owner_of(store, "mine"), owned_bots(store, bob)) == (bob.id, ["mine"])


def test_a_bot_of_the_server_itself_takes_versions_of_organisers_alone(store: Store) -> None:
    ada = find_user(store, add_account(store, "ada", Role.PARTICIPANT))
    boss = find_user(store, add_account(store, "boss", Role.ORGANISER))
    assert ada is not None and boss is not None
    add_version(store, Bundle("random", "", ("python", "bot.py"), (), (), (), "1" * 64))
    assert (may_submit(store, ada, "random"), may_submit(store, boss, "random")) == (False, True)
    assert owner_of(store, "random") is None
