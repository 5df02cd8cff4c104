"""What makes a board fair, checked on the records of tournaments between real processes."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardpit.v1 import record_pb2 as pb
from tournament.archive import open_record
from tournament.home import Home
from tournament.store.database import Store
from tournament.store.matches import records
from tournament.store.tournaments import find_tournament

Call = Callable[..., Result]

NAMER = """\
import secrets

from cardpit import Bot

PROCESS = secrets.token_hex(8)


class Namer(Bot):
    games = ("speed",)

    def act(self, turn):
        self.comment = PROCESS
        return turn.legal_actions[0]


if __name__ == "__main__":
    Namer.run()
"""
BOTS, BOARDS = 3, 3


@pytest.mark.parametrize("restart", ["room", "match"])
def test_no_process_sees_a_board_twice_or_sits_in_two_rooms_and_all_tables_have_the_same_cards(
    call: Call, home: Home, tmp_path: Path, restart: str
) -> None:
    for number in range(BOTS):
        (tmp_path / f"namer{number}.py").write_text(NAMER)
        assert call("submit", tmp_path / f"namer{number}.py").exit_code == 0
    run = call(
        "run", "--name", "cup", "--game", "speed", "--boards", BOARDS, "--restart", restart, "--jobs", "2", "--quiet"
    )
    assert run.exit_code == 0, run.output
    played = _records(home)
    assert len(played) == 3 * BOARDS * 2

    deals: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    seats_of: dict[tuple[str, int, int], list[int]] = defaultdict(list)
    boards_of: dict[str, list[int]] = defaultdict(list)
    rooms_of: dict[str, set[tuple[int, int, int]]] = defaultdict(set)
    for record in played:
        header = record.header
        deals[header.board].add(tuple(record.deal))
        for seat, player in enumerate(header.players):
            seats_of[player.bot, header.pairing, header.board].append(seat)
            named = {action.comment for step in record.steps for action in step.actions if action.seat == seat}
            (process,) = named - {""}
            boards_of[process].append(header.board)
            rooms_of[process].add((header.pairing, header.room, seat))

    assert len(deals) == BOARDS
    assert all(len(dealt) == 1 for dealt in deals.values()), "every table has the same cards"
    assert len(set.union(*deals.values())) == BOARDS, "and every board has others"
    assert all(sorted(seats) == [0, 1] for seats in seats_of.values()), "every bot has every seat of every board"
    assert all(len(rooms) == 1 for rooms in rooms_of.values())
    wanted = [0, 1, 2] if restart == "room" else [0]
    assert all(len(boards) == len(set(boards)) == len(wanted) for boards in boards_of.values())


def _records(home: Home) -> list[pb.Record]:
    with Store.open(home) as store:
        (pool,) = find_tournament(store, "cup").pools
        return [open_record(stored.record, stored.timings)[0] for stored in records(store, pool)]
