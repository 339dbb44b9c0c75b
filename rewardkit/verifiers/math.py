"""MathVerifier: the final answer of a response against a gold answer, by what both mean."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache

from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Verdict
from rewardkit.verifiers.comparison.result import Result
from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.expressions.equality import Answer
from rewardkit.verifiers.expressions.sympy_bridge import WARM_DUMMIES, begin_anew
from rewardkit.verifiers.format.found import NOT_A_VALUE, Found
from rewardkit.verifiers.gold import answer_alone, gold_fault, gold_text
from rewardkit.verifiers.kinds import kind_of
from rewardkit.verifiers.limits import NeedsSympy, TooComplex, work
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.pool.copies import in_place
from rewardkit.verifiers.pool.direct import pool_of_direct_calls
from rewardkit.verifiers.reading import read

SYMPY_CPU_SECONDS = 10.0
"""Of one direct call, for what is not counted in steps."""
VALUES = ("number", "list", "expression")
"""Kinds of golds beside which words are no answer, and neither right nor wrong."""
_WARMING = (
    (r"\boxed{\int_0^1 x dx}", "1/2"),
    (r"\boxed{\sum_{n=1}^\infty \frac{n}{3^n}}", "3/4"),
    (r"\boxed{\lim_{n\to\infty} (1+\frac1n)^n}", "e"),
)
"""Answers that need most of sympy's tables."""


@dataclass(frozen=True, slots=True)
class MathVerifier(MathOptions):
    r"""Grade the final mathematical answer of a response against a gold answer.

    One value is read, from where `answer_in` says that it stands or else leniently, without a look
    at the gold; then both are compared. Text is parsed by rewardkit's own parser and evaluated
    within fixed limits, in the calling process; no text reaches `eval` or sympy. Only integrals,
    limits and endless sums go to sympy, built from the tree, in a worker process, where they end
    after so many steps. It never raises on text. The options, inherited from `MathOptions`, are
    the policies.

    >>> verdict = MathVerifier()(r"So the area is \boxed{\frac{\sqrt2}{2}}.", r"1/\sqrt{2}")
    >>> verdict.outcome, verdict.method
    (<Outcome.CORRECT: 'correct'>, 'symbolic')
    >>> MathVerifier(answer_in="box")("The answer is 12.", "12").outcome
    <Outcome.NO_ANSWER: 'no_answer'>
    """

    def __call__(self, response: str, answer: Gold) -> Verdict:
        """Return the verdict on one response."""
        verdict = self.quick(response, answer)
        if verdict is not None:
            return verdict
        if work.unbounded:
            _warmed()
            return in_place(lambda: self._by_sympy(response, answer))
        return pool_of_direct_calls(self, SYMPY_CPU_SECONDS).verify_one(response, answer)

    def quick(self, response: str, answer: Gold) -> Verdict | None:
        """Return the verdict on one response, or None when deciding it may take unbounded work."""
        try:
            return self._verdict(response, answer, sympy=False)
        except NeedsSympy:
            return None

    def warm(self) -> None:
        """Load sympy and fill its tables, for all workers."""
        _warmed()

    def _by_sympy(self, response: str, answer: Gold) -> Verdict:
        begin_anew()
        return self._verdict(response, answer, sympy=True)

    def _verdict(self, response: str, answer: Gold, *, sympy: bool) -> Verdict:
        started = time.perf_counter()
        work.begin()
        try:
            outcome, extracted, gold, method, reason = self._decide(response, answer, sympy)
        except NeedsSympy:
            raise
        except Exception as error:  # noqa: BLE001 a bug of ours must not end a training run
            outcome, extracted, gold, method = Outcome.ERROR, None, str(answer), "error"
            reason = f"{type(error).__name__}: {error}"[:300]
        return Verdict(outcome, extracted, gold, method, reason, time.perf_counter() - started)

    def _decide(
        self, response: str, answer: Gold, sympy: bool
    ) -> tuple[Outcome, str | None, str, str, str]:
        """Read the gold answer, then the response's, and compare; a gold at fault ends it."""
        written = as_text(answer)
        gold = gold_text(written)
        if (fault := gold_fault(gold)) is not None:
            return Outcome.BAD_GOLD, None, written, "gold", fault
        kind = kind_of(gold)
        found = read(response, self.answer_in, kind, unclosed_think=self.unclosed_think)
        if not isinstance(found, Found):
            return Outcome.NO_ANSWER, None, gold, found.method, found.reason
        text = answer_alone(found.text)
        try:
            result = compare_texts(gold, text, self, sympy=sympy)
        except TooComplex as limit:
            result = Result(Answer.UNKNOWN, "limits", str(limit))
            return Outcome.TIMEOUT, text[:500], gold, result.method, result.reason
        if result.equal:
            return Outcome.CORRECT, text[:500], gold, result.method, result.reason
        if kind in VALUES and isinstance(reading(text), str):
            place = found.by.replace("_", " ")
            reason = f"the {place} holds words and no value: {text[:80]!r}"
            return Outcome.NO_ANSWER, text[:500], gold, NOT_A_VALUE, reason
        return Outcome.INCORRECT, text[:500], gold, result.method, result.reason


@lru_cache(maxsize=1)
def _warmed() -> None:
    """Do what a process does once: what that takes counts for no answer."""
    begin_anew(WARM_DUMMIES)
    for response, gold in _WARMING:
        MathVerifier()._verdict(response, gold, sympy=True)
