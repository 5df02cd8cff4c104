"""What verify finds: every way in which what is stored can be wrong."""

import json
import random
from collections.abc import Callable

import pytest
from click.testing import Result
from sqlalchemy import text

from cardpit.v1 import record_pb2 as pb
from referee.record import parse, seal
from tournament.archive import compress, decompress
from tournament.home import Home
from tournament.store.database import Store

Call = Callable[..., Result]


def problems(call: Call) -> list[str]:
    """Verify the cup, and return what was found, in words."""
    result = call("verify", "cup", "--format", "json")
    found = json.loads(result.stdout)["problems"]
    assert result.exit_code == (1 if found else 0), result.output
    return [f"{problem['where']}: {problem['what']}" for problem in found]


def execute(home: Home, statement: str, **values: object) -> None:
    with Store.open(home) as store, store.transaction() as connection:
        connection.execute(text("PRAGMA foreign_keys = OFF"))
        connection.execute(text(statement), values)


def blob(home: Home, match: int = 1, column: str = "record") -> bytes:
    with Store.open(home) as store, store.transaction() as connection:
        found: bytes = connection.execute(text(f"SELECT {column} FROM records WHERE match_id = {match}")).scalar_one()
    return found


def rewrite(home: Home, change: Callable[[pb.Record], None]) -> None:
    """Change the record of match 1 as somebody would who also mends every hash in and beside it."""
    import hashlib

    record = parse(decompress(blob(home)))
    change(record)
    data = seal(record)
    execute(home, "UPDATE records SET record = :data WHERE match_id = 1", data=compress(data))
    execute(home, "UPDATE matches SET record_hash = :hash WHERE id = 1", hash=hashlib.sha256(data).digest())


def test_an_untouched_tournament_is_right(cup: Call) -> None:
    result = cup("verify", "cup")
    assert result.exit_code == 0
    assert "8 of 8 replayed, 4 boards worked out again" in result.stdout
    assert "all is right" in result.stdout
    assert problems(cup) == []


def test_the_revealed_seed_fits_the_commitment(cup: Call) -> None:
    import hashlib

    facts = json.loads(cup("verify", "cup", "--format", "json").stdout)
    seed = bytes.fromhex(facts["seed"])
    assert seed == hashlib.sha256(b"cardpit/7").digest()
    assert hashlib.sha256(seed).hexdigest() == facts["commitment"]


@pytest.mark.parametrize("packed", [True, False])
def test_one_flipped_bit_anywhere_in_a_record_is_found(cup: Call, home: Home, packed: bool) -> None:
    original = blob(home)
    places = random.Random(3).sample(range(len(original if packed else decompress(original))), 12)
    for place in places:
        data = bytearray(original if packed else decompress(original))
        data[place] ^= 1 << place % 8
        changed = bytes(data) if packed else compress(bytes(data))
        execute(home, "UPDATE records SET record = :data WHERE match_id = 1", data=changed)
        (problem,) = problems(cup)
        assert problem.startswith("cup/landlord/0/")
        assert "its record" in problem
    execute(home, "UPDATE records SET record = :data WHERE match_id = 1", data=original)
    assert problems(cup) == []


def test_a_record_with_another_action_is_found_though_its_hashes_fit(cup: Call, home: Home) -> None:
    def change(record: pb.Record) -> None:
        record.steps[0].actions[0].action = "no" if record.steps[0].actions[0].action == "call" else "call"

    rewrite(home, change)
    assert problems(cup)


def test_a_record_of_another_deal_is_found_though_its_hashes_fit(cup: Call, home: Home) -> None:
    def change(record: pb.Record) -> None:
        record.header.seed_commitment = bytes(32)

    rewrite(home, change)
    (problem,) = problems(cup)
    assert "the seed is not the one that was committed to" in problem


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "UPDATE seats SET payoff = payoff + 1 WHERE match_id = 1 AND seat = 0",
            "its stored result is not that of its record",
        ),
        ("UPDATE matches SET termination = 'crash' WHERE id = 1", "its stored result is not that of its record"),
        ("UPDATE seats SET entrant = 1 - entrant WHERE match_id = 1", "other bots sit in it than the schedule says"),
        (
            "UPDATE bot_versions SET bundle_hash = '00' WHERE name = 'first'",
            "its record differs from the schedule in players",
        ),
        ("DELETE FROM records WHERE match_id = 1", "its record is missing"),
        ("UPDATE records SET timings = zeroblob(10) WHERE match_id = 1", "its record is damaged"),
        (
            "UPDATE records SET timings = (SELECT timings FROM records WHERE match_id = 2) WHERE match_id = 1",
            "its timings are not those of the record",
        ),
        ("UPDATE boards SET scores = zeroblob(72) WHERE board = 2", "its rated scores are not those of its matches"),
        ("DELETE FROM boards WHERE board = 2", "all of its matches are stored, yet it is not rated"),
        ("DELETE FROM matches WHERE id = 1", "it is rated, yet not all of its matches are stored"),
        ("DELETE FROM matches WHERE id = 1", "7 matches of landlord are stored: the finished tournament has 8"),
        ("DELETE FROM matches WHERE board = 1", "it is rated, yet none of its matches is stored"),
        ("UPDATE matches SET board = 44 WHERE id = 1", "no such match is in the schedule"),
        ("UPDATE tournaments SET seed = zeroblob(32)", "the seed is not the one that was committed to"),
    ],
)
def test_what_was_changed_in_the_store_is_found(cup: Call, home: Home, statement: str, message: str) -> None:
    execute(home, statement)
    assert any(message in problem for problem in problems(cup))


def test_the_seed_of_an_unfinished_tournament_is_not_shown(cup: Call, home: Home) -> None:
    execute(home, "UPDATE tournaments SET finished_at = NULL")
    result = cup("verify", "cup")
    assert "revealed when the tournament is finished" in result.stdout
    assert json.loads(cup("verify", "cup", "--format", "json").stdout)["seed"] is None


def test_show_tells_the_seed_when_the_tournament_is_finished_and_not_before(cup: Call, home: Home) -> None:
    assert len(json.loads(cup("show", "cup", "--format", "json").stdout)["seed"]) == 64
    execute(home, "UPDATE tournaments SET finished_at = NULL")
    assert json.loads(cup("show", "cup", "--format", "json").stdout)["seed"] is None
