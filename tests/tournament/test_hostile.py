"""A tournament of honest bots among hostile ones: it ends, and the honest are rated as they would be alone."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from jailing import needs
from referee.record import parse
from tournament.archive import decompress
from tournament.bundle import copy_bundle, read_bundle
from tournament.home import Home
from tournament.scores import Scores
from tournament.standings import load_scores, make_table, table_of
from tournament.store.bots import add_version
from tournament.store.database import Store
from tournament.store.matches import records
from tournament.store.tournaments import StoredTournament, find_tournament

ROOT = Path(__file__).parent.parent.parent
HONEST = ("first", "random", "landlord_rules")
HOSTILE = {
    "faults.py": (
        "spin", "stop", "crash", "quit", "wrong-index", "patricide", "no-hello", "wrong-token", "flood", "huge",
    ),
    "hogs.py": ("memory", "bomb", "disk", "files"),
    "wire.py": ("compressed", "calls"),
}  # fmt: skip
"""A bot for each kind of fault, by its file; others of the kind are tried one by one in ``tests/referee``."""
HARMLESS = {"faults.py": ("chatty", "family")}
"""Bots that are a nuisance to the machine, and do not lose by it."""
BOARDS = 2
BENCH_AFTER = 2

Call = Callable[..., Result]
Played = dict[tuple[int, tuple[str, ...]], tuple[list[bytes], bytes]]


def enter(home: Home, folder: Path) -> list[str]:
    """Store all bots without trying them; return the names of those that are not honest."""
    names = []
    with Store.create(home) as store:
        for path in (ROOT / "bots" / name for name in HONEST):
            copy_bundle(bundle := read_bundle(path), home.bundles)
            add_version(store, bundle)
        for file, kinds in [*HOSTILE.items(), *HARMLESS.items()]:
            for kind in kinds:
                bot = folder / kind
                bot.mkdir()
                shutil.copy(ROOT / "tests" / "bots" / file, bot)
                (bot / "bot.toml").write_text(f'name = "{kind}"\ncommand = ["python", "{file}", "{kind}"]\n')
                copy_bundle(bundle := read_bundle(bot), home.bundles)
                add_version(store, bundle)
                names.append(kind)
    return names


def played_by_the_honest(store: Store, tournament: StoredTournament) -> Played:
    """Return what was played in each match between honest bots: its steps and its result, by board and seats."""
    found: Played = {}
    for stored in records(store, tournament.pools[0]):
        record = parse(decompress(stored.record))
        bots = tuple(player.bot for player in record.header.players)
        if set(bots) <= set(HONEST):
            steps = [step.SerializeToString(deterministic=True) for step in record.steps]
            found[record.header.board, bots] = steps, record.result.SerializeToString(deterministic=True)
    return found


@pytest.mark.timeout(240)
def test_honest_bots_are_rated_as_if_the_hostile_ones_were_not_there(call: Call, home: Home, tmp_path: Path) -> None:
    needs("bubblewrap")
    others = enter(home, tmp_path)
    held = ("--game", "landlord", "--boards", str(BOARDS), "--seed", "7", "--quiet")
    limits = ("--bank-time", "2", "--startup-time", "8", "--bench-after", str(BENCH_AFTER), "--jobs", "6")
    alone = call("run", "--name", "alone", "--bots", ",".join(HONEST), *held, *limits)
    assert alone.exit_code == 0, alone.output
    beset = call("run", "--name", "beset", "--bots", ",".join([*HONEST, *others]), *held, *limits)
    assert beset.exit_code == 0, beset.output

    with Store.open(home) as store:
        small, large = find_tournament(store, "alone"), find_tournament(store, "beset")
        assert len(played_by_the_honest(store, small)) == 3 * BOARDS * 2
        assert played_by_the_honest(store, large) == played_by_the_honest(store, small)
        boards = load_scores(store, large.pools[0]).boards
        among_them = boards[(boards["entrant"] < len(HONEST)).all(axis=1)]
        assert len(among_them) == 3 * BOARDS
        rng = np.random.default_rng(1)
        rated = make_table(small.pools[0], Scores(2, len(HONEST), rng.permutation(among_them)))
        assert rated == table_of(store, small.pools[0])

    rows = json.loads(call("ratings", "beset", "--format", "json").stdout)
    faults = {row["bot"]: (row["timeouts"], row["errors"]) for row in rows}
    assert {bot for bot, counts in faults.items() if counts == (0, 0)} == {*HONEST, *HARMLESS["faults.py"]}
    for bot in (kind for kinds in HOSTILE.values() for kind in kinds):
        assert f"{bot} 1 is benched" in beset.stderr
    played = json.loads(call("list", "--format", "json").stdout)[1]["played"]
    assert played < len(rows) * (len(rows) - 1) * BOARDS / 8
    assert "tournament logs beset --bot " in beset.stderr
    assert call("verify", "beset").exit_code == 0
