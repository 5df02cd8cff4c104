"""Results that are taken out."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from click.testing import Result

from tournament.home import Home
from tournament.store.database import Store

Call = Callable[..., Result]

pytestmark = pytest.mark.usefixtures("database")

MATCH = "cup/landlord/0/2/1"


def rows_of(result: Result) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(result.stdout)
    return rows


def digest_of(result: Result) -> object:
    return json.loads(result.stdout)["digest"]


def test_a_voided_match_is_played_again_and_its_first_result_is_kept_with_the_reason(cup: Call) -> None:
    before = cup("ratings", "cup", "--format", "json").stdout
    digest = digest_of(cup("verify", "cup", "--format", "json"))
    (old,) = [row for row in rows_of(cup("matches", "cup", "--format", "json")) if row["match"] == MATCH]
    result = cup("void", MATCH, "--why", "the machine was asleep")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"voided {MATCH}\n"
    assert "tournament run --name cup" in result.stderr
    assert "the seed of cup has been revealed" in result.stderr

    (row,) = rows_of(cup("matches", "cup", "--voided", "--format", "json"))
    assert (row["match"], row["why"], row["payoffs"]) == (MATCH, "the machine was asleep", old["payoffs"])
    assert "the machine was asleep" in cup("matches", "cup", "--voided").stdout
    assert MATCH not in [row["match"] for row in rows_of(cup("matches", "cup", "--format", "json"))]
    assert [row["boards"] for row in rows_of(cup("ratings", "cup", "--format", "json"))] == [3, 3]
    assert cup("verify", "cup").exit_code == 0
    assert rows_of(cup("list", "--format", "json"))[0]["state"] == "unfinished"

    assert cup("run", "--name", "cup").exit_code == 0
    assert cup("ratings", "cup", "--format", "json").stdout == before
    assert digest_of(cup("verify", "cup", "--format", "json")) == digest
    assert len(rows_of(cup("matches", "cup", "--voided", "--format", "json"))) == 1


def test_a_match_can_be_voided_twice_and_both_results_are_listed_oldest_first(cup: Call) -> None:
    for why in ("first", "second"):
        assert cup("void", MATCH, "--why", why).exit_code == 0
        assert cup("run", "--name", "cup").exit_code == 0
    rows = rows_of(cup("matches", "cup", "--voided", "--format", "json"))
    assert [row["why"] for row in rows] == ["first", "second"]
    page = cup("matches", "cup", "--voided", "--limit", "1", "--format", "json")
    assert [row["why"] for row in rows_of(page)] == ["first"]
    assert "there are more: --page 2" in page.stderr


def test_a_match_cannot_be_voided_while_its_tournament_is_run(cup: Call, home: Home) -> None:
    with Store.open(home) as store, store.locked("cup"):
        # The lock belongs to a process: it is another one that must be refused.
        words = ["--home", str(home.folder), "void", MATCH, "--why", "x"]
        done = subprocess.run(
            [sys.executable, "-c", "from tournament.cli import main; main()", *words],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "tournament cup is being run by process" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("void", MATCH), "missing option '--why'"),
        (("void", MATCH, "--why", " "), "--why ' ': a reason is wanted"),
        (("void", "cup/landlord/0/9/1", "--why", "x"), "it has not been played"),
        (("void", "cup", "--why", "x"), "a match is named tournament/game/pairing/board/room"),
        (("matches", "cup", "--voided", "--faults"), "--voided with --faults: --game, --limit and --page are allowed"),
    ],
)
def test_wrong_use_of_void_changes_nothing(cup: Call, words: tuple[str, ...], message: str) -> None:
    result = cup(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert rows_of(cup("list", "--format", "json"))[0]["state"] == "finished"
