"""Verifiers made of verifiers: the first that decides, the best, a sum, two side by side."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from rewardkit.errors import ConfigError
from rewardkit.golds import as_text
from rewardkit.types import UNDECIDED, Gold, Outcome, Verdict, Verifier, VerifierLike
from rewardkit.verifiers.functions import as_verifier
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.loading import load_verifier
from rewardkit.verifiers.pool.copies import in_copy, shielded
from rewardkit.verifiers.pool.waiting import NOT_ASKED, TRIED, Steps, in_turn, waits
from rewardkit.verifiers.signature import Asked, asked_by, call_part, together

SECOND = " | second: "
"""What stands in a reason before the record of a second verdict that differs."""
SECOND_SECONDS = 4.0
"""Wall-clock time of the second verifier in a worker; then it is a TIMEOUT of its own."""


class Combined:
    """What verifiers made of verifiers share; `steps` says in which order they are asked."""

    __slots__ = ()

    @property
    def asked(self) -> Asked:
        """The columns that its verifiers ask for."""
        return together(asked_by(as_verifier(verifier)) for verifier in self.members())

    @property
    def waits(self) -> bool:
        """Whether one of its verifiers waits for a server."""
        return any(map(waits, self.members()))

    def __call__(self, response: str, answer: Gold, **columns: Any) -> Verdict:
        """Return the verdict of all together."""
        gold = as_text(answer)
        steps = self.steps(gold, **columns)
        return in_turn(steps, lambda one: call_part(as_verifier(one), response, gold, columns))

    def members(self) -> tuple[VerifierLike, ...]:
        """Return its verifiers."""
        found: tuple[VerifierLike, ...] = getattr(self, "verifiers", ())
        return found

    def steps(self, gold: str, **columns: Any) -> Steps:
        """Ask in turn, see `waiting`."""
        raise NotImplementedError

    def warm(self) -> None:
        """Prepare those verifiers that can be prepared, see `VerifierPool`."""
        _warm_all(self.members())


@dataclass(frozen=True, slots=True)
class First(Combined):
    """Ask verifiers in turn until one decides: CORRECT, INCORRECT or NO_ANSWER.

    `unsure` names what is left to the next verifier although it is decided: an outcome, a method,
    or OUTCOME:METHOD:WORDS OF THE REASON, each of which may be empty. With
    ("no_answer:not a value", "incorrect:text") a `Judge` behind `MathVerifier` is asked where rules
    found words in the place of a value, or rejected words, and never of what numbers decided.

    >>> from rewardkit.verifiers import IntegerVerifier, TextVerifier
    >>> First((IntegerVerifier(), TextVerifier()))("<answer>Red</answer>", "red").method
    'text'
    """

    verifiers: tuple[VerifierLike, ...]
    """In the order in which they are asked."""
    unsure: tuple[str, ...] = ()
    keep: Literal["last", "best"] = "last"
    """Whose verdict it is: that of the last one asked, or of those that decided the one with the
    highest score, so that a later "different" takes no partial score away."""

    def __post_init__(self) -> None:
        if not self.verifiers:
            raise ConfigError("First needs at least one verifier")
        if self.keep not in ("last", "best"):
            raise ConfigError(f"First keeps the last verdict or the best, found {self.keep!r}")

    def steps(self, gold: str, **columns: Any) -> Steps:
        """Ask in turn, see `waiting`."""
        kept: Verdict | None = None
        for verifier in self.verifiers:
            verdict = yield verifier
            kept = verdict if kept is None else self._kept(kept, verdict, waits(verifier))
            if verdict.outcome not in UNDECIDED and not left_open(verdict, self.unsure):
                break
        assert kept is not None
        return kept

    def _kept(self, before: Verdict, verdict: Verdict, by_model: bool) -> Verdict:
        """Return the one of two verdicts that holds, and what a model said beside rules."""
        if verdict.method == NOT_ASKED and before.outcome not in UNDECIDED:
            return before
        # What nobody could decide is not wrong for what an earlier one was unsure of.
        holds = before if self.keep == "best" and before.score > verdict.score else verdict
        if not by_model:
            return holds
        said = f"{verdict.outcome}{TRIED.get(verdict.reason.partition(';')[0], '')}"
        reason = f"{verdict.reason}; rules: {before.outcome} by {before.method}: {before.reason}"
        return replace(
            holds,
            extracted=holds.extracted if holds.extracted is not None else before.extracted,
            reason=reason,
            seconds=before.seconds + verdict.seconds,
            judged=f"{before.outcome}>{said}",
        )


def left_open(verdict: Verdict, unsure: Iterable[str]) -> bool:
    """Return whether one of the terms names a verdict, see `First`.

    >>> words = Verdict(Outcome.INCORRECT, method="text", reason="the words differ")
    >>> [left_open(words, [term]) for term in ("text", "incorrect:exact", "incorrect::words")]
    [True, False, True]
    """
    for term in unsure:
        outcome, colon, rest = term.partition(":")
        method, _, reason = rest.partition(":")
        if not colon:
            if outcome in (verdict.outcome, verdict.method):
                return True
        elif (
            outcome in ("", verdict.outcome)
            and method in ("", verdict.method)
            and reason in verdict.reason
        ):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Best(Combined):
    """Ask all verifiers; the verdict with the highest score is it, decided ones before others.

    >>> from rewardkit.verifiers import IntegerVerifier, TextVerifier
    >>> Best((IntegerVerifier(), TextVerifier()))("<answer>Red</answer>", "red").method
    'text'
    """

    verifiers: tuple[VerifierLike, ...]
    """All of them are asked."""

    def __post_init__(self) -> None:
        if not self.verifiers:
            raise ConfigError("Best needs at least one verifier")

    def steps(self, gold: str, **columns: Any) -> Steps:
        """Ask in turn, see `waiting`."""
        found = []
        for verifier in self.verifiers:
            found.append((yield verifier))  # noqa: PERF401 a comprehension cannot yield
        return max(found, key=lambda one: (one.score, one.outcome not in UNDECIDED))


@dataclass(frozen=True, slots=True)
class Weighted(Combined):
    """Ask all verifiers; CORRECT when the weights of those that say so reach `needed`.

    A part that cannot decide (BAD_GOLD, ERROR, TIMEOUT) makes the whole undecided in that way,
    unless the others reach `needed` without it. `needed` defaults to the sum of all weights. The
    score is the weighted mean of the parts' scores; that of an undecided whole is 0.

    >>> from rewardkit.verifiers import FormatVerifier, IntegerVerifier
    >>> both = Weighted(((FormatVerifier(), 0.2), (IntegerVerifier(), 0.8)))
    >>> both("<think>1+1</think><answer>2</answer>", "2").reason
    'format 0.2/0.2, integer 0.8/0.8: 1 of 1 needed'
    >>> both("<think>1+1</think><answer>3</answer>", "2").score
    0.2
    """

    parts: tuple[tuple[VerifierLike, float], ...]
    """The verifiers with their weights."""
    needed: float | None = None

    def __post_init__(self) -> None:
        if not self.parts or any(not weight > 0 for _, weight in self.parts):
            raise ConfigError("Weighted needs at least one verifier, with positive weights")

    def steps(self, gold: str, **columns: Any) -> Steps:
        """Ask in turn, see `waiting`."""
        started = time.perf_counter()
        weights = sum(weight for _, weight in self.parts)
        needed = self.needed if self.needed is not None else weights
        reached, scored, said, extracted = 0.0, 0.0, [], None
        stuck = Outcome.INCORRECT
        for verifier, weight in self.parts:
            verdict = yield verifier
            reached += weight * verdict.correct
            scored += weight * verdict.score
            said.append(f"{verdict.method} {weight * verdict.correct:g}/{weight:g}")
            extracted = verdict.extracted if verdict.extracted is not None else extracted
            without_answer = verdict.outcome is Outcome.NO_ANSWER and stuck not in UNDECIDED
            if verdict.outcome in UNDECIDED or without_answer:
                stuck = verdict.outcome
        outcome = Outcome.CORRECT if reached >= needed - 1e-9 else stuck
        reason = f"{', '.join(said)}: {reached:g} of {needed:g} needed"
        seconds = time.perf_counter() - started
        score = 0.0 if outcome in UNDECIDED else min(scored / weights, 1.0)
        return Verdict(outcome, extracted, gold, "weighted", reason, seconds, score)

    def members(self) -> tuple[VerifierLike, ...]:
        """Return its verifiers."""
        return tuple(verifier for verifier, _ in self.parts)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Give the first verifier's verdict, and record in its reason where the second's differs.

    Either is a verifier or the name of one; by name the whole is `agreement`. The record is read
    by `second_verdict`. Whatever the second does costs the first nothing but time: its failure is
    recorded as an ERROR, and in a worker it runs in a copy that is killed after `SECOND_SECONDS`.

    >>> from rewardkit.verifiers import IntegerVerifier, TextVerifier
    >>> verdict = Agreement(IntegerVerifier(), TextVerifier())(r"\\boxed{042}", "42")
    >>> verdict.outcome.value, second_verdict(verdict).outcome.value
    ('correct', 'incorrect')
    """

    first: VerifierLike | str = "math"
    """Whose verdict it is."""
    second: VerifierLike | str = "math_verify"
    """Whose verdict is recorded where it differs."""

    def __post_init__(self) -> None:
        for name in ("first", "second"):
            if isinstance(found := getattr(self, name), str):
                object.__setattr__(self, name, load_verifier(found))

    @property
    def asked(self) -> Asked:
        """The columns that its verifiers ask for."""
        return together(asked_by(verifier) for verifier in self._both())

    def __call__(self, response: str, answer: Gold, **columns: Any) -> Verdict:
        """Return the first's verdict, with a record of the second's if its outcome is another."""
        gold = as_text(answer)
        first, second = self._both()
        verdict = call_part(first, response, gold, columns)

        def ask() -> Verdict:
            return call_part(second, response, gold, columns)

        other = in_copy(ask, SECOND_SECONDS) if work.unbounded else shielded(ask)
        reason = verdict.reason.replace(SECOND, " / ")  # model text may stand in it
        if other.outcome is not verdict.outcome:
            reason += SECOND + json.dumps(
                [other.outcome, other.extracted, other.method, other.reason]
            )
        return replace(verdict, reason=reason)

    def warm(self) -> None:
        """Prepare those verifiers that can be prepared, see `VerifierPool`."""
        _warm_all(self._both())

    def _both(self) -> tuple[Verifier, Verifier]:
        assert not isinstance(self.first, str)
        assert not isinstance(self.second, str)
        return as_verifier(self.first), as_verifier(self.second)


def second_verdict(verdict: Verdict) -> Verdict | None:
    """Return what the second verifier of an `Agreement` said, None where it said the same."""
    _, found, record = verdict.reason.partition(SECOND)
    if not found:
        return None
    outcome, extracted, method, reason = json.loads(record)
    return Verdict(Outcome(outcome), extracted, verdict.gold, method, reason)


def _warm_all(verifiers: Iterable[VerifierLike]) -> None:
    for verifier in verifiers:
        if (warm := getattr(verifier, "warm", None)) is not None:
            warm()
