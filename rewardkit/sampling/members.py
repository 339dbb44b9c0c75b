"""Which rollouts of a group are trained on, when more were drawn than an update needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from rewardkit.errors import ConfigError
from rewardkit.registry import piece


class Member(NamedTuple):
    """What the rules read of a decided rollout."""

    reward: float
    tokens: int
    right: bool


def choose(rule: str, members: Sequence[Member], keep: int) -> tuple[int, ...]:
    """Return which members are trained on, in order; all where `keep` is not fewer.

    Raises:
        UnknownNameError: no such rule; lists the known ones.

    >>> group = [Member(reward, 5, reward > 0) for reward in (0, 0, 1, 0, 1, 0)]
    >>> choose("variance", group, keep=4)
    (0, 1, 2, 4)
    """
    function = piece("rule for the rollouts of a group", rule, MEMBER_RULES)
    if keep >= len(members):
        return tuple(range(len(members)))
    found = tuple(sorted(function(members, keep)))
    if rule not in MEMBER_RULES and not set(found) <= set(range(len(members))):
        raise ConfigError(f"{rule!r} chose {found!r:.80} of {len(members)} rollouts, from 0 on")
    return found


def _all(members: Sequence[Member], keep: int) -> Sequence[int]:
    return range(len(members))


def _variance(members: Sequence[Member], keep: int) -> Sequence[int]:
    """The `keep` with the largest variance of rewards: PODS (2504.13818).

    They are the lowest i and the highest keep − i of the sorted rewards, for the best i.
    """
    order = sorted(range(len(members)), key=lambda i: members[i].reward)
    rewards = [members[i].reward for i in order]
    sums = [0.0, *accumulate(rewards)]
    squares = [0.0, *accumulate(reward**2 for reward in rewards)]
    n = len(members)

    def spread(low: int) -> float:
        high = n - keep + low
        mean = (sums[low] + sums[n] - sums[high]) / keep
        return (squares[low] + squares[n] - squares[high]) / keep - mean**2

    # Of equal spreads the most even split.
    best = max(range(keep + 1), key=lambda low: (round(spread(low), 12), -abs(2 * low - keep)))
    return order[:best] + order[n - keep + best :]


def _shortest(members: Sequence[Member], keep: int) -> Sequence[int]:
    """The `keep` shortest: GFPO (2508.09726) with length as its metric."""
    return sorted(range(len(members)), key=lambda i: members[i].tokens)[:keep]


def _efficient(members: Sequence[Member], keep: int) -> Sequence[int]:
    """The `keep` of most reward a token: GFPO with token efficiency."""
    return sorted(
        range(len(members)), key=lambda i: -members[i].reward / max(members[i].tokens, 1)
    )[:keep]


def _balanced(members: Sequence[Member], keep: int) -> Sequence[int]:
    """Half right and half wrong as far as there are, the first ones: Reinforce-Ada (2510.04996)."""
    right = [i for i, member in enumerate(members) if member.right]
    wrong = [i for i, member in enumerate(members) if not member.right]
    few = min(len(right), len(wrong), keep // 2)
    if len(right) < len(wrong):
        return right[:few] + wrong[: keep - few]
    return right[: keep - few] + wrong[:few]


MEMBER_RULES: dict[str, Callable[[Sequence[Member], int], Sequence[int]]] = {
    "all": _all,
    "variance": _variance,
    "shortest": _shortest,
    "efficient": _efficient,
    "balanced": _balanced,
}
