"""What a term is, and what it reads of a group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from rewardkit.types import Rollout, Verdict


@dataclass(frozen=True)
class GradedGroup:
    """What the terms read of a group: one entry a response, and the limit they share."""

    correct: tuple[bool, ...]
    """By response: whether its outcome is CORRECT."""
    lengths: tuple[int, ...]
    """Tokens of each response."""
    rollouts: tuple[Rollout, ...]
    """The responses themselves."""
    limit: int
    """The most tokens that a response may have."""
    scores: tuple[float, ...]
    """In [0, 1]; where no verifier gave one, `correct` as 1 and 0."""
    verdicts: tuple[Verdict, ...]
    """One for each response."""

    def outlined(self) -> GradedGroup:
        """Return the group without texts and tokens, as one who saw no response may read it."""
        outlines = [Rollout("", (0,) * len(r.own_tokens), (), r.finish) for r in self.rollouts]
        verdicts = [Verdict(v.outcome, method=v.method, score=v.score) for v in self.verdicts]
        return replace(self, rollouts=tuple(outlines), verdicts=tuple(verdicts))


class Scope(StrEnum):
    """What a term has to see of a group to give a response its value."""

    RESPONSE = "response"
    """That response alone, so that whoever grades it can shape it."""
    GROUP = "group"
    """Outcome, method, score, length and end of all responses of the group, and of none its text:
    on verl nobody sees all of them with their texts."""


@dataclass(frozen=True)
class ShapingTerm:
    """How a named component of the reward is computed."""

    function: Callable[..., Any]
    """(group, *, options) -> one value a response, or what `each` says."""
    scope: Scope
    """What it is called with."""
    each: bool = False
    """Whether it is (rollout, verdict, *, options) -> the value of that response."""
