"""Shaping in two places: verl's reward workers see one response, the trainer sees its group."""

from __future__ import annotations

from collections.abc import Sequence

from rewardkit.recipes import Term
from rewardkit.shaping import shape_group
from rewardkit.types import Finish, Outcome, Rollout, Verdict

GROUP_TERMS = frozenset({"group_overlong", "kimi_length"})
"""The shaping terms that compare the responses of a group with each other."""


def own_terms(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Return the terms that read one response alone."""
    return tuple(term for term in terms if term.name not in GROUP_TERMS)


def group_terms(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Return the terms that need the whole group."""
    return tuple(term for term in terms if term.name in GROUP_TERMS)


def group_components(
    terms: Sequence[Term],
    outcomes: Sequence[Outcome],
    lengths: Sequence[int],
    finishes: Sequence[Finish],
    limit: int,
) -> list[dict[str, float]]:
    """Return the components of each reward that need the whole group, unweighted like all others.

    >>> kimi = Term("kimi_length", 0.5)
    >>> right = [Outcome.CORRECT, Outcome.CORRECT]
    >>> group_components([kimi], right, [2, 4], [Finish.STOP, Finish.STOP], 8)
    [{'kimi_length': 0.5}, {'kimi_length': -0.5}]
    """
    rollouts = [
        Rollout("", (0,) * length, (), finish)
        for length, finish in zip(lengths, finishes, strict=True)
    ]
    verdicts = [Verdict(outcome) for outcome in outcomes]
    shaped = shape_group(verdicts, rollouts, terms, limit=limit)
    return [{t.name: reward.components[t.name] for t in terms} for reward in shaped]
