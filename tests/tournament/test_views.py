"""Other views of the same boards: over all games, some boards, without a bot, by seat, head to head, as one page."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import Result

from tournament.figures import interval_plot
from tournament.figures.svg import ticks
from tournament.history import history_of
from tournament.home import Home
from tournament.scores import Scores, score_type
from tournament.selection import EVERYTHING
from tournament.standings import rate_scores
from tournament.store.database import Store
from tournament.store.tournaments import find_tournament

Call = Callable[..., Result]

BOTS = Path(__file__).parent.parent.parent / "bots"


def rows(done: Result) -> list[dict[str, object]]:
    assert done.exit_code == 0, done.output
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


@pytest.fixture
def three(cup: Call, tmp_path: Path) -> Call:
    """``trio``: three bots, two games."""
    path = tmp_path / "late.py"
    path.write_text((BOTS / "random" / "bot.py").read_text() + "\n# late\n")
    assert cup("submit", path).exit_code == 0
    run = ("run", "--name", "trio", "--game", "landlord", "--game", "spit", "--bots", "random,first,late,spitter")
    assert cup(*run, "--boards", "3", "--seed", "1", "--quiet").exit_code == 0
    return cup


def test_the_combined_table_is_a_mean_of_standardised_ratings(three: Call) -> None:
    single = rows(three("ratings", "trio", "--format", "json"))
    combined = rows(three("ratings", "trio", "--combined", "--format", "json"))
    for game in ("landlord", "spit"):
        mus = [float(str(row["mu"])) for row in single if row["game"] == game]
        for row in single:
            if row["game"] == game:
                (own,) = (each for each in combined if each["bot"] == row["bot"])
                assert own[f"rating_{game}"] == row["mu"]
                assert own[f"standardised_{game}"] == pytest.approx(
                    (float(str(row["mu"])) - np.mean(mus)) / np.std(mus)
                )
    for row in combined:
        values = [
            float(str(row[f"standardised_{g}"])) for g in ("landlord", "spit") if row[f"standardised_{g}"] is not None
        ]
        assert row["mean"] == pytest.approx(np.mean(values))
        assert (row["rating_landlord"] is None) == (row["bot"] == "spitter")
    means = [float(str(row["mean"])) for row in combined]
    assert means == sorted(means, reverse=True)
    shown = three("ratings", "trio", "--combined").stdout
    assert "mean of standardised ratings" in shown
    assert "ratings of different games do not compare" in shown


def test_a_table_without_a_bot_is_that_of_the_boards_of_the_others(three: Call) -> None:
    without = rows(three("ratings", "trio", "--game", "landlord", "--exclude", "late", "--format", "json"))
    assert {row["bot"]: row["boards"] for row in without} == {"random": 3, "first": 3}
    shown = three("ratings", "trio", "--game", "landlord", "--exclude", "late@1").stdout
    assert "3/9 boards" in shown
    assert "without late 1" in shown
    pairs = rows(three("crosstable", "trio", "--game", "landlord", "--exclude", "late", "--format", "json"))
    assert {(row["bot"], row["opponent"]) for row in pairs} == {("random 1", "first 1"), ("first 1", "random 1")}


@pytest.mark.usefixtures("database")
def test_only_boards_since_a_time_count(three: Call) -> None:
    everything = rows(three("ratings", "trio", "--format", "json"))
    today = datetime.now(UTC)
    early, late = (f"{today + timedelta(days=days):%Y-%m-%d}" for days in (-1, 2))
    assert rows(three("ratings", "trio", "--since", early, "--format", "json")) == everything
    assert {row["boards"] for row in rows(three("ratings", "trio", "--since", late, "--format", "json"))} == {0}
    assert f"boards since {late} 00:00:00 UTC" in three("ratings", "trio", "--since", late).stdout
    zone = f"{today + timedelta(hours=5, minutes=50):%Y-%m-%dT%H:%M}+06:00"
    assert rows(three("ratings", "trio", "--since", zone, "--format", "json")) == everything


@pytest.mark.usefixtures("database")
def test_payoffs_by_seat_add_up_to_those_of_the_table(three: Call) -> None:
    table = {(row["game"], row["bot"]): row for row in rows(three("ratings", "trio", "--format", "json"))}
    found = rows(three("ratings", "trio", "--by-seat", "--format", "json"))
    for row in found:
        if row["bot"] != "everybody":
            own = table[row["game"], str(row["bot"]).split(" ")[0]]
            assert (float(str(row["seat_0"])) + float(str(row["seat_1"]))) / 2 == pytest.approx(own["payoff"])
            assert row["matches"] == own["matches"]
    everybody = next(row for row in found if row["bot"] == "everybody")
    assert float(str(everybody["seat_0"])) == pytest.approx(-float(str(everybody["seat_1"])))
    assert "mean payoff of a match by seat" in three("ratings", "trio", "--by-seat").stdout


def test_two_bots_head_to_head_are_those_of_the_crosstable(three: Call) -> None:
    (pair,) = (
        row
        for row in rows(three("crosstable", "trio", "--game", "landlord", "--format", "json"))
        if (row["bot"], row["opponent"]) == ("first 1", "random 1")
    )
    (found,) = rows(three("crosstable", "trio", "first", "random@1", "--game", "landlord", "--format", "json"))
    assert {key: found[key] for key in pair} == {
        key: pytest.approx(value) if isinstance(value, float) else value for key, value in pair.items()
    }
    text = three("crosstable", "trio", "first", "random", "--format", "csv").stdout
    assert [row["game"] for row in csv.DictReader(io.StringIO(text))] == ["landlord", "spit"]
    assert "have not met" in three("crosstable", "trio", "random", "random").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ratings", "cup", "--since", "yesterday"), "--since yesterday: a date or time such as 2026-05-01"),
        (("ratings", "cup", "--exclude", "nobody"), "unknown bot of tournament cup 'nobody'"),
        (("ratings", "cup", "--exclude", "random", "--exclude", "first"), "nobody of landlord is left"),
        (("ratings", "cup", "--by-seat", "--combined"), "--by-seat with --combined, --since or --exclude"),
        (("crosstable", "cup", "first"), "first: two bots are allowed, or none for the whole table"),
        (("report", "cap"), "unknown tournament 'cap'"),
    ],
)
def test_views_that_cannot_be_are_refused(cup: Call, words: tuple[str, ...], message: str) -> None:
    done = cup(*words)
    assert done.exit_code == 2
    assert message in done.stderr


class Links(HTMLParser):
    """What a page would load, and its figures' labels."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.labels: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("src", "href", "data", "action") and not str(value).startswith("#"):
                self.loads.append(str(value))
            if tag == "svg" and name == "aria-label":
                self.labels.append(str(value))


def test_a_report_is_one_page_that_loads_nothing(three: Call, tmp_path: Path) -> None:
    done = three("report", "trio", "--out", tmp_path / "trio.html")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "trio.html").read_text(encoding="utf-8")
    found = Links(page)
    assert not found.loads
    assert "script" not in found.tags
    assert "url(" not in page
    assert "@import" not in page
    assert len(found.labels) == 6
    assert any("Score in percent" in label for label in found.labels)
    shown = json.loads(three("show", "trio", "--format", "json").stdout)
    for text in (shown["commitment"], shown["seed"], "tournament verify trio", "python check.py", "[games.spit]"):
        assert text in page
    for row in rows(three("ratings", "trio", "--format", "json")):
        assert f"{row['mu']:.2f} ± {row['half_width']:.2f}" in page
    for svg in re.findall(r"<svg.*?</svg>", page, re.S):
        ElementTree.fromstring(svg)


def test_a_report_of_an_unfinished_tournament_keeps_the_seed(cup: Call, home: Home, tmp_path: Path) -> None:
    assert cup("void", "cup/landlord/0/0/0", "--why", "test").exit_code == 0
    assert cup("report", "cup", "--out", tmp_path / "cup.html").exit_code == 0
    page = (tmp_path / "cup.html").read_text(encoding="utf-8")
    with Store.open(home) as store:
        assert find_tournament(store, "cup").seed.hex() not in page
    assert "The seed is revealed when the tournament is finished" in page
    assert cup("report", "cup", "--out", tmp_path / "no" / "cup.html").exit_code == 1


def test_a_report_of_an_adaptive_format_warns(cup: Call, tmp_path: Path) -> None:
    run = ("run", "--name", "x", "--game", "landlord", "--bots", "random,first", "--boards", "2", "--seed", "1")
    assert cup(*run, "--schedule", "playoff", "--rounds", "1", "--quiet").exit_code == 0
    assert cup("report", "x", "--out", tmp_path / "x.html").exit_code == 0
    assert "adaptive: intervals do not hold" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert cup("report", "cup", "--out", tmp_path / "cup.html").exit_code == 0
    assert "adaptive" not in (tmp_path / "cup.html").read_text(encoding="utf-8")


def test_a_history_ends_in_the_ratings(cup: Call, home: Home) -> None:
    with Store.open(home) as store:
        pool = find_tournament(store, "cup").pools[0]
        scores = EVERYTHING.scores(store, pool)
        history, ratings = history_of(scores, points=3), rate_scores(scores)
        assert history.boards == (1, 3, 4)
        assert history.mu[-1].tolist() == [row.mu for row in ratings.rows]
        assert history.half_width[-1].tolist() == [row.half_width for row in ratings.rows]
        assert "first 1 " in interval_plot(EVERYTHING.table(store, pool))
    empty = history_of(Scores(2, 2, np.zeros((0, 2), score_type(2))))
    assert empty.boards == ()
    assert empty.mu.shape == (0, 2)


def test_ticks_are_round_numbers_within_the_bounds() -> None:
    assert ticks(18.3, 33.1) == [20, 22, 24, 26, 28, 30, 32]
    assert ticks(0, 90, 6) == [0, 20, 40, 60, 80]
    assert len(ticks(25, 25)) <= 1
