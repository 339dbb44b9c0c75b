"""Verifiers made of verifiers: the first that decides, or several that must add up."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rewardkit.errors import ConfigError
from rewardkit.types import UNDECIDED, Outcome, Verdict, Verifier


@dataclass(frozen=True, slots=True)
class First:
    """Ask verifiers in turn until one decides: CORRECT, INCORRECT or NO_ANSWER.

    >>> from rewardkit.verifiers import IntegerVerifier, TextVerifier
    >>> First((IntegerVerifier(), TextVerifier()))("<answer>Red</answer>", "red").method
    'text'
    """

    verifiers: tuple[Verifier, ...]

    def __post_init__(self) -> None:
        if not self.verifiers:
            raise ConfigError("First needs at least one verifier")

    def __call__(self, response: str, answer: str) -> Verdict:
        """Return the first verdict that decides, else the last."""
        for verifier in self.verifiers:
            verdict = verifier(response, answer)
            if verdict.outcome not in UNDECIDED:
                break
        return verdict


@dataclass(frozen=True, slots=True)
class Weighted:
    """Ask all verifiers; CORRECT when the weights of those that say so reach `needed`.

    A part that cannot decide (BAD_GOLD, ERROR, TIMEOUT) makes the whole undecided in that way,
    unless the others reach `needed` without it. `needed` defaults to the sum of all weights.

    >>> from rewardkit.verifiers import FormatVerifier, IntegerVerifier
    >>> both = Weighted(((FormatVerifier(), 0.2), (IntegerVerifier(), 0.8)))
    >>> both("<think>1+1</think><answer>2</answer>", "2").reason
    'format 0.2/0.2, integer 0.8/0.8: 1 of 1 needed'
    """

    parts: tuple[tuple[Verifier, float], ...]
    needed: float | None = None

    def __post_init__(self) -> None:
        if not self.parts or any(not weight > 0 for _, weight in self.parts):
            raise ConfigError("Weighted needs at least one verifier, with positive weights")

    def __call__(self, response: str, answer: str) -> Verdict:
        """Return the verdict of all parts together."""
        started = time.perf_counter()
        needed = self.needed if self.needed is not None else sum(w for _, w in self.parts)
        reached, said, extracted = 0.0, [], None
        stuck = Outcome.INCORRECT
        for verifier, weight in self.parts:
            verdict = verifier(response, answer)
            reached += weight * verdict.correct
            said.append(f"{verdict.method} {weight * verdict.correct:g}/{weight:g}")
            extracted = verdict.extracted if verdict.extracted is not None else extracted
            without_answer = verdict.outcome is Outcome.NO_ANSWER and stuck not in UNDECIDED
            if verdict.outcome in UNDECIDED or without_answer:
                stuck = verdict.outcome
        outcome = Outcome.CORRECT if reached >= needed - 1e-9 else stuck
        reason = f"{', '.join(said)}: {reached:g} of {needed:g} needed"
        seconds = time.perf_counter() - started
        return Verdict(outcome, extracted, answer, "weighted", reason, seconds)
