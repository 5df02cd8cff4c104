"""Chance: every shuffle, draw and coin of a match, derived from one 32-byte seed.

Each purpose has a stream of its own, named by a label, so that nothing a bot does to one of them moves another.
The derivation is plain HMAC-SHA256 and is specified in ``docs/protocol.md``, so that a program in any language
can make every deal again:

* the key of a stream is ``HMAC-SHA256(seed, label)``, the label in UTF-8;
* its bytes are ``HMAC-SHA256(key, n)`` for n = 0, 1, 2, ... as 8 bytes, big end first, one after another;
* a number below n takes 4 bytes, big end first; a value of ``2**32 - 2**32 % n`` or more is dropped and the next
  4 bytes are taken; the number is the value modulo n;
* a shuffle goes from the last place down to the second: place i changes cards with place ``below(i + 1)``;
* a coin is the first (highest) bit of the stream's key.
"""

from collections.abc import Iterable
from hashlib import sha256
from hmac import digest
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

SEED_SIZE = 32
"""Bytes in a seed."""


def text_seed(text: str) -> bytes:
    """Return the seed that a text such as that of ``--seed`` stands for: the SHA-256 of ``cardpit/`` and the text."""
    return sha256(f"cardpit/{text}".encode()).digest()


def derive(seed: bytes, label: str) -> bytes:
    """Return the 32-byte seed or key of one purpose: ``HMAC-SHA256(seed, label)``."""
    return digest(seed, label.encode(), "sha256")


def coin(seed: bytes, label: str) -> int:
    """Return 0 or 1: the first bit of the key of a stream."""
    return digest(seed, label.encode(), "sha256")[0] >> 7


def board_seed(tournament_seed: bytes, game: str, board: int) -> bytes:
    """Return the seed of a board, the same at every table of a tournament. Boards count from 0."""
    return derive(tournament_seed, f"board/{game}/{board}")


def bot_seed(seed: bytes, seat: int) -> bytes:
    """Return the private randomness of a seat, 32 bytes: it tells nothing of the deal."""
    return derive(seed, f"bot/{seat}")


def commitment(seed: bytes) -> bytes:
    """Return what may be published of a seed before it is revealed: its SHA-256."""
    return sha256(seed).digest()


class Key:
    """HMAC-SHA256 under one key of up to 64 bytes, made ready for many messages.

    It gives what ``hmac.digest`` gives (RFC 2104), in a third of its time where messages are short.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        padded = key.ljust(64, b"\0")
        self._inner = padded.translate(_INNER)
        self._outer = padded.translate(_OUTER)

    def digest(self, message: bytes) -> bytes:
        """Return the 32 bytes of a message."""
        return sha256(self._outer + sha256(self._inner + message).digest()).digest()

    def coin(self, label: str) -> int:
        """Return 0 or 1, the same as :func:`coin` of the seed that is this key."""
        return self.digest(label.encode())[0] >> 7


_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))
_split = Struct(">8I").unpack


class Stream:
    """The random numbers of one purpose, in order. Two streams of one seed and label give the same numbers."""

    __slots__ = ("_block", "_key", "_values")

    def __init__(self, seed: bytes, label: str) -> None:
        self._key = Key(derive(seed, label))
        self._block = 0
        self._values: list[int] = []

    def below(self, bound: int) -> int:
        """Return an integer from 0 to ``bound - 1``, each as likely as the others; ``bound`` is 1 to 2**32."""
        limit = 0x1_0000_0000 - 0x1_0000_0000 % bound
        while True:
            if not self._values:
                self._values = list(_split(self._key.digest(self._block.to_bytes(8, "big")))[::-1])
                self._block += 1
            value = self._values.pop()
            if value < limit:
                return value % bound

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in a random order, each order as likely as the others."""
        order = list(items)
        below = self.below
        for last in range(len(order) - 1, 0, -1):
            other = below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)
