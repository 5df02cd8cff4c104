"""A random order of very many things, without a list of them."""

from hmac import digest

from cardpit.games.seeds import derive

_ROUNDS = 6


class Permutation:
    """A random order of 0 to n - 1, found place by place.

    A Feistel network permutes the numbers of an even number of bits; a result that is too large is permuted again until
    it is not, which takes less than four times on average. Source: J. Black, P. Rogaway, "Ciphers with arbitrary finite
    domains", 2002.
    """

    __slots__ = ("_half", "_key", "_mask", "size")

    def __init__(self, size: int, seed: bytes, label: str) -> None:
        self.size = size
        self._half = max(((size - 1).bit_length() + 1) // 2, 1)
        self._mask = (1 << self._half) - 1
        self._key = derive(seed, label)

    def place(self, index: int) -> int:
        """Return the number at a place of the order; both are from 0 to ``size - 1``."""
        value = index
        while True:
            left, right = value >> self._half, value & self._mask
            for number in range(_ROUNDS):
                block = digest(self._key, number.to_bytes(1, "big") + right.to_bytes(16, "big"), "sha256")
                left, right = right, left ^ (int.from_bytes(block[:16], "big") & self._mask)
            value = left << self._half | right
            if value < self.size:
                return value
