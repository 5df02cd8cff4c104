"""What the commands show of a tournament that was played."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tournament.home import Home

BOTS = Path(__file__).parent.parent.parent / "bots"

Call = Callable[..., Result]

pytestmark = pytest.mark.usefixtures("database")


def rows_of(result: Result) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(result.stdout)
    return rows


def test_ratings_as_json_have_every_promised_key(cup: Call) -> None:
    rows = rows_of(cup("ratings", "cup", "--format", "json"))
    promised = {
        "rank", "bot", "version", "mu", "sigma", "conservative", "score_percent", "boards", "matches",
        "wins", "draws", "losses", "timeouts", "errors",
    }  # fmt: skip
    assert [row["rank"] for row in rows] == [1, 2]
    assert {row["bot"] for row in rows} == {"random", "first"}
    for row in rows:
        assert promised <= set(row)
        assert (row["boards"], row["matches"], row["timeouts"], row["errors"]) == (4, 8, 0, 0)
        assert row["game"] == "landlord"
    first, second = rows
    assert first["wins"] == second["losses"]
    assert first["draws"] == second["draws"]
    assert float(str(first["mu"])) + float(str(second["mu"])) == pytest.approx(50)
    assert float(str(first["score_percent"])) + float(str(second["score_percent"])) == pytest.approx(100)
    assert float(str(first["conservative"])) == pytest.approx(float(str(first["mu"])) - 3 * float(str(first["sigma"])))


def test_the_table_of_ratings_is_for_people(cup: Call) -> None:
    lines = cup("ratings", "cup").stdout.splitlines()
    assert lines[0].startswith("landlord · tournament cup · 4/4 boards (8 matches) · TrueSkill, order-free, beta 4.17")
    assert lines[1].split() == (
        [
            "#",
            "95%",
            "rank",
            "bot",
            "rating",
            "±",
            ">next",
            "win%",
            "v",
            "avg",
            "score%",
            "boards",
            "W-D-L",
            "T/O",
            "err",
            "same",
        ]
    )
    assert len(lines) == 4
    assert "?" in lines[2]
    assert "mu-3sigma" in cup("ratings", "cup", "--wide").stdout


def test_a_narrow_terminal_loses_columns_from_the_right(cup: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    lines = cup("ratings", "cup").stdout.splitlines()[1:]
    assert all(len(line) <= 50 for line in lines)
    assert lines[0].startswith("#  95% rank  bot")
    assert "W-D-L" not in lines[0]


def test_nothing_but_text_is_printed_where_there_is_no_terminal(cup: Call) -> None:
    for words in (("ratings", "cup"), ("crosstable", "cup"), ("replay", "cup/landlord/0/0/0"), ("verify", "cup")):
        assert "\x1b" not in cup(*words).output


def test_csv_has_a_head_and_a_line_for_each_bot(cup: Call) -> None:
    rows = list(csv.DictReader(io.StringIO(cup("ratings", "cup", "--format", "csv").stdout)))
    assert [row["rank"] for row in rows] == ["1", "2"]
    assert float(rows[0]["mu"]) > float(rows[1]["mu"])


def test_the_crosstable_has_both_sides_of_each_pair(cup: Call) -> None:
    pairs = rows_of(cup("crosstable", "cup", "--format", "json"))
    assert [(pair["bot"], pair["opponent"]) for pair in pairs] in (
        [("first 1", "random 1"), ("random 1", "first 1")],
        [("random 1", "first 1"), ("first 1", "random 1")],
    )
    assert float(str(pairs[0]["difference"])) == -float(str(pairs[1]["difference"]))
    assert float(str(pairs[0]["score_percent"])) + float(str(pairs[1]["score_percent"])) == 100
    ratings = rows_of(cup("ratings", "cup", "--format", "json"))
    assert [pair["score_percent"] for pair in pairs] == [row["score_percent"] for row in ratings]
    assert [pair["bot"] for pair in pairs] == [f"{row['bot']} {row['version']}" for row in ratings]
    text = cup("crosstable", "cup").stdout
    assert "landlord · score % of the row against the column · 4 boards" in text
    assert "of 1 pairs differ at 95 %; by chance alone 0.1 would" in text


def test_matches_are_listed_page_by_page_and_by_bot_and_board(cup: Call) -> None:
    everything = rows_of(cup("matches", "cup", "--format", "json"))
    assert [row["match"] for row in everything] == [f"cup/landlord/0/{b}/{r}" for b in range(4) for r in (0, 1)]
    pages = [rows_of(cup("matches", "cup", "--limit", "3", "--page", str(p), "--format", "json")) for p in (1, 2, 3, 4)]
    assert [len(page) for page in pages] == [3, 3, 2, 0]
    assert [row for page in pages for row in page] == everything
    assert "there are more: --page 2" in cup("matches", "cup", "--limit", "3").stderr
    board = rows_of(cup("matches", "cup", "--board", "2", "--bot", "first", "--format", "json"))
    assert [row["match"] for row in board] == ["cup/landlord/0/2/0", "cup/landlord/0/2/1"]
    bots = [row["bots"] for row in board]
    assert isinstance(bots[0], list)
    assert bots[0] == bots[1][::-1] if isinstance(bots[1], list) else False
    assert rows_of(cup("matches", "cup", "--faults", "--format", "json")) == []


def test_a_replay_shows_each_step_and_the_result(cup: Call) -> None:
    text = cup("replay", "cup/landlord/0/0/0").stdout
    assert "Landlord, rules version 1" in text
    assert "step 0: the deal" in text
    assert "hand of 0" in text
    assert "payoff" in text.partition("result")[2]
    part = cup("replay", "cup/landlord/0/0/0", "--from", "2", "--to", "3").stdout
    assert [word for word in ("step 1:", "step 2:", "step 3:", "step 4:", "result") if word in part] == [
        "step 2:",
        "step 3:",
    ]
    brief = cup("replay", "cup/landlord/0/0/0", "--brief").stdout
    assert "hand of 0" not in brief
    assert "step 2:" in brief


def test_a_replay_through_the_eyes_of_a_seat_hides_the_other_hand(cup: Call) -> None:
    text = cup("replay", "cup/landlord/0/0/0", "--to", "0", "--seat", "1").stdout
    own = next(line for line in text.splitlines() if "hand of 1" in line)
    other = next(line for line in text.splitlines() if "hand of 0" in line)
    assert "?? x 17" in other
    assert "??" not in own


def test_a_replay_step_by_step_waits_and_ends_with_q(cup: Call) -> None:
    from click.testing import CliRunner

    from tournament.cli import cli

    result = CliRunner().invoke(cli, ["replay", "cup/landlord/0/0/0", "--step"], input="\n\nq\n")
    assert "step 2:" in result.stdout
    assert "step 3:" not in result.stdout


def test_logs_of_a_match_show_what_its_bots_wrote(cup: Call) -> None:
    text = cup("logs", "cup/landlord/0/0/1").stdout
    assert "played out, no verdict" in text
    assert "hello from seat 0" in text
    assert "every match of cup was played out" in cup("logs", "cup").stderr


def test_the_same_command_again_plays_nothing_and_shows_the_same_table(cup: Call, executor: object) -> None:
    before = cup("ratings", "cup").stdout
    again = cup("run", "--name", "cup", "--game", "landlord", "--bots", "random,first", "--boards", "4", "--seed", "7")
    assert again.exit_code == 0
    assert again.stdout == before
    assert executor.rooms == []  # type: ignore[attr-defined]
    assert cup("run", "--name", "cup").stdout == before
    assert cup("run", "--name", "cup", "--bots", "first,random@1").exit_code == 0


def test_a_newer_version_does_not_take_part_in_a_tournament_that_has_begun(cup: Call, tmp_path: Path) -> None:
    path = tmp_path / "random.py"
    path.write_text((BOTS / "random" / "bot.py").read_text() + "\n")
    assert "submitted random 2" in cup("submit", path).stdout
    again = cup("run", "--name", "cup", "--bots", "random,first")
    assert again.exit_code == 0
    assert "random 2" not in again.output
    refused = cup("run", "--name", "cup", "--bots", "random@2,first")
    assert refused.exit_code == 2
    assert "bots: random@1,first@1, not random@2,first@1" in refused.stderr


def test_a_run_announces_plan_and_commitment_and_reveals_the_seed(cup: Call) -> None:
    result = cup("run", "--name", "next", "--game", "landlord", "--boards", "1", "--seed", "x", "--jobs", "1")
    words = ("1 pairings x 1 boards x 2 rotations = 2 matches", "ratings to within", "commitment ", "seed ")
    places = [result.stderr.find(word) for word in words[:-1]] + [result.stderr.rfind("\nseed ")]
    assert -1 not in places
    assert places == sorted(places)
    assert "can be guessed" in result.stderr
    assert "can be guessed" not in cup("run", "--name", "other", "--game", "landlord", "--boards", "1").stderr


def test_several_games_are_pools_with_their_own_bots_and_tables(cup: Call) -> None:
    result = cup(
        "run", "--name", "both", "--game", "landlord", "--game", "spit", "--boards", "1",
        "--parameter", "landlord.cap=32", "--parameter", "max_layouts=2",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    rows = rows_of(cup("ratings", "both", "--format", "json"))
    bots = {game: {row["bot"] for row in rows if row["game"] == game} for game in ("landlord", "spit")}
    assert bots == {"landlord": {"random", "first"}, "spit": {"random", "first", "spitter"}}
    assert result.stdout.count("tournament both") == 2
    assert "cap=32" in result.stderr
    assert "max_layouts=2" in result.stderr
    assert rows_of(cup("ratings", "both", "--game", "spit", "--format", "json")) == [
        r for r in rows if r["game"] == "spit"
    ]


def test_tables_of_three_are_played_and_rated(cup: Call, home: Home) -> None:
    assert cup("submit", BOTS / "first", "--name", "third").exit_code == 0
    result = cup("run", "--name", "trio", "--game", "twenty-two", "--seats", "3", "--boards", "2")
    assert result.exit_code == 0, result.output
    rows = rows_of(cup("ratings", "trio", "--format", "json"))
    assert {row["bot"] for row in rows} == {"random", "first", "third"}
    assert {row["matches"] for row in rows} == {rows[0]["matches"]}
    assert len(rows_of(cup("crosstable", "trio", "--format", "json"))) == 6
    assert cup("verify", "trio").exit_code == 0


def test_failures_of_the_platform_are_reported_with_exit_code_1(
    cup: Call, executor: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "fails", lambda room: room.room == 1)
    result = cup("run", "--name", "weak", "--game", "landlord", "--boards", "5")
    assert result.exit_code == 1
    assert "the platform could not play 2 matches: tournament logs weak says why" in result.stderr
    assert "the test pulled the plug" in cup("logs", "weak").stdout
    assert "unfinished" in cup("list").stdout
    monkeypatch.setattr(executor, "fails", lambda room: False)
    assert cup("run", "--name", "weak").exit_code == 0


def test_games_are_shown_with_their_parameters(call: Call) -> None:
    assert [row["id"] for row in rows_of(call("games", "--format", "json"))][:1] == ["landlord"]
    text = call("games", "landlord").stdout
    assert "cap" in text
    assert "1 to 65536" in text
    assert json.loads(call("games", "landlord", "--format", "json").stdout)["id"] == "landlord"


def test_every_command_explains_itself(call: Call) -> None:
    from tournament.cli import COMMANDS

    assert call("--version").stdout.startswith("Cardpit ")
    for command in COMMANDS:
        result = call(command, "--help")
        assert result.exit_code == 0
        assert "Examples:" in result.stdout
        assert command in call("--help").stdout
