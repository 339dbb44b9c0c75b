"""Ledger -> results: a plain dictionary, the same for the same samples whatever happened between.

It holds no clock and no duration, so that an evaluation that was killed and resumed writes the
same bytes as one that was not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import fmean, median
from typing import Any

from rewardkit.evaluation.ledger import Sample, text_hash
from rewardkit.evaluation.runner import ProblemSet, truncated
from rewardkit.evaluation.statistics import maj_at_k, pass_at_k, summarise
from rewardkit.types import UNDECIDED, Outcome

TRUNCATION_WARNING = 0.01
Row = dict[str, Any]


def set_results(one: ProblemSet, samples: Mapping[str, Sample]) -> Row:
    """Return what was measured on one problem set.

    `accuracy` and its intervals are None while any sample is missing; `partial` then holds what
    there is, with its coverage.
    """
    held = {problem.id: [] for problem in one.problems}  # type: dict[str, list[Sample]]
    for slot in one.slots:
        if slot.key in samples:
            held[slot.problem.id].append(samples[slot.key])
    flat = [sample for group in held.values() for sample in group]
    expected = len(one.slots)
    coverage = len(flat) / expected if expected else 0.0
    counts = [_count(group) for group in held.values()]
    score = score_of(counts)
    complete = len(flat) == expected
    k = expected // len(one.problems)
    graded = {identity: _graded(group) for identity, group in held.items()}
    return {
        "task": one.task.name,
        "source": one.task.source,
        "licence": one.task.licence,
        "version": one.task.version,
        "remarks": list(one.task.remarks),
        "problems": len(one.problems),
        "samples_per_problem": k,
        "expected": expected,
        "samples": len(flat),
        "missing": expected - len(flat),
        "coverage": coverage,
        "complete": complete,
        **(score if complete else dict.fromkeys(score)),
        "partial": None if complete else {"coverage": coverage, **score},
        "ungraded": _ungraded(flat, counts),
        "outcomes": {o.value: sum(s.outcome is o for s in flat) for o in Outcome},
        "pass_at_k": _pass(list(graded.values()), k) if complete else {},
        "maj_at_k": _maj(list(graded.values()), k) if complete else {},
        "truncation": _truncation(list(held.values()), counts),
        "tokens": _tokens(flat),
        "all_right": _share(counts, lambda c, n: c == n),
        "all_wrong": _share(counts, lambda c, n: c == 0),
        "per_problem": [
            _problem_row(one, problem.id, problem.question, problem.answer, held[problem.id], k)
            for problem in one.problems
        ],
    }


def score_of(counts: Sequence[tuple[int, int]]) -> Row:
    """Return the accuracy and both intervals as results hold them; None where nothing is graded."""
    if not any(samples for _, samples in counts):
        return {"accuracy": None, "interval_these_problems": None, "interval_new_problems": None}
    summary = summarise(counts)
    return {
        "accuracy": summary.accuracy,
        "interval_these_problems": [summary.these_problems.low, summary.these_problems.high],
        "interval_new_problems": [summary.new_problems.low, summary.new_problems.high],
    }


def overall(sets: Mapping[str, Row]) -> Row | None:
    """Return the score over the problems of all sets together, each problem weighing the same."""
    if len(sets) < 2 or not all(row["complete"] for row in sets.values()):
        return None
    rows = [p for row in sets.values() for p in row["per_problem"]]
    counts = [(p["correct"], p["graded"]) for p in rows]
    return {"problems": len(rows), **score_of(counts)}


def vote(sample: Sample) -> str | None:
    """Return the answer that a sample votes for, in a form that equal answers share.

    >>> canonical("1/2") == canonical("0.50") == canonical(" $0.5$ ")
    True
    """
    if sample.outcome is Outcome.CORRECT:
        return GOLD
    return canonical(sample.extracted) if sample.extracted is not None else None


GOLD = "=gold"


def canonical(answer: str) -> str:
    """Return the answer without its notation's accidents: spaces, dollars, 0.50 for 1/2."""
    plain = re.sub(r"[\s$]|\\[,;! ]|\\left|\\right", "", answer).replace("\\dfrac", "\\frac")
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", plain)
    plain = re.sub(r"^(-?)\\frac\{(\d+)\}\{(\d+)\}$", r"\1\2/\3", plain)
    if len(plain) <= 40 and re.fullmatch(r"[-+]?\d+(\.\d+|/0*[1-9]\d*)?", plain):
        return str(Fraction(plain))
    return plain


def _count(group: Sequence[Sample]) -> tuple[int, int]:
    graded = _graded(group)
    return sum(s.outcome is Outcome.CORRECT for s in graded), len(graded)


def _graded(group: Sequence[Sample]) -> list[Sample]:
    return [sample for sample in group if sample.outcome not in UNDECIDED]


def _share(counts: Sequence[tuple[int, int]], holds: Any) -> float | None:
    graded = [pair for pair in counts if pair[1]]
    return fmean(holds(*pair) for pair in graded) if graded else None


def _ungraded(flat: Sequence[Sample], counts: Sequence[tuple[int, int]]) -> Row:
    """Count the samples whose verdict says nothing, and the problems that have no other."""
    lost = sum(s.outcome in (Outcome.TIMEOUT, Outcome.ERROR) for s in flat)
    return {
        "timeout_or_error": lost,
        "bad_gold": sum(s.outcome is Outcome.BAD_GOLD for s in flat),
        "problems_without_grade": sum(samples == 0 for _, samples in counts),
    }


def _pass(groups: Sequence[Sequence[Sample]], k: int) -> dict[str, Row]:
    """Return unbiased pass@k for powers of two up to half of the samples."""
    found = {}
    for wanted in powers_of_two(k // 2):
        usable = [group for group in groups if len(group) >= wanted]
        if usable:
            rates = [
                pass_at_k(len(g), sum(s.outcome is Outcome.CORRECT for s in g), wanted)
                for g in usable
            ]
            found[str(wanted)] = {"value": fmean(rates), "problems": len(usable)}
    return found


def _maj(groups: Sequence[Sequence[Sample]], k: int) -> dict[str, Row]:
    """Return maj@k for powers of two up to half of the samples, and for all of them."""
    found = {}
    for wanted in sorted({w for w in (*powers_of_two(min(k // 2, 32)), k) if w >= 2}):
        usable = [group for group in groups if len(group) >= wanted]
        if usable:
            rates = [maj_at_k([vote(s) for s in g], GOLD, wanted) for g in usable]
            found[str(wanted)] = {"value": fmean(rates), "problems": len(usable)}
    return found


def powers_of_two(most: int) -> list[int]:
    """Return 1, 2, 4, ... up to `most`.

    >>> powers_of_two(6)
    [1, 2, 4]
    """
    return [2**i for i in range(max(most, 0).bit_length())]


def _truncation(groups: Sequence[Sequence[Sample]], counts: Sequence[tuple[int, int]]) -> Row:
    """Return how often the limit cut in, and the accuracy if all those were wrong or right."""
    flat = [sample for group in groups for sample in group]
    cut = sum(map(truncated, flat))
    low, high = [], []
    for group, (correct, graded) in zip(groups, counts, strict=True):
        if graded:
            cut_group = [s for s in _graded(group) if truncated(s)]
            right = sum(s.outcome is Outcome.CORRECT for s in cut_group)
            low.append((correct - right) / graded)
            high.append((correct + len(cut_group) - right) / graded)
    rate = cut / len(flat) if flat else 0.0
    return {
        "count": cut,
        "rate": rate,
        "accuracy_if_all_wrong": fmean(low) if low else None,
        "accuracy_if_all_right": fmean(high) if high else None,
        "warning": rate >= TRUNCATION_WARNING,
    }


def _tokens(flat: Sequence[Sample]) -> Row:
    lengths = [sample.tokens for sample in flat]
    right = [s.tokens for s in flat if s.outcome is Outcome.CORRECT]
    return {
        "prompt": sum(s.prompt_tokens for s in flat),
        "response": sum(lengths),
        "mean": fmean(lengths) if lengths else None,
        "median": median(lengths) if lengths else None,
        "longest": max(lengths, default=None),
        "mean_if_correct": fmean(right) if right else None,
    }


def _problem_row(
    one: ProblemSet, identity: str, question: str, gold: str, group: Sequence[Sample], k: int
) -> Row:
    correct, graded = _count(group)
    return {
        "id": identity,
        "text_hash": text_hash(question),
        "prompt_hash": text_hash(one.prompts[identity]),
        "gold": gold,
        "correct": correct,
        "graded": graded,
        "missing": k - len(group),
        "rate": correct / graded if graded else None,
        "truncated": sum(map(truncated, group)),
        "answers": _answers(group),
        "samples": [
            {
                "key": s.key,
                "index": s.index,
                "seed": s.seed,
                "outcome": s.outcome.value,
                "finish": s.finish.value,
                "tokens": s.tokens,
                "extracted": s.extracted,
            }
            for s in sorted(group, key=lambda s: s.index)
        ],
    }


def _answers(group: Sequence[Sample]) -> dict[str, int]:
    """Return the most frequent extracted answers with their counts, most frequent first."""
    votes = Counter(s.extracted for s in group if s.extracted is not None)
    return dict(sorted(votes.most_common(5), key=lambda pair: (-pair[1], pair[0])))
