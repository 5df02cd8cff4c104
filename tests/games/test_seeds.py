"""Streams of chance, made again here from nothing but HMAC-SHA256."""

import hmac
from collections.abc import Iterator

import pytest

from cardpit.cards import PACK
from cardpit.games.seeds import Key, Stream, board_seed, bot_seed, coin, derive

SEEDS = [bytes([number]) * 32 for number in range(20)]


def numbers(seed: bytes, label: str) -> Iterator[int]:
    """Yield the 4-byte numbers of a stream."""
    key = hmac.digest(seed, label.encode(), "sha256")
    for block in range(1000):
        made = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(made[place : place + 4], "big") for place in range(0, 32, 4))


@pytest.mark.parametrize("bound", [1, 2, 3, 52, 2**31 + 1, 2**32 - 1, 2**32])
def test_a_number_below_a_bound_is_the_next_of_the_stream_that_is_not_too_large(bound: int) -> None:
    for seed in SEEDS:
        stream = Stream(seed, "test")
        fit = (value for value in numbers(seed, "test") if value < 2**32 - 2**32 % bound)
        assert [stream.below(bound) for _ in range(40)] == [next(fit) % bound for _ in range(40)]


def test_a_shuffle_goes_from_the_last_place_down() -> None:
    for seed in SEEDS:
        order = list(PACK)
        values = numbers(seed, "deal")
        for last in range(51, 0, -1):
            value = next(value for value in values if value < 2**32 - 2**32 % (last + 1))
            other = value % (last + 1)
            order[last], order[other] = order[other], order[last]
        assert Stream(seed, "deal").shuffled(PACK) == tuple(order)


def test_a_prepared_key_makes_what_hmac_makes() -> None:
    for size in (0, 1, 31, 32, 63, 64):
        key = bytes(range(size))
        for message in (b"", b"prio/1/0", bytes(200)):
            assert Key(key).digest(message) == hmac.digest(key, message, "sha256")


def test_a_coin_is_the_first_bit_of_the_key_of_its_stream() -> None:
    for seed in SEEDS:
        first = hmac.digest(seed, b"prio/3/14", "sha256")[0] >> 7
        assert coin(seed, "prio/3/14") == Key(seed).coin("prio/3/14") == first == derive(seed, "prio/3/14")[0] >> 7


def test_every_board_and_every_seat_has_a_seed_of_its_own() -> None:
    boards = [board_seed(seed, game, board) for seed in SEEDS for game in ("spit", "speed") for board in range(20)]
    assert len(set(boards)) == len(SEEDS) * 40
    assert len({bot_seed(board, seat) for board in boards for seat in range(6)}) == len(boards) * 6
