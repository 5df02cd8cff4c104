"""``python -m cardpit.games``, with Landlord."""

import pytest

from cardpit.games.__main__ import main


def test_perft_prints_the_count_at_each_depth_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["perft", "landlord", "--position", "55566678/77889", "--depth", "4"])
    assert capsys.readouterr().out.split() == ["18", "31", "134", "315"]


def test_random_prints_decisions_and_matches_and_both_by_cpu_second(capsys: pytest.CaptureFixture[str]) -> None:
    counts = []
    for options in ([], [], ["--seed", "2"], ["--parameter", "max_grabs=0", "--parameter", "cap=1", "--seats", "2"]):
        main(["random", "landlord", "--matches", "20", *options])
        lines = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
        assert list(lines) == ["decisions", "matches", "decisions per CPU second", "matches per CPU second"]
        assert lines["matches"] == "20"
        assert float(lines["decisions per CPU second"]) > float(lines["matches per CPU second"]) > 0
        counts.append(lines["decisions"])
    assert counts[0] == counts[1]
    assert len(set(counts)) == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("random chess", "unknown game 'chess': known are"),
        ("random landlord --seats 3", "landlord is not for 3 players: allowed is 2"),
        ("random landlord --parameter cap=0", "parameter cap cannot be 0: allowed is 1 to 65536"),
        ("random landlord --parameter cap", "'cap' is not name=value"),
        ("random landlord --matches 0", "'0' is not allowed: allowed is a whole number from 1"),
        ("random landlord --seed=-1", "'-1' is not allowed: allowed is a whole number from 0"),
        ("perft landlord --position 5/Z", "'Z' is no rank: the ranks are 56789TJQKA2xX"),
        ("perft landlord", "--position"),
        ("", "required: perft|random"),
    ],
)
def test_wrong_use_is_one_line_on_stderr_and_exit_code_2(
    line: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(line.split())
    assert caught.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err
