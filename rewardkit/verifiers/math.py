"""MathVerifier: the final answer of a response against a gold answer, by what both mean.

`_decide` says it all in order: what is read of a response, where its answer stands, whether that
equals the gold, what it may mean otherwise, and what speaks against a right value.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache

from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Verdict
from rewardkit.verifiers.comparison.result import Result, different, equal
from rewardkit.verifiers.comparison.texts import compare_integers, compare_texts
from rewardkit.verifiers.comparison.written.words import written_alike
from rewardkit.verifiers.expressions.equality import Answer
from rewardkit.verifiers.expressions.sympy_bridge import WARM_DUMMIES, begin_anew
from rewardkit.verifiers.extraction.endings.second_thoughts import put_right
from rewardkit.verifiers.extraction.extract import extract_from
from rewardkit.verifiers.extraction.last_part import last_part, settles
from rewardkit.verifiers.extraction.marked import Found
from rewardkit.verifiers.extraction.objections.objection import objection
from rewardkit.verifiers.extraction.text.beside import with_base_behind, with_dollar_sign
from rewardkit.verifiers.extraction.text.courtesy import without_courtesy, without_letter_behind
from rewardkit.verifiers.extraction.text.last_line import with_last_line_labelled
from rewardkit.verifiers.extraction.text.said_again import said_plainly_again, with_confirmed
from rewardkit.verifiers.extraction.text.scripts import with_our_digits, with_scales
from rewardkit.verifiers.extraction.text.usual_marks import with_usual_marks
from rewardkit.verifiers.extraction.text.visible import with_thoughts, without_hidden
from rewardkit.verifiers.extraction.wanted.kinds import kind_of
from rewardkit.verifiers.gold import answer_alone, gold_fault, gold_text
from rewardkit.verifiers.limits import MAX_RESPONSE_CHARS, NeedsSympy, TooComplex, work
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.forms.compounds import without_unasked_states
from rewardkit.verifiers.pool.copies import in_place
from rewardkit.verifiers.pool.direct import pool_of_direct_calls
from rewardkit.verifiers.reading_again.by_kind import looked_for
from rewardkit.verifiers.reading_again.case import Case
from rewardkit.verifiers.reading_again.readings import compared
from rewardkit.verifiers.vocabulary.characters import has_digit

SYMPY_CPU_SECONDS = 10.0
"""Of one direct call, for what is not counted in steps."""
_WARMING = (
    (r"\boxed{\int_0^1 x dx}", "1/2"),
    (r"\boxed{\sum_{n=1}^\infty \frac{n}{3^n}}", "3/4"),
    (r"\boxed{\lim_{n\to\infty} (1+\frac1n)^n}", "e"),
    ("So she pays $24 for the bags, and has $6 left.", "24"),
    ("Hence the answer is (B), because $x = 2$ fails.", "B"),
)
"""Answers that need most of sympy's tables, and most of the patterns that sentences are asked."""
_MAX_BARE = 200
"""A longer response is never the gold answer and nothing else."""


@dataclass(frozen=True, slots=True)
class MathVerifier(MathOptions):
    r"""Grade the final mathematical answer of a response against a gold answer.

    The text is parsed by rewardkit's own parser and evaluated within fixed limits, in the calling
    process; no text reaches `eval` or sympy. Only integrals, limits and endless sums go to sympy,
    built from the tree, in a worker process, where they end after so many steps. It never raises
    on text. The options, inherited from `MathOptions`, are the policies.

    >>> verdict = MathVerifier()(r"So the area is \boxed{\frac{\sqrt2}{2}}.", r"1/\sqrt{2}")
    >>> verdict.outcome, verdict.method
    (<Outcome.CORRECT: 'correct'>, 'symbolic')
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
        """Load sympy for all workers, fill its tables and compile the patterns of sentences."""
        _warmed()

    def _by_sympy(self, response: str, answer: Gold) -> Verdict:
        begin_anew()
        return self._verdict(response, answer, sympy=True)

    def _verdict(self, response: str, answer: Gold, *, sympy: bool) -> Verdict:
        started = time.perf_counter()
        work.begin()
        try:
            outcome, extracted, gold, result = self._decide(response, answer, sympy)
        except NeedsSympy:
            raise
        except Exception as error:  # noqa: BLE001 a bug of ours must not end a training run
            outcome, extracted, gold = Outcome.ERROR, None, str(answer)
            result = different("error", f"{type(error).__name__}: {error}"[:300])
        seconds = time.perf_counter() - started
        return Verdict(outcome, extracted, gold, result.method, result.reason, seconds)

    def _decide(
        self, response: str, answer: Gold, sympy: bool
    ) -> tuple[Outcome, str | None, str, Result]:
        """Read the gold answer, find the response's, compare the two; a gold at fault ends it."""
        written = as_text(answer)
        gold = gold_text(written)
        if (fault := gold_fault(gold)) is not None:
            return Outcome.BAD_GOLD, None, written, different("gold", fault)
        if len(response) < _MAX_BARE and written_alike(response, written):
            return Outcome.CORRECT, response, gold, equal("exact", "both are written alike")
        gold, whole = with_scales(gold), response[-MAX_RESPONSE_CHARS:]
        part = last_part(whole, self)
        response, found = self._read(gold, part)
        if part is not whole and not settles(found, part, whole):
            response, found = self._read(gold, whole)
        text = found.text.strip() if found else ""
        if found is None or kind_of(gold) or (result := compare_integers(gold, text)) is None:
            found = looked_for(found, gold, response, self)
            if found is None or not (text := answer_alone(found.text)):
                nothing = different("extraction", "no answer in the response")
                return Outcome.NO_ANSWER, None, gold, nothing
            text = with_dollar_sign(gold, text, response)
            try:
                text, result = compared(Case(gold, response, found, self, sympy), text)
            except TooComplex as limit:
                unknown = Result(Answer.UNKNOWN, "limits", str(limit))
                return Outcome.TIMEOUT, text[:500], gold, unknown
        # else: integers are read in no other way
        if result.equal:
            worked_out = self.unevaluated != "accept"
            against = objection(gold, found, text, response, result.method, worked_out=worked_out)
            result = different(*against) if against else result
        if result.method == "base" and (based := with_base_behind(text, response)) != text:
            text, result = based, compare_texts(gold, based, self, sympy=sympy)
        outcome = Outcome.CORRECT if result.equal else Outcome.INCORRECT
        return outcome, text[:500], gold, result

    def _read(self, gold: str, response: str) -> tuple[str, Found | None]:
        """Return a response as its reader sees it, in the usual marks, and what it answers."""
        response = with_scales(with_our_digits(without_hidden(response)))
        response = without_unasked_states(gold, response)
        response = with_thoughts(
            put_right(
                with_last_line_labelled(
                    with_usual_marks(said_plainly_again(without_courtesy(response)))
                )
            )
        )
        if kind_of(gold) != "option":
            response = without_letter_behind(gold, response)
        if has_digit(gold):
            response = with_confirmed(response)
        return response, extract_from(response, self)


@lru_cache(maxsize=1)
def _warmed() -> None:
    """Do what a process does once: what that takes counts for no answer."""
    begin_anew(WARM_DUMMIES)
    for response, gold in _WARMING:
        MathVerifier()._verdict(response, gold, sympy=True)
