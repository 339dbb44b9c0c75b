"""The terms that ship: each a function (group, *, options) -> one value a response."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from rewardkit.errors import ConfigError
from rewardkit.shaping.group import GradedGroup, Scope, ShapingTerm
from rewardkit.shaping.lengths import alp, dler, length_target, pass_rate_length
from rewardkit.types import Finish, Outcome, Verdict
from rewardkit.verifiers.format.found import NOT_A_VALUE, NOT_DECLARED

ROUNDING = 1e-9
"""A share of right answers that is a bound's own is not on its other side for how it is stored."""


def correct(group: GradedGroup) -> list[float]:
    """Return the scores: 1 for a correct response and 0 for any other, unless they say more."""
    return list(group.scores)


def soft_overlong(
    group: GradedGroup, *, cache: int | None = None, cache_share: float = 0.2
) -> list[float]:
    """Return DAPO's soft overlong punishment, 2503.14476 eq. 13, never below −1.

    0 up to L − c tokens, then falling linearly to −1 at the limit L. Beyond the limit it stays
    −1, as in the paper; verl's and NeMo-RL's go on falling.

    Args:
        group: the responses of one problem.
        cache: c in tokens; by default `cache_share` of the limit.
        cache_share: c as a share of the limit; the paper's 4096 of 20480 is 0.2.
    """
    c = cache_share * group.limit if cache is None else cache
    if not 0 < c <= group.limit:
        raise ConfigError(
            f"soft_overlong's cache must be in (0, {group.limit}] tokens, found {c:g}"
        )
    start = group.limit - c
    return [-min(max((length - start) / c, 0.0), 1.0) for length in group.lengths]


def group_overlong(group: GradedGroup, *, easy: float, hard: str = "none") -> list[float]:
    """Return the group-relative overlong punishment of 2508.04349, appendix C.

    −½(|o| − L)/L for a length above L = max{(min + max)/2, mean}, at least −½, and 0 below. With
    p the share of correct responses: easy groups (p ≥ γ₁) punish the correct ones with L over
    their lengths; hard groups (p ≤ 1 − γ₁) punish nobody, or everybody by `soft_overlong`;
    between them L is over the whole group and punishes the correct ones if they are the
    majority, else the others.

    Args:
        group: the responses of one problem.
        easy: γ₁, in (½, 1]; the paper never states it.
        hard: "none" or "soft".
    """
    if not 0.5 < easy <= 1:
        raise ConfigError(f"group_overlong's easy is a share in (0.5, 1], found {easy}")
    if hard not in ("none", "soft"):
        raise ConfigError(f'group_overlong\'s hard is "none" or "soft", found {hard!r}')
    size, right = len(group.correct), sum(group.correct)
    if not size:
        return []
    share = right / size
    if share >= easy - ROUNDING:
        return _above(group, group.correct, group.correct)
    if share <= 1 - easy + ROUNDING:
        return [0.0] * size if hard == "none" else soft_overlong(group)
    punish_right = right > size - right
    punished = tuple(c is punish_right for c in group.correct)
    return _above(group, (True,) * size, punished)


def _above(group: GradedGroup, over: Sequence[bool], punished: Sequence[bool]) -> list[float]:
    lengths = [length for length, counts in zip(group.lengths, over, strict=True) if counts]
    start = max((min(lengths) + max(lengths)) / 2, sum(lengths) / len(lengths))
    return [
        -0.5 * min(max(length - start, 0) / start, 1.0) if hit and start > 0 else 0.0
        for length, hit in zip(group.lengths, punished, strict=True)
    ]


def stop_properly(group: GradedGroup, *, scale: float = 0.0, penalty: float = 0.0) -> list[float]:
    """Return what a response that was cut off loses: (scale − 1)·score − penalty; else 0.

    ProRL, 2505.24864: with `scale` the reward of a cut response is multiplied by it (0 forgets
    it), with `penalty` a fixed amount is taken off.

    Args:
        group: the responses of one problem.
        scale: what is left of the score, in [0, 1].
        penalty: what is taken off besides, ≥ 0.
    """
    if not 0 <= scale <= 1 or penalty < 0:
        raise ConfigError(
            f"stop_properly's scale is in [0, 1] and penalty >= 0, found {scale} and {penalty}"
        )
    return [
        (scale - 1) * score - penalty if rollout.finish is Finish.LENGTH else 0.0
        for score, rollout in zip(group.scores, group.rollouts, strict=True)
    ]


def cosine(
    group: GradedGroup,
    *,
    right_short: float = 2.0,
    right_long: float = 1.0,
    wrong_short: float = -10.0,
    wrong_long: float = 0.0,
    exceed: float = -10.0,
) -> list[float]:
    """Return the cosine length reward of 2502.03373.

    From `*_short` at length 0 to `*_long` at the limit along half a cosine: short right answers
    are best, short wrong ones worst. `exceed` at and beyond the limit. It already rewards being
    correct: give Term("correct", 0) beside it to have it alone.

    Args:
        group: the responses of one problem.
        right_short: for a right answer of length 0.
        right_long: for a right answer at the limit.
        wrong_short: for a wrong answer of length 0.
        wrong_long: for a wrong answer at the limit.
        exceed: for a response as long as the limit.
    """

    def value(right: bool, length: int) -> float:
        if length >= group.limit:
            return exceed
        short, long = (right_short, right_long) if right else (wrong_short, wrong_long)
        return long + 0.5 * (short - long) * (1 + math.cos(math.pi * length / group.limit))

    return [value(*pair) for pair in zip(group.correct, group.lengths, strict=True)]


def kimi_length(group: GradedGroup) -> list[float]:
    """Return Kimi k1.5's length reward, 2501.12599: λ if correct, else min(0, λ).

    λ = ½ − (|o| − min)/(max − min) over the group; 0 for all when the lengths are equal.
    """
    if not group.lengths:
        return []
    low, high = min(group.lengths), max(group.lengths)
    if low == high:
        return [0.0] * len(group.lengths)
    slopes = [0.5 - (length - low) / (high - low) for length in group.lengths]
    return [s if right else min(0.0, s) for s, right in zip(slopes, group.correct, strict=True)]


def repetition(group: GradedGroup, *, ngram: int = 20, most: float = 1.0) -> list[float]:
    """Return −`most` × the share of n-grams of tokens that occurred before in the response.

    The scale of 2502.03373's repetition penalty, per response; one shorter than an n-gram gets 0.

    Args:
        group: the responses of one problem.
        ngram: n.
        most: what a response of nothing but repetition loses.
    """
    if ngram < 1:
        raise ConfigError(f"repetition's ngram is at least 1, found {ngram}")

    def share(tokens: tuple[int, ...]) -> float:
        grams = [tokens[i : i + ngram] for i in range(len(tokens) - ngram + 1)]
        return 1 - len(set(grams)) / len(grams) if grams else 0.0

    return [-most * share(rollout.own_tokens) for rollout in group.rollouts]


def format(group: GradedGroup, *, pattern: str = r"\\boxed\{") -> list[float]:
    """Return 1 where the text holds the pattern (a regular expression, `.` spans lines), else 0.

    Args:
        group: the responses of one problem.
        pattern: by default an opened box; r"^<think>.*</think>" asks for a thought.
    """
    try:
        wanted = re.compile(pattern, re.DOTALL)
    except re.error as error:
        raise ConfigError(
            f"format's pattern {pattern!r} is no regular expression: {error}"
        ) from error
    return [float(wanted.search(rollout.text) is not None) for rollout in group.rollouts]


def declared(
    group: GradedGroup, *, wrong: float = 0.1, not_a_value: float = 0.0, not_declared: float = 0.0
) -> list[float]:
    """Return what a response that is not right gets for its form, and 0 for one that is.

    By the verdict of a task that declares where its answer stands (`answer_in`).

    Args:
        group: the responses of one problem.
        wrong: for a wrong value where the answer was asked for.
        not_a_value: for words in that place, or nothing.
        not_declared: for a response without such a place.
    """
    paid = {NOT_A_VALUE: not_a_value, NOT_DECLARED: not_declared}

    def value(verdict: Verdict) -> float:
        if verdict.outcome is Outcome.INCORRECT:
            return wrong
        return paid.get(verdict.method, 0.0) if verdict.outcome is Outcome.NO_ANSWER else 0.0

    return [value(verdict) for verdict in group.verdicts]


TERMS: dict[str, ShapingTerm] = {
    "correct": ShapingTerm(correct, Scope.RESPONSE),
    "soft_overlong": ShapingTerm(soft_overlong, Scope.RESPONSE),
    "group_overlong": ShapingTerm(group_overlong, Scope.GROUP),
    "stop_properly": ShapingTerm(stop_properly, Scope.RESPONSE),
    "cosine": ShapingTerm(cosine, Scope.RESPONSE),
    "kimi_length": ShapingTerm(kimi_length, Scope.GROUP),
    "alp": ShapingTerm(alp, Scope.GROUP),
    "pass_rate_length": ShapingTerm(pass_rate_length, Scope.GROUP),
    "dler": ShapingTerm(dler, Scope.GROUP),
    "length_target": ShapingTerm(length_target, Scope.RESPONSE),
    "repetition": ShapingTerm(repetition, Scope.RESPONSE),
    "format": ShapingTerm(format, Scope.RESPONSE),
    "declared": ShapingTerm(declared, Scope.RESPONSE),
}
"""Every term that a recipe can name."""
