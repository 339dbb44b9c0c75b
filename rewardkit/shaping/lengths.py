"""Terms on length that a response's group or a budget sets."""

from __future__ import annotations

from rewardkit.errors import ConfigError
from rewardkit.shaping.group import GradedGroup


def alp(group: GradedGroup, *, normaliser: float | None = None) -> list[float]:
    """Return the adaptive length penalty, 2506.05256 eq. 2: −max(p, 1/K) · |o| / N.

    p is the share of the group's K responses that are right, so that a token costs more the
    easier the problem; where none is right it costs what it does where one is. The term's weight
    is the paper's β.

    Args:
        group: the responses of one problem.
        normaliser: N in tokens; by default the limit.
    """
    n = group.limit if normaliser is None else normaliser
    if n <= 0:
        raise ConfigError(f"alp's normaliser is a number of tokens above 0, found {n:g}")
    if not group.correct:
        return []
    size = len(group.correct)
    price = max(sum(group.correct), 1) / size
    return [-price * length / n for length in group.lengths]


def pass_rate_length(group: GradedGroup) -> list[float]:
    """Return −p · |o| / the longest of the group, p its mean score: prime-rl's `linear` penalty.

    https://github.com/PrimeIntellect-ai/prime-rl, docs/algorithms.md, for output tokens. Unlike
    `alp`'s the price is relative to the group's own lengths, and nothing where nothing is right.
    """
    if not group.lengths:
        return []
    share = sum(group.scores) / len(group.scores)
    longest = max(max(group.lengths), 1)
    return [-share * length / longest for length in group.lengths]


def length_target(
    group: GradedGroup, *, target: int, alpha: float = 3e-4, at_most: bool = False
) -> list[float]:
    """Return L1's reward for keeping to a length, 2503.04697 eq. 1-2.

    −α·||o| − target| whatever the answer is (LCPO-Exact); with `at_most` a right answer earns
    clip(α·(target − |o|) + ½, 0, 1) − 1 beside its 1 (LCPO-Max, which multiplies the two).

    Args:
        group: the responses of one problem.
        target: the length that is asked for, in tokens.
        alpha: the price of a token.
        at_most: ask for no more than the target instead of for exactly so much.
    """
    if target < 1 or alpha <= 0:
        raise ConfigError(
            f"length_target's target is at least 1 token and alpha above 0, found {target}, {alpha}"
        )
    if not at_most:
        return [-alpha * abs(length - target) for length in group.lengths]
    kept = [min(max(alpha * (target - length) + 0.5, 0.0), 1.0) for length in group.lengths]
    return [right * (share - 1) for right, share in zip(group.correct, kept, strict=True)]


def dler(
    group: GradedGroup,
    *,
    target: int | None = None,
    easy_target: int | None = None,
    easy: float = 0.5,
) -> list[float]:
    """Return what a response that is longer than a target loses, its score: DLER, 2510.15110 §2.

    With `easy_target` the difficulty-aware one, sec. 3.5: where a share of at least `easy` of the
    group's responses is right, that is the target. The paper's are 4000 and 2000 tokens.

    Args:
        group: the responses of one problem.
        target: in tokens; by default the limit, beyond which nothing is.
        easy_target: the target of groups that are mostly right.
        easy: the share of right responses from which a group is one of them.
    """
    most = group.limit if target is None else target
    if most < 1 or (easy_target is not None and easy_target < 1) or not 0 <= easy <= 1:
        raise ConfigError(
            "dler's targets are at least 1 token and easy is a share in [0, 1], found "
            f"{target}, {easy_target}, {easy}"
        )
    if easy_target is not None and group.correct:
        share = sum(group.correct) / len(group.correct)
        most = easy_target if share >= easy else most
    return [
        -score if length > most else 0.0
        for score, length in zip(group.scores, group.lengths, strict=True)
    ]
