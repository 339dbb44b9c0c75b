"""Stored responses under a verifier: beside a second one, beside labels, and what was missed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rewardkit.evaluation.statistics.distributions import clopper_pearson
from rewardkit.runs.graded_rows import GradedRow, verdicts_on
from rewardkit.types import UNDECIDED, Outcome, Verdict, Verifier
from rewardkit.verifiers.math import MathVerifier
from rewardkit.verifiers.pool.pool import VerifierPool

EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Answered:
    """A stored response with the verdict of the audited verifier, and of a second one if any."""

    row: GradedRow
    verdict: Verdict
    second: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Responses on which two verifiers differ in the same way, some of them as examples."""

    first: str
    second: str
    count: int
    examples: Sequence[Answered]

    @property
    def accepts(self) -> bool:
        """Whether it is the audited verifier that accepts."""
        return self.first.startswith(Outcome.CORRECT)


def answered(
    rows: Sequence[GradedRow],
    verifier: Verifier,
    second: Verifier | None = None,
    workers: int | None = None,
) -> list[Answered]:
    """Return the rows with new verdicts of one verifier or of two."""
    first = _verdicts(rows, verifier, workers)
    others = _verdicts(rows, second, workers) if second is not None else [None] * len(rows)
    return [Answered(*one) for one in zip(rows, first, others, strict=True)]


def disagreements(found: Iterable[Answered]) -> list[Disagreement]:
    """Return where two verifiers differ in what they accept, by what each says; accepts first.

    What either cannot decide is a kind of its own.
    """
    kinds: dict[tuple[str, str], list[Answered]] = defaultdict(list)
    for one in found:
        if one.second is not None and _stand(one.verdict) != _stand(one.second):
            kinds[_kind(one.verdict), _kind(one.second)].append(one)
    grouped = [
        Disagreement(first, second, len(members), members[:EXAMPLES])
        for (first, second), members in kinds.items()
    ]
    return sorted(grouped, key=lambda kind: (not kind.accepts, -kind.count))


def near_misses(found: Iterable[Answered]) -> list[Answered]:
    """Return what is not accepted although the answer that is read in it leniently is right.

    That reading knows no gold: a gold that is only passed by is none. What is labelled wrong is
    none either: nothing was missed there.
    """
    lenient = MathVerifier()
    return [
        one
        for one in found
        if one.verdict.outcome in (Outcome.INCORRECT, Outcome.NO_ANSWER)
        and one.row.label is not False
        and (read := lenient.quick(one.row.response, one.row.gold)) is not None
        and read.correct
    ]


def confusion(found: Iterable[Answered]) -> dict[str, Any] | None:
    """Return how verdicts agree with labels, rates with 95 % intervals; None without labels.

    Undecided verdicts are counted apart. The intervals are exact for independent rows; rows of
    few problems say less than they do.
    """
    labelled = [one for one in found if one.row.label is not None]
    decided = [one for one in labelled if one.verdict.outcome not in UNDECIDED]
    cells = {
        (label, accepted): sum(
            one.row.label is label and one.verdict.correct is accepted for one in decided
        )
        for label in (True, False)
        for accepted in (True, False)
    }
    if not labelled:
        return None
    right, wrong = cells[True, True], cells[False, False]
    return {
        "labelled": len(labelled),
        "undecided": len(labelled) - len(decided),
        "right_accepted": right,
        "right_rejected": cells[True, False],
        "wrong_accepted": cells[False, True],
        "wrong_rejected": wrong,
        "agreement": rate(right + wrong, len(decided)),
        "false_accept_rate": rate(cells[False, True], cells[False, True] + wrong),
        "false_reject_rate": rate(cells[True, False], cells[True, False] + right),
    }


def against_labels(found: Iterable[Answered]) -> list[Answered]:
    """Return what is decided against its label, false accepts first."""
    wrong = [
        one
        for one in found
        if one.row.label is not None
        and one.verdict.outcome not in UNDECIDED
        and one.row.label != one.verdict.correct
    ]
    return sorted(wrong, key=lambda one: not one.verdict.correct)


def rate(count: int, of: int) -> dict[str, Any]:
    """Return a share with its 95 % interval; both None of nothing.

    >>> rate(0, 0)
    {'value': None, 'interval': None}
    """
    if not of:
        return {"value": None, "interval": None}
    return {"value": count / of, "interval": list(clopper_pearson(count, of))}


def _verdicts(
    rows: Sequence[GradedRow], verifier: Verifier, workers: int | None
) -> Sequence[Verdict]:
    with VerifierPool(verifier, workers=workers) as pool:
        return verdicts_on(rows, pool.verify)


def _stand(verdict: Verdict) -> bool | None:
    return None if verdict.outcome in UNDECIDED else verdict.correct


def _kind(verdict: Verdict) -> str:
    return f"{verdict.outcome.value} by {verdict.method}" if verdict.method else verdict.outcome
