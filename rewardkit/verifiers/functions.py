"""Plain functions as verifiers: of one response or of lists, with a bool or a score, or awaited."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Sequence
from numbers import Real
from typing import Any

from rewardkit.errors import ConfigError, described
from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Verdict, Verifier, VerifierLike
from rewardkit.verifiers.signature import asked_by

AT_A_TIME = 64
"""How many responses a worker hands to a coroutine function, or to one that takes lists."""
LISTS = ["responses", "answers"]
"""The first parameters of a function that takes lists, its columns too, and returns one."""
ROUNDING = 1e-6
"""Parts that add up to the threshold are not below it for how they are stored, in float32 too."""


def as_verifier(target: VerifierLike, *, correct_from: float = 1.0) -> Verifier:
    """Return `target` as a verifier: shipped ones as they are, others with bool or score wrapped.

    Args:
        target: `f(response, answer)`, or with columns `f(response, answer, numbers, target)`; with
            lists, `f(responses, answers, ...)`, it returns one, as a reward model does.
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
        self._takes_lists = _first_parameters(function) == LISTS
        called = function if inspect.isroutine(function) else getattr(function, "__call__", None)  # noqa: B004
        awaited = any(map(inspect.iscoroutinefunction, (function, called)))
        self.at_a_time = AT_A_TIME if self._takes_lists or awaited else 1
        if (warm := getattr(function, "warm", None)) is not None:
            self.warm = warm

    def __call__(self, response: str, answer: Gold, **columns: Any) -> Verdict:
        """Return the function's verdict; `columns` are those that it asks for."""
        text = as_text(answer)
        if self._takes_lists:
            lists = {name: [value] for name, value in columns.items()}
            return self._of_lists([response], [text], lists)[0]
        result: object = self.function(response, text, **columns)
        if inspect.isawaitable(result):
            result = self._awaited(result)
        return self._verdict(result, text)

    def together(self, items: Sequence[tuple[str, str, dict[str, Any]]], seconds: float) -> Any:
        """Return the verdicts of many at once; what is awaited longer than `seconds` is TIMEOUT."""
        if self._takes_lists:
            responses, golds, columns = zip(*items, strict=True)
            names = dict.fromkeys(name for one in columns for name in one)
            lists = {name: [one.get(name) for one in columns] for name in names}
            return self._of_lists(list(responses), list(golds), lists)
        import asyncio

        async def one(response: str, gold: str, columns: dict[str, Any]) -> Verdict:
            called: Any = self.function
            try:
                found = await asyncio.wait_for(called(response, gold, **columns), seconds)
            except TimeoutError:
                reason = f"no verdict within {seconds:g} s"
                found = Verdict(Outcome.TIMEOUT, method="pool", reason=reason)
            except Exception as error:  # noqa: BLE001 it costs its own item alone
                found = Verdict(Outcome.ERROR, method="pool", reason=described(error))
            return self._verdict(found, gold)

        async def all_of_them() -> list[Verdict]:
            return await asyncio.gather(*(one(*item) for item in items))

        return asyncio.run(all_of_them())

    def _of_lists(self, responses: list[str], golds: list[str], lists: Any) -> list[Verdict]:
        called: Any = self.function
        found = called(responses, golds, **lists)
        found = list(found.tolist() if hasattr(found, "tolist") else found)
        if len(found) != len(responses):
            reason = f"the verifier returned {len(found)} results for {len(responses)} responses"
            return [_error(gold, reason) for gold in golds]
        return [self._verdict(one, gold) for one, gold in zip(found, golds, strict=True)]

    def _verdict(self, result: object, text: str) -> Verdict:
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


def _first_parameters(function: Any) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)[:2]
    except (TypeError, ValueError):  # of a builtin, which has none
        return []


def _error(gold: str, reason: str) -> Verdict:
    return Verdict(Outcome.ERROR, gold=gold, method="function", reason=reason)
