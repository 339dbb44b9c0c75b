"""A shuffling of any number of things that takes no memory and no start: each place is computed.

A Feistel network over the bits of a number is a permutation of all numbers of so many bits,
whatever its rounds compute; places that lead beyond the end are put through it again until they do
not ("cycle walking": Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
"""

from __future__ import annotations

import hashlib

ROUNDS = 6
_MASK = (1 << 64) - 1


class Permutation:
    """The numbers 0..count-1 in an order that `key` chooses; any place of it at once.

    >>> order = Permutation(5, "a key")
    >>> sorted(order.at(place) for place in range(5))
    [0, 1, 2, 3, 4]
    """

    def __init__(self, count: int, key: str) -> None:
        self.count = count
        self._half = max(1, ((count - 1).bit_length() + 1) // 2)
        digest = hashlib.sha512(key.encode()).digest()
        self._keys = [int.from_bytes(digest[8 * i : 8 * i + 8], "big") for i in range(ROUNDS)]

    def at(self, place: int) -> int:
        """Return the number at a place; at most four times through the network, on average."""
        half, low = self._half, (1 << self._half) - 1
        while True:
            left, right = place >> half, place & low
            for key in self._keys:
                left, right = right, left ^ (_mixed(right + key) & low)
            place = left << half | right
            if place < self.count:
                return place


def _mixed(number: int) -> int:
    """Return 64 bits that depend on all bits of a number (the finaliser of SplitMix64)."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & _MASK
    return number ^ number >> 31
