"""How many rollouts a problem gets: a first round, and what follows from what came of it.

Pure functions of counts. Groups of a batch may differ in size: advantages are statistics of one
group each, and `docs/samplers.md` says which aggregations then weigh large groups more.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rewardkit.errors import ConfigError
from rewardkit.registry import piece
from rewardkit.sampling.counts import Visit


class GroupSizes(Protocol):
    """A rule for the number of rollouts."""

    @property
    def needs_rates(self) -> bool:
        """Whether `first` reads the expected solve rates."""
        ...

    def first(self, rates: Sequence[float]) -> list[int]:
        """Return each problem's rollouts of the first round, from its expected solve rate."""
        ...

    def more(self, found: Visit, rounds: int) -> int:
        """Return how many more a problem gets after so many rounds; 0 ends its group."""
        ...


@dataclass(frozen=True)
class Fixed:
    """The same for all.

    >>> Fixed(8).first([0.1, 0.9]), Fixed(8).more(Visit(0, 4, 4), 1)
    ([8, 8], 0)
    """

    size: int
    needs_rates: bool = False

    def first(self, rates: Sequence[float]) -> list[int]:
        """Return the size, for each."""
        return [self.size] * len(rates)

    def more(self, found: Visit, rounds: int) -> int:
        """Return 0."""
        return 0


@dataclass(frozen=True)
class ReinforceAda:
    """Rounds until there are enough right and enough wrong answers: 2510.04996, balanced.

    >>> rule = ReinforceAda(round_size=4, rounds=3, enough=2)
    >>> rule.more(Visit(0, 3, 1), 1), rule.more(Visit(0, 6, 2), 2), rule.more(Visit(0, 12, 0), 3)
    (4, 0, 0)
    """

    round_size: int
    rounds: int
    enough: int
    needs_rates: bool = False

    def __post_init__(self) -> None:
        for name in ("round_size", "rounds", "enough"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, found {getattr(self, name)}")

    def first(self, rates: Sequence[float]) -> list[int]:
        """Return a round for each."""
        return [self.round_size] * len(rates)

    def more(self, found: Visit, rounds: int) -> int:
        """Return another round unless there are enough of both kinds, or no rounds left."""
        done = rounds >= self.rounds or min(found.right, found.wrong) >= self.enough
        return 0 if done else self.round_size


@dataclass(frozen=True)
class Speed:
    """A few rollouts screen a problem; only a mixed one gets the rest: SPEED (2506.09016).

    >>> rule = Speed(screen=4, size=16)
    >>> rule.more(Visit(0, 1, 3), 1), rule.more(Visit(0, 0, 4), 1), rule.more(Visit(0, 8, 8), 2)
    (12, 0, 0)
    """

    screen: int
    size: int
    needs_rates: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.screen < self.size:
            raise ConfigError(
                f"a screen takes at least 2 rollouts and fewer than the group, found {self.screen} "
                f"of {self.size}"
            )

    def first(self, rates: Sequence[float]) -> list[int]:
        """Return the screen, for each."""
        return [self.screen] * len(rates)

    def more(self, found: Visit, rounds: int) -> int:
        """Return the rest of the group, if the screen was mixed."""
        return self.size - self.screen if rounds == 1 and found.carries_signal else 0


@dataclass(frozen=True)
class Knapsack:
    """Shares `size` rollouts a problem out by what they are worth: Knapsack RL (2509.25849).

    N rollouts of a problem of solve rate p are worth P(mixed)·p(1−p)², with P(mixed) =
    1 − p^N − (1−p)^N. From the second rollout on each adds less than the one before, so that
    giving them one by one to the problem that gains most is the exact optimum.

    >>> Knapsack(size=8, least=2, most=32).first([0.5, 0.1, 1.0])
    [7, 15, 2]
    """

    size: int
    least: int
    most: int
    needs_rates: bool = True

    def __post_init__(self) -> None:
        if not 2 <= self.least <= self.size <= self.most:
            raise ConfigError(
                "a knapsack's bounds are 2 or more, and hold the mean size between them; found "
                f"{self.least} to {self.most} around {self.size}"
            )

    def first(self, rates: Sequence[float]) -> list[int]:
        """Return the budget's optimal shares."""
        sizes = [self.least] * len(rates)
        left = (self.size - self.least) * len(rates)
        gains = [(-_gain(rate, self.least), i) for i, rate in enumerate(rates)]
        heapq.heapify(gains)
        while left and gains:
            _, i = heapq.heappop(gains)
            sizes[i] += 1
            left -= 1
            if sizes[i] < self.most:
                heapq.heappush(gains, (-_gain(rates[i], sizes[i]), i))
        return sizes

    def more(self, found: Visit, rounds: int) -> int:
        """Return 0."""
        return 0


class OwnSizes:
    """A rule of a user's own, `module:name`: a class made with the mean size, held to `GroupSizes`.

    Raises:
        ConfigError: it cannot be imported, or says no whole numbers of rollouts, one a problem.
    """

    def __init__(self, name: str, size: int) -> None:
        known: dict[str, Callable[[int], GroupSizes]] = {}
        self.name = f"rule for the sizes of groups {name!r}"
        self.rule = piece("rule for the sizes of groups", name, known)(size)
        self.needs_rates = bool(getattr(self.rule, "needs_rates", False))

    def first(self, rates: Sequence[float]) -> list[int]:
        """Return what it says, of which each is at least 1."""
        return self._checked(self.rule.first(rates), len(rates), 1)

    def more(self, found: Visit, rounds: int) -> int:
        """Return what it says."""
        return self._checked([self.rule.more(found, rounds)], 1, 0)[0]

    def _checked(self, sizes: list[int], count: int, least: int) -> list[int]:
        if len(sizes) != count or not all(isinstance(n, int) and n >= least for n in sizes):
            raise ConfigError(
                f"{self.name} said {sizes!r:.80}, expected {count} whole numbers from {least} on"
            )
        return sizes


def _gain(rate: float, size: int) -> float:
    """Return what one rollout more is worth to a group of `size`."""
    mixed: float = rate**size * (1 - rate) + (1 - rate) ** size * rate
    return mixed * rate * (1 - rate) ** 2
