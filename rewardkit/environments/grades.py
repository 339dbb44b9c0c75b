"""The reward of an environment as a verdict, and an environment as a verifier of one response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rewardkit.environments.attempts import Attempts
from rewardkit.environments.environment import begun, replied
from rewardkit.types import Outcome, Problem, Task, Verdict

ROUNDING = 1e-6


def verdict_of_reward(
    reward: float,
    method: str,
    said: str | None = None,
    parts: Mapping[str, float] = {},
    span: Sequence[float] = (0, 1),
) -> Verdict:
    """Return a reward as a score; the whole of it is CORRECT.

    Args:
        reward: of a rollout.
        method: whose it is.
        said: what the model said last.
        parts: rewards and metrics by name, for the reason.
        span: the lowest and the highest reward that there are.

    Raises:
        ValueError: a reward beyond the span.

    >>> verdict_of_reward(0.5, "gym", parts={"turns": 3.0}, span=(-1, 1)).score
    0.75
    """
    low, high = span
    named = ", ".join(f"{name} {value:.4g}" for name, value in parts.items())
    score = (reward - low) / (high - low)
    if not -ROUNDING <= score <= 1 + ROUNDING:  # nan neither
        raise ValueError(f"a reward of {reward} ({named}), and it is from {low} to {high}")
    outcome = Outcome.CORRECT if score >= 1 - ROUNDING else Outcome.INCORRECT
    score = min(max(score, 0.0), 1.0)
    return Verdict(outcome, said, method=method, reason=named, score=score)


@dataclass(frozen=True, repr=False)
class OneTurn:
    """An environment with a grade of its own as a verifier, for whoever plays no turns."""

    environment: Any

    def __call__(self, response: str, answer: str, problem: Problem) -> Verdict:
        """Return the grade where the response is all that the model says."""
        reply = replied(self.environment, problem, begun(self.environment, problem), response)
        return self.environment.grade(problem, reply.state)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        said = repr(self.environment)
        return f"the environment {type(self.environment).__name__ if ' at 0x' in said else said}"


def grades_itself(task: Task) -> bool:
    """Return whether the environment's grade takes the place of a verifier.

    That of `Attempts` is its verifier's.

    >>> from rewardkit.tasks import load_task
    >>> grades_itself(load_task("guess_number"))
    False
    """
    return hasattr(task.environment, "grade") and not isinstance(task.environment, Attempts)
