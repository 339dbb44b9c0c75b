"""What a configuration says of samplers; plain data, read without numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rewardkit.errors import ConfigError


@dataclass(frozen=True)
class CurriculumConfig:
    """Which problem is next."""

    rule: Literal["uniform", "mopps", "greso", "pools", "adarft"] | str = "uniform"
    """`uniform` draws in shuffled epochs; docs/samplers.md says what the others do and cost."""
    target: float = 0.5
    """The solve rate that `mopps` looks for, and that `adarft` aims at."""
    steer: float = 0.1
    """How fast `mopps` aims away from its target when what it draws comes out easier or harder; 0
    never does, as published."""
    decay: float = 0.5
    """How much of what is believed of a solve rate outlives a visit; 1 forgets nothing."""
    candidates: int = 16
    """Problems that `mopps` and `adarft` look at for each one that they take."""
    explore: float = 0.1
    """The least share of new problems in their draws, while there are any."""
    weights: tuple[float, ...] = (1.0, 0.2, 1.0, 0.2)
    """Of the `pools` new, hard, middling and easy."""
    bounds: tuple[float, ...] = (0.25, 0.75)
    """Up to the first solve rate a problem is hard to `pools`, above the second easy."""
    retire: float | None = None
    """Put a problem aside whose last visit was right at least so often; "none" never does."""
    return_after: int = 100
    """Steps after which it may be drawn again."""
    prior: str = ""
    """Solve rates known beforehand: `column:NAME`, or a .jsonl file of rows with `id`, and
    `solve_rate` or `right` and `wrong`."""
    prior_strength: float = 4.0
    """How many rollouts a known rate counts for."""
    drift: float = 0.0
    """How fast all that is believed of problems of one kind moves with what is seen of any of them,
    as a variance of log-odds a step; 0 moves nothing."""
    kind: str = ""
    """`column:NAME`: problems with the same value there are of one kind; otherwise all are."""


@dataclass(frozen=True)
class GroupSizeConfig:
    """How many rollouts a problem gets, around `sampling.group_size`."""

    rule: Literal["fixed", "reinforce_ada", "speed", "knapsack"] | str = "fixed"
    """`fixed` gives every problem `sampling.group_size`."""
    rounds: int = 4
    """`reinforce_ada`: at most so many rounds of `sampling.group_size`."""
    enough: int = 0
    """`reinforce_ada`: so many right and so many wrong answers end a group; 0 is half a group."""
    screen: int = 4
    """`speed`: rollouts that decide whether a problem gets the rest."""
    least: int = 2
    """`knapsack`: the smallest group."""
    most: int = 32
    """`knapsack`: the largest group."""


@dataclass(frozen=True)
class KeepConfig:
    """What of the drawn is trained on, where the recipe filters groups."""

    low: float = 0.0
    """The least solve rate of a group; one without any right answer is never kept."""
    high: float = 1.0
    """The largest one; a group without any wrong answer is never kept."""
    members: Literal["all", "variance", "shortest", "efficient", "balanced"] | str = "all"
    """Which rollouts of a group: `variance` is PODS, `shortest` and `efficient` are GFPO."""
    size: int = 0
    """How many of them; 0 keeps all."""
    statistics: Literal["drawn", "kept"] = "drawn"
    """Whether advantages compare with all rollouts that were drawn, or with the kept ones alone."""

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise ConfigError(
                f"sampling.keep.low and high are solve rates in order, found {self.low} and "
                f"{self.high}"
            )
        if (self.members == "all") != (self.size == 0):
            raise ConfigError(
                f'sampling.keep.members = "{self.members}" and size = {self.size} do not go '
                "together: name a rule and how many rollouts it keeps, or neither"
            )
        if self.size == 1 or self.size < 0:
            raise ConfigError(f"sampling.keep.size must be 2 or more, or 0, found {self.size}")


@dataclass(frozen=True)
class RefillConfig:
    """How groups without signal are replaced."""

    oversample: bool = False
    """Ask for as many as the running rate of acceptance says, so that one round mostly suffices;
    otherwise for exactly what is missing."""
    leftovers: Literal["drop", "keep"] = "drop"
    """What becomes of groups with signal that a batch has no place for."""
    max_age: int = 1
    """Kept ones are dropped when they are so many steps old and more."""
