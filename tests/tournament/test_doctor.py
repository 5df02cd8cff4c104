"""``tournament doctor`` says what this machine can enforce, and ``--jail`` takes it at its word."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import Result

import referee.sandbox
from referee.sandbox import STRONG, bubblewrap, choose_jail
from tournament.home import Home
from tournament.store.database import Store
from tournament.store.tournaments import find_tournament

Call = Callable[..., Result]

NEW = ("run", "--name", "new", "--game", "landlord", "--bots", "random,first", "--boards", "1", "--seed", "1")


@pytest.fixture
def nothing_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break the strong jails."""
    broken = SimpleNamespace(refused=lambda: "it is broken in this test", lacks=list)
    monkeypatch.setattr(referee.sandbox, "JAILS", {**referee.sandbox.JAILS, **dict.fromkeys(STRONG, broken)})


def test_the_doctor_lists_every_jail_and_every_means(call: Call) -> None:
    result = call("doctor", "--format", "json")
    rows = {row["check"]: row for row in json.loads(result.stdout)}
    assert {"jail bubblewrap", "jail landlock", "jail process", "jail none", "control groups", "Landlock"} <= set(rows)
    assert rows["jail none"]["works"]
    assert "without: anything at all" in rows["jail none"]["detail"]
    assert "--jail auto means" in result.stderr


@pytest.mark.usefixtures("nothing_holds")
def test_the_doctor_fails_where_no_jail_holds(call: Call) -> None:
    result = call("doctor")
    assert result.exit_code == 1
    assert "it is broken in this test" in result.stdout
    assert "install bubblewrap" in result.stderr


def test_the_doctor_says_what_to_install(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    bubblewrap.refused.cache_clear()
    try:
        result = call("doctor")
    finally:
        bubblewrap.refused.cache_clear()
    line = next(line for line in result.stdout.splitlines() if line.startswith("jail bubblewrap"))
    assert "no" in line.split()
    assert "apt-get install" in line


@pytest.mark.usefixtures("nothing_holds")
def test_require_refuses_and_auto_falls_back_where_no_jail_holds(cup: Call, home: Home) -> None:
    result = cup(*NEW, "--jail", "require")
    assert result.exit_code == 2
    assert "no jail that holds works here: bubblewrap: it is broken in this test; landlock: it is" in result.stderr
    assert cup(*NEW, "--jail", "bubblewrap").stderr.startswith("tournament: jail bubblewrap does not work here: it is")
    result = cup(*NEW)
    assert result.exit_code == 0, result.output
    assert "jail process does not enforce here: " in result.stderr
    with Store.open(home) as store:
        assert find_tournament(store, "new").configuration.conduct.jail == "process"
    assert cup(*NEW, "--jail", "auto").exit_code == 0
    assert "jail: process, not require" in cup(*NEW, "--jail", "require").stderr


def test_the_strictest_jail_that_works_is_stored(cup: Call, home: Home) -> None:
    assert cup(*NEW, "--jail", "require").exit_code == 0
    with Store.open(home) as store:
        assert find_tournament(store, "new").configuration.conduct.jail == choose_jail("require")
    assert cup(*NEW, "--jail", "require").exit_code == 0
    assert cup(*NEW).exit_code == 0


def test_tcp_and_a_strong_jail_do_not_go_together(cup: Call, home: Home) -> None:
    result = cup(*NEW, "--jail", "require", "--transport", "tcp")
    assert result.exit_code == 2
    assert "--jail require has no network for --transport tcp: unix is allowed" in result.stderr
    assert cup(*NEW, "--transport", "tcp").exit_code == 0
    with Store.open(home) as store:
        assert find_tournament(store, "new").configuration.conduct.jail == "process"


def test_bubblewrap_works_where_it_should() -> None:
    if not os.environ.get("CI"):
        pytest.skip("this machine need not have it")
    assert bubblewrap.refused() == ""
