"""The order of uniform training: shuffled epochs, and mixtures of them by weight.

A position is a plain number, and what stands there a function of (seed, position): resuming needs
no state but a cursor.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence, Sized
from dataclasses import dataclass, field
from typing import Protocol

from rewardkit.data.permutation import Permutation
from rewardkit.errors import ConfigError

LISTED = 1 << 17
"""Up to so many problems an epoch is shuffled as a list, which keeps the order of runs that began
before; beyond it each place is computed, so that 1.8 million take no second and no memory."""
BLOCK = 1000
"""Positions in which every source of a mixture has its exact share, to a whole number."""


class Order(Protocol):
    """Says which problem stands at each position of an endless stream."""

    def at(self, position: int) -> int:
        """Return the number of the problem at a position."""
        ...


@dataclass(frozen=True)
class Share:
    """One source of a mixture: how many problems it has, and its weight among the others."""

    count: int
    weight: float


@dataclass
class EpochOrder:
    """Problem numbers 0..count-1 in an order that is shuffled anew in every epoch.

    >>> order = EpochOrder(3, seed=0)
    >>> sorted(order.at(position) for position in range(3, 6))
    [0, 1, 2]
    """

    count: int
    seed: int
    _epoch: int = -1
    _order: Sequence[int] = field(default_factory=list)
    _permutation: Permutation | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ConfigError("an order of problems needs at least one problem, found none")

    def at(self, position: int) -> int:
        """Return the number of the problem at a position of the endless stream."""
        epoch, place = divmod(position, self.count)
        if epoch != self._epoch:
            key, self._epoch = f"order {self.seed} {epoch}", epoch
            if self.count > LISTED:
                self._permutation = Permutation(self.count, key)
            else:
                order = list(range(self.count))
                random.Random(key).shuffle(order)
                # A list of a hundred thousand numbers takes 4 MB, an array of them .4.
                self._order = array("i", order)
        return self._order[place] if self._permutation is None else self._permutation.at(place)


class MixedOrder:
    """Problem numbers of several sources, which lie one behind the other, drawn by weight.

    In each block of `BLOCK` positions a source has its share, spread evenly with jitter, so that
    batches hold about their share as well. Each source goes through shuffled epochs of its own:
    with a single source the stream is that of an `EpochOrder`.

    >>> order = MixedOrder([Share(10, 3.0), Share(1000, 1.0)], seed=0)
    >>> sum(order.at(position) < 10 for position in range(1000))
    750
    """

    def __init__(self, shares: Sequence[Share], seed: int) -> None:
        self.seed = seed
        self._counts = block_counts([share.weight for share in shares])
        self._starts = [sum(share.count for share in shares[:i]) for i in range(len(shares))]
        self._orders = [
            EpochOrder(share.count, seed) if count else None
            for share, count in zip(shares, self._counts, strict=True)
        ]
        self._block = -1
        self._places: list[tuple[int, int]] = []

    def at(self, position: int) -> int:
        """Return the number of the problem at a position of the endless stream."""
        source, place = self.place(position)
        order = self._orders[source]
        assert order is not None
        return self._starts[source] + order.at(place)

    def place(self, position: int) -> tuple[int, int]:
        """Return the source at a position, and the position in that source's own stream."""
        block, at = divmod(position, BLOCK)
        if block != self._block:
            self._block, self._places = block, self._shuffled(block)
        source, rank = self._places[at]
        return source, block * self._counts[source] + rank

    def _shuffled(self, block: int) -> list[tuple[int, int]]:
        drawn = random.Random(f"mixture {self.seed} {block}")
        times = [
            ((rank + drawn.random()) / count, source, rank)
            for source, count in enumerate(self._counts)
            for rank in range(count)
        ]
        return [(source, rank) for _, source, rank in sorted(times)]


def order_of(problems: Sized, seed: int) -> Order:
    """Return the order in which training meets problems: by weight where they are a mixture's."""
    shares: Sequence[Share] | None = getattr(problems, "shares", None)
    return EpochOrder(len(problems), seed) if shares is None else MixedOrder(shares, seed)


def block_counts(weights: Sequence[float]) -> list[int]:
    """Return how many positions of a block each weight gets: a whole number, and at least one.

    A weight of 0 gets none.

    Raises:
        ConfigError: a weight is below 0, or all are 0.

    >>> block_counts([2, 1, 0, 1e-9])
    [666, 333, 0, 1]
    """
    if any(not 0 <= weight < float("inf") for weight in weights) or not any(weights):
        raise ConfigError(f"weights are 0 or more, and one is above 0; found {list(weights)}")
    total = sum(weights)
    exact = [BLOCK * weight / total for weight in weights]
    counts = [
        max(int(share), int(weight > 0)) for share, weight in zip(exact, weights, strict=True)
    ]
    by_remainder = sorted(range(len(weights)), key=lambda i: counts[i] - exact[i])
    while sum(counts) < BLOCK:
        for i in by_remainder:
            if weights[i] and sum(counts) < BLOCK:
                counts[i] += 1
    while sum(counts) > BLOCK:  # several sources of almost no weight
        counts[counts.index(max(counts))] -= 1
    return counts
