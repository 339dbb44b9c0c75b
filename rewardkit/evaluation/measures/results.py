"""Samples -> what `results.json` says of them, the same for the same samples.

It holds no clock and no duration, so that an evaluation that was killed and resumed writes the
same bytes as one that was not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from statistics import fmean, median
from typing import Any

from rewardkit.evaluation.drawing.sets import ProblemSet, verifier_name
from rewardkit.evaluation.measures.scoring import correct_of_graded, score_of, set_result, unknown
from rewardkit.evaluation.samples import Sample, text_hash
from rewardkit.evaluation.statistics.at_k import maj_at_k, pass_at_k
from rewardkit.evaluation.statistics.clusters import clusters_of
from rewardkit.runs.results import Overall, ProblemResult, SampleResult, SetResult
from rewardkit.runs.rollouts import recorded_columns
from rewardkit.types import UNDECIDED, Finish, Outcome, Problem

TRUNCATION_WARNING = 0.01
MOST_REASONS = 3
FAILED = (Outcome.TIMEOUT, Outcome.ERROR)
OTHER_ENDS = (Finish.FILTERED, Finish.CALLED, Finish.TURNS)
"""Ends of responses that are often without any text."""
Counts = Sequence[tuple[int, int]]
"""(correct, graded) by problem."""


def measured(one: ProblemSet, samples: Mapping[str, Sample]) -> SetResult:
    """Return what was measured on one problem set.

    The score is None while any sample is missing; `partial` then holds what there is, with its
    coverage.
    """
    by_problem: dict[str, list[Sample]] = {problem.id: [] for problem in one.problems}
    for slot in one.slots:
        if slot.key in samples:
            by_problem[slot.problem.id].append(samples[slot.key])
    groups = list(by_problem.values())
    flat = [sample for group in groups for sample in group]
    expected = len(one.slots)
    coverage = len(flat) / expected if expected else 0.0
    complete = len(flat) == expected
    k = expected // len(one.problems)
    problems = [_problem(one, problem, by_problem[problem.id], k) for problem in one.problems]
    clusters = clusters_of(problems)
    found = set_result(
        [[sample.outcome for sample in group] for group in groups],
        [[sample.score for sample in group] for group in groups],
        clusters,
    )
    if reasons := Counter(s.reason for s in flat if s.outcome in FAILED and s.reason):
        found["ungraded"]["reasons"] = dict(reasons.most_common(MOST_REASONS))
    if ends := Counter(s.finish.value for s in flat if s.finish in OTHER_ENDS):
        found["other_ends"] = dict(sorted(ends.items()))
    _add_turns(found, flat)
    _add_by_rules(found, groups if complete else (), clusters)
    silent = [s for s in flat if s.finish is Finish.STOP and not s.response]
    if kinds := Counter("reasoning_only" if s.reasoning else "empty" for s in silent):
        found["silent"] = dict(sorted(kinds.items()))
    counts = [_count(group) for group in groups]
    graded = [_graded(group) for group in groups]
    score = score_of(counts, clusters)
    if not complete:
        found = {**found, **unknown(), "answered_share": None, "accuracy_given_answer": None}
        found.pop("score", None)
    return {
        **found,
        "task": one.task.name,
        "source": one.task.source,
        "licence": one.task.licence,
        "version": one.task.version,
        "remarks": list(one.task.remarks),
        "verifier": verifier_name(one.task.verifier),
        "samples_per_problem": k,
        "expected": expected,
        "missing": expected - len(flat),
        "coverage": coverage,
        "complete": complete,
        "partial": None if complete else {"coverage": coverage, **score},
        "pass_at_k": _at_k(graded, powers_of_two(k // 2) if complete else (), _pass),
        "maj_at_k": _at_k(graded, _majorities(k) if complete else (), _maj),
        "truncation": _truncation(groups, counts),
        "tokens": _tokens(flat),
        "all_right": _share(counts, lambda correct, samples: correct == samples),
        "all_wrong": _share(counts, lambda correct, samples: correct == 0),
        "per_problem": problems,
    }


def overall(sets: Mapping[str, SetResult]) -> Overall | None:
    """Return the score over the problems of all sets together, each problem weighing the same."""
    if len(sets) < 2 or not all(row["complete"] for row in sets.values()):
        return None
    problems = [problem for row in sets.values() for problem in row["per_problem"]]
    counts = [(problem["correct"], problem["graded"]) for problem in problems]
    score = score_of(counts, clusters_of(problems))
    return {"problems": len(problems), **score}


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
    return correct_of_graded([sample.outcome for sample in group])


def _add_by_rules(found: SetResult, groups: Sequence[Sequence[Sample]], clusters: Any) -> None:
    """Add the score without what a model said behind rules, where one was asked."""
    if any(sample.judged for group in groups for sample in group):
        outcomes = [[Outcome(s.judged.partition(">")[0] or s.outcome) for s in g] for g in groups]
        counts = [correct_of_graded(group) for group in outcomes]
        said = [_said(sample) for group in groups for sample in group if sample.judged]
        decided = [pair for pair in said if pair]
        alike = sum(rules is judge for rules, judge in decided)
        agreement = alike / len(decided) if decided else None
        score = score_of(counts, clusters)
        found["by_rules"] = {**score, "asked": len(said), "agreement": agreement}


def _said(sample: Sample) -> tuple[bool, bool] | None:
    """Return whether rules and the judge call a sample right; None where one is undecided."""
    said = sample.judged.split(">")[:2]
    if len(said) < 2 or not UNDECIDED.isdisjoint(said):
        return None
    return said[0] == Outcome.CORRECT, said[1] == Outcome.CORRECT


def _graded(group: Sequence[Sample]) -> list[Sample]:
    return [sample for sample in group if sample.outcome not in UNDECIDED]


def _share(counts: Counts, holds: Callable[[int, int], bool]) -> float | None:
    graded = [pair for pair in counts if pair[1]]
    return fmean(holds(*pair) for pair in graded) if graded else None


def _at_k(
    groups: Sequence[Sequence[Sample]], sizes: Iterable[int], value: Callable[..., float]
) -> dict[str, dict[str, Any]]:
    """Return a mean over the problems with enough samples, for each of several k."""
    found = {}
    for k in sorted(set(sizes)):
        if usable := [group for group in groups if len(group) >= k]:
            mean = fmean(value(group, k) for group in usable)
            found[str(k)] = {"value": mean, "problems": len(usable)}
    return found


def _pass(group: Sequence[Sample], k: int) -> float:
    return pass_at_k(len(group), sum(s.outcome is Outcome.CORRECT for s in group), k)


def _maj(group: Sequence[Sample], k: int) -> float:
    return maj_at_k([vote(s) for s in group], GOLD, k)


def powers_of_two(most: int) -> list[int]:
    """Return 1, 2, 4, ... up to `most`.

    >>> powers_of_two(6)
    [1, 2, 4]
    """
    return [2**i for i in range(max(most, 0).bit_length())]


def _majorities(k: int) -> list[int]:
    return [wanted for wanted in (*powers_of_two(min(k // 2, 32)), k) if wanted >= 2]


def _truncation(groups: Sequence[Sequence[Sample]], counts: Counts) -> dict[str, Any]:
    """Return how often the limit cut in, and the accuracy if all those were wrong or right."""
    flat = [sample for group in groups for sample in group]
    cut = sum(sample.truncated for sample in flat)
    low, high = [], []
    for group, (correct, graded) in zip(groups, counts, strict=True):
        if graded:
            cut_group = [s for s in _graded(group) if s.truncated]
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


def _add_turns(found: SetResult, flat: Sequence[Sample]) -> None:
    """Add means a sample of what was played, and the share whose environment failed."""
    if not any(sample.segments for sample in flat):
        return
    parts = [part for sample in flat for part in sample.segments]
    found["turns"] = {
        "mean": sum(written for written, *_ in parts) / len(flat),
        "environment_tokens": sum(n for written, _, n in parts if not written) / len(flat),
        "tool_errors": sum(sample.tool_errors for sample in flat) / len(flat),
        "environment_failed": sum(sample.environment_failed for sample in flat) / len(flat),
    }


def _tokens(flat: Sequence[Sample]) -> dict[str, Any]:
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


def _problem(one: ProblemSet, problem: Problem, group: Sequence[Sample], k: int) -> ProblemResult:
    correct, graded = _count(group)
    return {
        "id": problem.id,
        "text_hash": text_hash(problem.question),
        "prompt_hash": text_hash(one.prompts[problem.id]),
        "chat_hash": one.chats[problem.id],
        "gold": problem.answer,
        "correct": correct,
        "graded": graded,
        "missing": k - len(group),
        "rate": correct / graded if graded else None,
        "info": recorded_columns(problem.info),
        "truncated": sum(sample.truncated for sample in group),
        "answers": _answers(group),
        "samples": [_sample(sample) for sample in sorted(group, key=lambda s: s.index)],
    }


def _sample(sample: Sample) -> SampleResult:
    found: SampleResult = {
        "key": sample.key,
        "index": sample.index,
        "seed": sample.seed,
        "outcome": sample.outcome.value,
        "finish": sample.finish.value,
        "tokens": sample.tokens,
        "extracted": sample.extracted,
        "score": sample.score,
    }
    if _said(sample) in ((True, False), (False, True)):
        found["judged"] = sample.judged
    return found


def _answers(group: Sequence[Sample]) -> dict[str, int]:
    """Return the most frequent extracted answers with their counts, most frequent first."""
    votes = Counter(s.extracted for s in group if s.extracted is not None)
    return dict(sorted(votes.most_common(5), key=lambda pair: (-pair[1], pair[0])))
