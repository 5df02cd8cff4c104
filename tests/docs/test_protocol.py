"""``docs/protocol.md`` is complete and right: a bot is written from it alone, and its numbers are those of the code."""

import re
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor

from cardpit.games.seeds import SEED_SIZE, Stream, board_seed, bot_seed, coin, commitment, derive
from cardpit.v1 import record_pb2, referee_pb2
from docs.pages import code_blocks
from docs.sample import PAGE, block, sample, written
from referee.orders import Conduct, Termination
from referee.record import HASH_INTERVAL, parse
from referee.sandbox.limits import BOT, MIB
from referee.seats import grpc, lodging, stream
from seating import play_bots, script, sdk_bot

TEXT = PAGE.read_text(encoding="utf-8")


def test_a_bot_written_from_the_page_alone_plays_at_several_tables(tmp_path: Path) -> None:
    (code,) = code_blocks(PAGE, "python")
    assert re.findall(r"cardpit[\w.]*", code) == ["cardpit.v1", "cardpit.v1"]
    file = tmp_path / "raw.py"
    file.write_text(code, encoding="utf-8")
    reports, done = play_bots([script(file), script(file)], boards=8, tables=4, move_time=1.0)
    assert [report.termination for report in reports] == [Termination.NORMAL] * 8
    assert [report.strikes for report in reports] == [(0, 0)] * 8
    assert done.logs == ("", "")
    chosen = {
        action.action.split()[0]
        for report in reports
        for step in parse(report.record).steps
        for action in step.actions
        if action.seat == 0
    }
    assert chosen == {"no", "play", "pass"}


def test_the_sample_exchange_is_that_of_a_real_match() -> None:
    assert written(TEXT) == block(sample()), "write it anew: python tests/docs/sample.py"


def messages(descriptor: Descriptor) -> list[str]:
    return [field.name for field in descriptor.fields]


@pytest.mark.parametrize("name", referee_pb2.DESCRIPTOR.message_types_by_name)
def test_every_message_and_field_is_explained(name: str) -> None:
    if name not in ("PlayRequest", "PlayResponse"):
        fields = messages(referee_pb2.DESCRIPTOR.message_types_by_name[name])
        assert [field for field in fields if f"`{field}`" not in TEXT] == []
    assert f"`{name}`" in TEXT


def test_every_termination_is_explained() -> None:
    for termination in Termination:
        assert f"| `{termination.name}` |" in TEXT
    assert len(Termination) == len(referee_pb2.Termination.values()) - 1


def test_every_reason_for_a_substitution_is_explained() -> None:
    enum = referee_pb2.DESCRIPTOR.enum_types_by_name["SubstitutionReason"]
    names = [value.name.removeprefix("SUBSTITUTION_REASON_") for value in enum.values]
    assert [name for name in names if name not in ("UNSPECIFIED", "FORFEITED") and f"`{name}`" not in TEXT] == []


def test_the_limits_are_those_of_the_referee() -> None:
    conduct = Conduct()
    rows = (
        f"startup time, {conduct.startup_time:g} s if",
        f"| start of a call to its Hello | {stream.HELLO_TIME:g} s |",
        f"| calls without a valid Hello | {stream.MAX_CALLS} |",
        f"| size of a message | {stream.MAX_MESSAGE_SIZE // 1024} KiB |",
        f"From {stream.MAX_RECEIVED_SIZE // 2**20} MiB gRPC",
        f"| discarded decisions | {stream.MAX_UNASKED} |",
        f"| comment | {stream.MAX_COMMENT_LENGTH} characters |",
        f"grace time, {conduct.grace_time:g} s |",
        f"| end of the stream to the end of the process | {grpc.EXIT_TIME:g} s |",
        f"the first and the last {conduct.log_size // 2048} KiB are kept",
        f"after every {HASH_INTERVAL}th step",
        f"Metadata may have\n{dict(stream.SERVER_OPTIONS)['grpc.max_metadata_size']:,} bytes",
    )
    assert [row for row in rows if row not in TEXT] == []


def test_what_a_bot_may_use_is_what_the_jails_limit() -> None:
    rows = (
        f"| memory, temporary files included | {BOT.memory_size // MIB} MiB |",
        f"| processes and threads | {BOT.processes} |",
        f"| CPU | {BOT.cores:g} cores |",
        f"| temporary files | {BOT.scratch_size // MIB} MiB |",
        f"| one file | {BOT.file_size // MIB} MiB |",
        f"| open files in a process | {BOT.open_files} |",
    )
    assert [row for row in rows if row not in TEXT] == []


def test_the_environment_is_that_of_a_bot() -> None:
    for name in (*lodging.KEPT_VARIABLES, "CARDPIT_ADDRESS", "CARDPIT_TOKEN", "HOME", "TMPDIR", "PYTHONUNBUFFERED"):
        assert f"`{name}`" in TEXT


def vectors() -> dict[str, str]:
    (text,) = re.findall(r"<!-- vectors: begin -->\n```\n(.*?)```", TEXT, re.DOTALL)
    return dict(re.split(r" {2,}", line) for line in text.splitlines())


def test_the_test_vectors_are_what_the_code_derives() -> None:
    seed = bytes(range(SEED_SIZE))
    board = board_seed(seed, "landlord", 0)
    numbers, drops = Stream(board, "deal/0"), Stream(board, "drops")
    blocks = Stream(board, "deal/0")
    assert vectors() == {
        "tournament seed": seed.hex(),
        "its commitment": commitment(seed).hex(),
        "board/landlord/0": board.hex(),
        "bot/0 of it": bot_seed(board, 0).hex(),
        "deal/0 of it": derive(board, "deal/0").hex(),
        "stream, bytes 0 to 31": b"".join(blocks.below(2**32).to_bytes(4, "big") for _ in range(8)).hex(),
        "below(52), ten times": " ".join(str(numbers.below(52)) for _ in range(10)),
        "ABCDEFGH shuffled": "".join(Stream(board, "deal/0").shuffled("ABCDEFGH")),
        "coin first/0": str(coin(board, "first/0")),
        "below(3000000000) x 5": " ".join(str(drops.below(3_000_000_000)) for _ in range(5)),
    }


def test_the_value_that_the_page_says_is_dropped_is_the_fifth() -> None:
    board = board_seed(bytes(range(SEED_SIZE)), "landlord", 0)
    values = Stream(board, "drops")
    fifth = [values.below(2**32) for _ in range(5)][-1]
    assert f"fifth value, {fifth}, is dropped" in TEXT
    assert fifth >= 3_000_000_000


def test_a_record_is_as_the_page_says() -> None:
    (report,), _ = play_bots([sdk_bot("first"), sdk_bot("first")], move_time=1.0)
    record = record_pb2.Record.FromString(report.record)
    assert list(record.DESCRIPTOR.fields_by_name) == ["header", "deal", "steps", "result", "digest"]
    assert "without its last 34 bytes" in TEXT
    assert derive_digest(report.record[:-34]) == record.digest == report.record[-32:]
    assert record.header.seed_commitment == commitment(board_seed(bytes(32), "landlord", 0))


def derive_digest(data: bytes) -> bytes:
    from hashlib import sha256

    return sha256(data).digest()
