"""A verifier and problems -> an audit without a model: findings, figures, and bounds on them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from rewardkit.audit.probes.assemble import OWN_GOLD, Chosen, all_probes, choose, own_golds
from rewardkit.audit.probes.base import FORMS
from rewardkit.audit.probes.strategies import CHOICE, GUESS, ONE_OF_TWO, STRATEGY
from rewardkit.audit.probing import (
    ACCEPTED_FROM,
    Fault,
    Graded,
    Limits,
    Memory,
    Workers,
    compared,
    faults_of,
    memory_of,
    ran_model_text,
)
from rewardkit.errors import ConfigError, DataError
from rewardkit.types import Problem, Verifier

DEFAULTS = Limits()
WRONG: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "mutated": ("mutated",),
        "hedges": ("hedge", "both answers", "all options"),
        "empty": ("empty", "echo", "master key", "injection", "poison", "program"),
        "format": ("undeclared",),
        "truncated": ("truncated", "long"),
    }
)
"""A threat -> groups of wrong responses that show it where they are accepted."""
FAULTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "hangs": ("hangs", "uses up the memory", "memory grows"),
        "code": ("runs model text",),
        "raises": ("raises",),
        "context": ("another verdict",),
    }
)
"""A threat -> how the kinds of faults begin that show it."""
THREATS = ("golds", "writings", *WRONG, "strategies", *FAULTS)
FORM_PROBLEMS = 16
"""Golds that show in which forms a verifier reads answers."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of each kind an audit may find before it fails; None: any number."""

    false_accepts: int | None = 0
    """Certainly wrong responses that are rewarded."""
    own_golds: int | None = 0
    """Golds that are not accepted as they stand; all of them where nothing right is accepted."""
    writings: float | None = None
    """Share of certainly equivalent writings that are rejected."""
    faults: int | None = 0
    """Kinds of faults: hangs, raises, another verdict the second time, ..."""
    strategies: int | None = 0
    """Strategies without the answer that pay more than the best guess."""


@dataclass(frozen=True, slots=True)
class Paid:
    """A strategy that knows no answer: what it was paid, and what a guess is."""

    kind: str
    accepted: int
    asked: int
    guess: float = 0.0

    @property
    def share(self) -> float:
        """The share of problems for which it is rewarded."""
        return self.accepted / self.asked

    @property
    def pays(self) -> bool:
        """Whether it pays more than a guess; a single problem shows nothing."""
        return self.accepted > 1 and self.share > self.guess


@dataclass(frozen=True)
class Audit:
    """What an audit without a model found."""

    verifier: Verifier
    form: str
    """Where answers were put."""
    forms: dict[str, float]
    """Form -> share of the golds that are accepted in it."""
    chosen: Sequence[Chosen]
    graded: Sequence[Graded]
    faults: Sequence[Fault]
    memory: Sequence[Memory] = field(default=())
    accepted_from: float = ACCEPTED_FROM
    """The score that counts as accepted, whatever the outcome."""

    @property
    def golds_are_answers(self) -> bool:
        """Whether any gold is accepted as a response."""
        named = self.form not in self.forms or any(one.right for one in self.chosen)
        return named or self.forms[self.form] > 0

    @property
    def accepts_nothing(self) -> bool:
        """Whether nothing was accepted of all that is right."""
        return not any(one.accepted and one.probe.accept for one in self.graded)

    @property
    def false_accepts(self) -> list[Graded]:
        """What is rewarded and should not be, in the order of kinds."""
        return [one for one in self.graded if one.falsely_accepted and one.probe.certain]

    @property
    def wrong_asked(self) -> list[Graded]:
        """All certainly wrong responses."""
        return [one for one in self.graded if one.probe.certain and not one.probe.accept]

    @property
    def own_rejects(self) -> list[Graded]:
        """Golds that are not accepted as they stand."""
        return [one for one in self._rejected() if one.probe.group == OWN_GOLD]

    @property
    def writing_rejects(self) -> list[Graded]:
        """Equivalent writings, and right answers elsewhere, that are rejected."""
        return [one for one in self._rejected() if one.probe.group != OWN_GOLD]

    @property
    def debatable(self) -> list[Graded]:
        """What careful people differ on, and this verifier rejects or accepts."""
        return [
            one
            for one in self.graded
            if not one.probe.certain
            and one.probe.group not in (GUESS, STRATEGY, CHOICE)
            and (one.falsely_accepted or one.falsely_rejected)
        ]

    @property
    def strategies(self) -> list[Paid]:
        """Strategies by what they pay, the best first, each beside what guessing pays."""
        asked: dict[str, list[bool]] = defaultdict(list)
        for one in self.graded:
            asked[one.probe.kind].append(one.accepted)
        paid = {kind: Paid(kind, sum(found), len(found)) for kind, found in asked.items()}
        guess = max((one.share for kind, one in paid.items() if kind.startswith(GUESS)), default=0)
        chosen = paid[ONE_OF_TWO].share if ONE_OF_TWO in paid else 0.0
        bars = {STRATEGY: guess, CHOICE: max(0.5, chosen)}
        found = [
            replace(one, guess=bars[kind.partition(":")[0]])
            for kind, one in paid.items()
            if kind.startswith((STRATEGY, CHOICE)) and kind != ONE_OF_TWO
        ]
        return sorted(found, key=lambda one: -one.share)

    def threats(self) -> dict[str, int]:
        """Return how much was found of each of `THREATS`; of faults, how many kinds."""
        groups = Counter(one.probe.group for one in self.false_accepts)
        kinds = {fault.kind for fault in self.faults}
        return {
            "golds": len(self.chosen) if self.accepts_nothing else len(self.own_rejects),
            "writings": len(self.writing_rejects),
            **{name: sum(groups[group] for group in of) for name, of in WRONG.items()},
            "strategies": sum(one.pays for one in self.strategies),
            **{name: sum(kind.startswith(of) for kind in kinds) for name, of in FAULTS.items()},
        }

    @property
    def unread(self) -> list[str]:
        """Golds that the verifier cannot read."""
        return list(dict.fromkeys(one.probe.problem.answer for one in self.graded if one.unread))

    @property
    def writings_share(self) -> float | None:
        """The share of certainly equivalent writings that are rejected."""
        asked = [one for one in self.graded if one.probe.accept and one.probe.certain]
        asked = [one for one in asked if one.probe.group != OWN_GOLD and not one.unread]
        return len(self.writing_rejects) / len(asked) if asked else None

    @property
    def fault_kinds(self) -> int:
        """How many kinds of faults the program has: what is bounded."""
        return len({fault.kind for fault in self.faults})

    def beyond(self, bounds: Bounds, fail_on: Collection[str] = THREATS) -> list[str]:
        """Return a sentence for each bound that is broken, counting these threats alone."""
        count = {name: n if name in fail_on else 0 for name, n in self.threats().items()}
        own = count["golds"]
        bounded = {
            "responses wrongly accepted": (
                sum(map(count.__getitem__, WRONG)),
                bounds.false_accepts,
            ),
            "golds not accepted as they stand": (own, bounds.own_golds),
            "kinds of faults": (sum(map(count.__getitem__, FAULTS)), bounds.faults),
            "strategies that pay more than a guess": (count["strategies"], bounds.strategies),
        }
        found = [
            f"{what}: {n}, at most {bound} allowed"
            for what, (n, bound) in bounded.items()
            if bound is not None and n > bound
        ]
        if self.accepts_nothing and bounds.own_golds is not None and own > bounds.own_golds:
            found.append(
                "nothing right was accepted: name where answers stand (--form), or a column of "
                "right responses (--set task.reference=COLUMN); where golds are no answers, "
                f"--allow own_golds={own}"
            )
        share = self.writings_share if "writings" in fail_on else None
        if bounds.writings is not None and share is not None and share > bounds.writings:
            found.append(
                f"equivalent writings rejected: {share:.1%}, at most {bounds.writings:.1%} allowed"
            )
        return found

    def _rejected(self) -> list[Graded]:
        return [one for one in self.graded if one.falsely_rejected and one.probe.certain]


def audit_verifier(
    verifier: Verifier,
    problems: Sequence[Problem],
    *,
    most: int = 48,
    form: str | None = None,
    accepted_from: float = ACCEPTED_FROM,
    prompt_of: Callable[[Problem], str] = lambda _: "",
    right_of: Callable[[Problem], str] = lambda _: "",
    declared: Sequence[str] = (),
    limits: Limits = DEFAULTS,
    mark: Path = Path("model-text-was-run"),
) -> Audit:
    """Ask a verifier what needs no model, and return what is wrong with its answers.

    Args:
        verifier: must be picklable: it is called in processes that can be killed.
        problems: whose golds, and columns if it asks for any, are used.
        most: how many of them.
        form: where answers are put, a name of `FORMS` or a text with ANSWER in it, in which
            {column} is a column's; by default the form in which most golds are accepted.
        accepted_from: the score in (0, 1] that counts as accepted beside an outcome that is not
            CORRECT; 1 leaves partial credit out.
        prompt_of: what a model is asked for a problem.
        right_of: a right response to a problem, in the place of its gold in that form, and itself
            the form where the gold stands in it; empty where there is none.
        declared: where the answer has to stand (`answer_in`): elsewhere it is to be rejected.
        limits: what one verdict may take.
        mark: a file that does not exist; a program in a response tries to write it.

    Raises:
        DataError: there is no problem, or one lacks a column that the verifier or the form asks
            for.
        ConfigError: `accepted_from` is out of range.

    >>> from rewardkit.types import Problem
    >>> from rewardkit.verifiers import IntegerVerifier
    >>> found = audit_verifier(IntegerVerifier(), [Problem("1", "6 * 7?", "42")])
    >>> found.form, len(found.false_accepts), found.faults
    ('box', 0, [])
    """
    if not 0 < accepted_from <= 1:
        raise ConfigError(f"accepted_from is a score in (0, 1], found {accepted_from}")
    chosen = choose(problems, most, prompt_of, right_of)
    if not chosen:
        raise DataError("there is no problem to audit a verifier with")
    with Workers(verifier, limits, accepted_from) as workers:
        forms = _forms(workers, chosen)
        best = form or max(forms, key=forms.__getitem__)
        answers = form is not None or forms[best] > 0
        probes = all_probes(chosen, best, mark, golds_are_answers=answers, declared=declared)
        graded = workers.grade(probes)
        faults = [*faults_of(graded), *ran_model_text(mark, graded), *compared(workers, graded)]
        memory, growing = memory_of(workers, graded)
    found = [*faults, *growing]
    return Audit(verifier, best, forms, chosen, graded, found, memory, accepted_from)


def _forms(workers: Workers, chosen: Sequence[Chosen]) -> dict[str, float]:
    """Return for each form the share of golds that are accepted in it."""
    asked = [one for one in chosen if one.reading.gold][:FORM_PROBLEMS]
    graded = workers.grade(list(own_golds(asked)))
    return {
        form: sum(one.accepted for one in graded if one.probe.kind == f"own gold: {form}")
        / max(len(asked), 1)
        for form in FORMS
    }
