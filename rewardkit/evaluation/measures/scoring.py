"""Verdicts, problem by problem -> the score: the one that training and evaluation share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.evaluation.statistics.summary import mean_of_scores, summarise
from rewardkit.runs.results import MeanScore, Score, SetResult
from rewardkit.types import UNDECIDED, Outcome


def score_of(counts: Sequence[tuple[int, int]], clusters: Sequence[str] | None = None) -> Score:
    """Return the accuracy and both intervals of (correct, graded) by problem.

    `clusters` labels problems that move together. All are None where nothing is graded.
    """
    if not any(graded for _, graded in counts):
        return unknown()
    summary = summarise(counts, clusters=clusters)
    return {
        "accuracy": summary.value,
        "interval_these_problems": [summary.these_problems.low, summary.these_problems.high],
        "interval_new_problems": [summary.new_problems.low, summary.new_problems.high],
    }


def unknown() -> Score:
    """Return the score of what was not measured."""
    return {"accuracy": None, "interval_these_problems": None, "interval_new_problems": None}


def correct_of_graded(outcomes: Sequence[Outcome]) -> tuple[int, int]:
    """Return how many are right, and how many say anything at all.

    >>> correct_of_graded([Outcome.CORRECT, Outcome.NO_ANSWER, Outcome.TIMEOUT])
    (1, 2)
    """
    return outcomes.count(Outcome.CORRECT), sum(o not in UNDECIDED for o in outcomes)


def mean_score(
    outcomes: Sequence[Sequence[Outcome]], scores: Sequence[Sequence[float]]
) -> MeanScore | None:
    """Return the mean of the scores with both intervals; None where they say what outcomes say."""
    graded = [
        [(s, o) for s, o in zip(*group, strict=True) if o not in UNDECIDED]
        for group in zip(scores, outcomes, strict=True)
    ]
    if all(score == (outcome is Outcome.CORRECT) for group in graded for score, outcome in group):
        return None
    found = mean_of_scores([[score for score, _ in group] for group in graded if group])
    return {
        "mean": found.value,
        "interval_these_problems": [found.these_problems.low, found.these_problems.high],
        "interval_new_problems": [found.new_problems.low, found.new_problems.high],
    }


def cost_of(sets: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Return what the responses of several sets cost together, and each right one of them.

    Tokens, `money` where a price was given, and the seconds that each response took to come; a
    share is None where nothing is right, or where that was not counted.

    >>> row = {"correct": 2, "samples": 4, "tokens": {"response": 300, "money": 0.5}}
    >>> found = cost_of([row, {"correct": 1, "samples": 2}])
    >>> found["per_correct"], round(found["money_per_correct"], 3), found["seconds_per_correct"]
    (100.0, 0.167, None)
    """
    summed = {
        name: sum(_counted((one.get("tokens") or {}).get(name)) for one in sets)
        for name in ("prompt", "response", "money", "seconds")
    }
    right, drawn = (sum(_counted(one.get(n)) for one in sets) for n in ("correct", "samples"))

    def each(name: str, of: float) -> float | None:
        return summed[name] / of if of and summed[name] else None

    return {
        "prompt": summed["prompt"],
        "response": summed["response"],
        "mean": each("response", drawn),
        "per_correct": each("response", right),
        "money_per_correct": each("money", right),
        "seconds_per_correct": each("seconds", right),
    }


def _counted(value: Any) -> float:
    """Return a count, or 0 for what a file of anybody holds in its place."""
    return value if type(value) in (int, float) and 0 <= value < 1e30 else 0


def set_result(
    groups: Sequence[Sequence[Outcome]],
    scores: Sequence[Sequence[float]] | None = None,
    clusters: Sequence[str] | None = None,
) -> SetResult:
    """Return what is measured on one set, from the outcomes of each of its problems.

    An outcome that says nothing is counted, and left out of the score. The mean of the `scores` of
    the same responses stands beside the accuracy where it is another.
    """
    counts = [correct_of_graded(group) for group in groups]
    outcomes = Counter(outcome for group in groups for outcome in group)
    samples = outcomes.total()
    correct = outcomes[Outcome.CORRECT]
    answered = correct + outcomes[Outcome.INCORRECT]
    graded = sum(graded for _, graded in counts)
    score = score_of(counts, clusters)
    found: SetResult = {
        "accuracy": score["accuracy"],
        "interval_these_problems": score["interval_these_problems"],
        "interval_new_problems": score["interval_new_problems"],
        "problems": len(groups),
        "samples": samples,
        "graded": graded,
        "correct": correct,
        "answered_share": answered / graded if graded else None,
        "accuracy_given_answer": correct / answered if answered else None,
        "outcomes": {outcome.value: outcomes[outcome] for outcome in Outcome},
        "ungraded": {
            "timeout_or_error": outcomes[Outcome.TIMEOUT] + outcomes[Outcome.ERROR],
            "bad_gold": outcomes[Outcome.BAD_GOLD],
            "problems_without_grade": sum(graded == 0 for _, graded in counts),
        },
    }
    if scores is not None and (mean := mean_score(groups, scores)) is not None:
        found["score"] = mean
    return found
