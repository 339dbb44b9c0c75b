"""Plain functions as verifiers: those that return a bool or a score, and coroutine functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable
from numbers import Real
from typing import Any

from rewardkit.errors import ConfigError
from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Verdict, Verifier, VerifierLike
from rewardkit.verifiers.signature import asked_by

ROUNDING = 1e-6
"""Parts that add up to the threshold are not below it for how they are stored, in float32 too."""


def as_verifier(target: VerifierLike, *, correct_from: float = 1.0) -> Verifier:
    """Return `target` as a verifier: shipped ones as they are, others with bool or score wrapped.

    Args:
        target: `f(response, answer)`, or with columns `f(response, answer, numbers, target)`.
        correct_from: the score from which on a response is CORRECT, in (0, 1].

    Raises:
        ConfigError: `target` cannot be called so, or `correct_from` is out of range.

    >>> def same(response, answer): return response == answer
    >>> as_verifier(same)("12", 12).outcome
    <Outcome.CORRECT: 'correct'>
    >>> def close(response, answer, target): return 1 - abs(float(response) - target) / target
    >>> verdict = as_verifier(close, correct_from=0.9)("18", "", target=24)
    >>> verdict.outcome.value, verdict.score
    ('incorrect', 0.75)
    """
    if not callable(target):
        raise ConfigError(f"a verifier must be callable as (response, answer), got {target!r}")
    if not 0 < correct_from <= 1:
        raise ConfigError(f"correct_from is a score in (0, 1], found {correct_from}")
    if isinstance(target, type):
        raise ConfigError(
            f"{target.__name__} is a class; a verifier is an instance of it: {target.__name__}()"
        )
    found: Any = target
    # One with `quick` was written for the pool, so it knows of verdicts.
    shipped = type(found).__module__.startswith(("rewardkit.verifiers.", "rewardkit.judging."))
    if shipped or hasattr(found, "quick") or hasattr(found, "submit"):
        verifier: Verifier = found
        return verifier
    return VerifierOfFunction(target, correct_from)


class VerifierOfFunction:
    """Call a user's function and make its bool or score a `Verdict`; picklable, unlike a closure.

    A score from `correct_from` on is CORRECT, any other INCORRECT; a bool is a score of 1 or 0.
    """

    def __init__(self, function: VerifierLike, correct_from: float = 1.0) -> None:
        self.function = function
        self.correct_from = correct_from
        functools.update_wrapper(self, function, updated=())
        self.asked = asked_by(function)
        if (warm := getattr(function, "warm", None)) is not None:
            self.warm = warm

    def __call__(self, response: str, answer: Gold, **columns: Any) -> Verdict:
        """Return the function's verdict; `columns` are those that it asks for."""
        text = as_text(answer)
        result: object = self.function(response, text, **columns)
        if inspect.isawaitable(result):
            result = self._awaited(result)
        if isinstance(result, Verdict):
            return result
        if (item := getattr(result, "item", None)) is not None:
            result = item()  # a number of numpy or torch
        method = getattr(self, "__name__", "function")
        if not isinstance(result, Real):
            return _error(
                text,
                f"the verifier returned {type(result).__name__}, expected Verdict, bool, or a "
                "score in [0, 1]",
            )
        score = float(result)
        if not -ROUNDING <= score <= 1 + ROUNDING:  # nan neither
            return _error(text, f"the verifier returned {score}, and a score is in [0, 1]")
        right = score >= self.correct_from - ROUNDING
        outcome = Outcome.CORRECT if right else Outcome.INCORRECT
        return Verdict(outcome, gold=text, method=method, score=min(max(score, 0.0), 1.0))

    def __repr__(self) -> str:
        return repr(self.function)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.function, self.correct_from)

    def _awaited(self, result: Awaitable[object]) -> object:
        """Run a coroutine to its end; refused where a loop runs, which would stand still."""
        import asyncio

        async def wait() -> object:
            return await result

        try:
            asyncio.get_running_loop()
        except RuntimeError:  # none runs in this thread
            return asyncio.run(wait())
        if inspect.iscoroutine(result):
            result.close()
        name = getattr(self, "__qualname__", repr(self.function))
        raise ConfigError(
            f"the verifier {name} is a coroutine function, and an event loop runs here; await "
            f"VerifierPool({name}).averify(response, answer), or the function itself"
        )


def _error(gold: str, reason: str) -> Verdict:
    return Verdict(Outcome.ERROR, gold=gold, method="function", reason=reason)
