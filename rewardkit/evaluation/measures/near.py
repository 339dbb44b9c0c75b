"""Near misses: the right value, but not where the task declares that the answer stands.

A response that a declared format rejects is read once more as if nothing were declared, by the same
verifier. That is no verdict: it tells a model that knows nothing from one that was not told the
form, or did not keep to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rewardkit.errors import TrainingError
from rewardkit.evaluation.drawing.sets import ProblemSet
from rewardkit.evaluation.measures.scoring import set_result
from rewardkit.evaluation.samples import Sample
from rewardkit.runs.results import SetResult
from rewardkit.types import UNDECIDED, Outcome, Problem, Task, Verdict
from rewardkit.verifiers.declaration import answer_in_of, with_answer_in
from rewardkit.verifiers.format.found import NOT_DECLARED
from rewardkit.verifiers.signature import asked_by, columns_for

Measured = tuple[Verdict, str]
"""A verdict, and what a lenient reading makes of the response."""
READ, RIGHT, ELSEWHERE = "read", "right", "elsewhere"
"""An answer that is declared nowhere and can be read all the same; such a one that is right; a
right one beside what is declared."""
SIGNS = {
    RIGHT: "the right value, without the declared format",
    ELSEWHERE: "the right value stands outside the declared answer",
}
"""The near misses, in words."""


def nearness(task: Task, problem: Problem, response: str, outcome: Outcome, method: str) -> str:
    r"""Return what a lenient reading makes of a response that was graded strictly.

    Empty for one that is right or undecided, for a task that declares nothing, and where nothing
    can be read.

    >>> from rewardkit.tasks import load_task
    >>> sums = load_task("arithmetic")
    >>> four = Problem("1", "2 + 2?", "4")
    >>> said = ("It is 4.", "It is 5.", r"Not \boxed{5}. The answer is 4.", r"\boxed{4}")
    >>> verdicts = [(text, sums.verifier(text, "4")) for text in said]
    >>> [nearness(sums, four, text, v.outcome, v.method) for text, v in verdicts]
    ['right', 'read', 'elsewhere', '']
    """
    own = task.part_of(problem).verifier
    if outcome in (Outcome.CORRECT, *UNDECIDED) or not answer_in_of(own):
        return ""
    lenient = with_answer_in(own, ())
    quick = getattr(lenient, "quick", None)  # others may ask a server
    if quick is None:
        return ""
    verdict = quick(response, problem.answer, **columns_for(asked_by(lenient), problem))
    if verdict is None or verdict.outcome in (Outcome.NO_ANSWER, *UNDECIDED):
        return ""
    if method != NOT_DECLARED:
        return ELSEWHERE if verdict.correct else ""
    return RIGHT if verdict.correct else READ


def measured(task: Task, problem: Problem, response: str, verdict: Verdict) -> Measured:
    """Return a verdict with what a lenient reading makes of the response."""
    return verdict, nearness(task, problem, response, verdict.outcome, verdict.method)


def measure(graded: Sequence[Sequence[Measured]]) -> SetResult:
    """Return what the verdicts on each problem come to, and how many responses are near misses.

    Raises:
        TrainingError: not one of them says anything.
    """
    found = set_result(
        [[verdict.outcome for verdict, _ in group] for group in graded],
        [[verdict.score for verdict, _ in group] for group in graded],
    )
    near = near_counts(near for group in graded for _, near in group)
    if any(near.values()):
        found["near_misses"] = near
    if found["accuracy"] is None:
        first = next(verdict for group in graded for verdict, _ in group)
        raise TrainingError(
            f"not one of {found['samples']} responses could be graded, so there is nothing to "
            f"measure. The first verdict: {first.outcome}, {first.reason}"
        )
    return found


def near_misses(one: ProblemSet, samples: Mapping[str, Sample]) -> dict[str, str]:
    """Return by the key of each sample of a set what a lenient reading makes of it, if anything."""
    held = [(samples[slot.key], slot.problem) for slot in one.slots if slot.key in samples]
    found = {s.key: nearness(one.task, p, s.response, s.outcome, s.method) for s, p in held}
    return {key: near for key, near in found.items() if near}


def near_counts(found: Iterable[str]) -> dict[str, int]:
    """Return how many responses are near misses, and how many undeclared answers can be read.

    >>> near_counts(["right", "read", "", "elsewhere"])
    {'count': 2, 'read': 2, 'right': 1, 'elsewhere': 1}
    """
    counts = Counter(found)
    return {
        "count": counts[RIGHT] + counts[ELSEWHERE],
        "read": counts[READ] + counts[RIGHT],
        RIGHT: counts[RIGHT],
        ELSEWHERE: counts[ELSEWHERE],
    }


def mark_near_misses(row: SetResult, found: Mapping[str, str]) -> None:
    """Write near misses into the results of their set: each at its sample, and how many."""
    row["near_misses"] = near_counts(found.values())
    for problem in row["per_problem"]:
        for sample in problem["samples"]:
            if (near := found.get(sample["key"])) in SIGNS:
                sample["near_miss"] = near


def undeclared_note(name: str, row: Mapping[str, Any]) -> str:
    """Return what to say of a set most of whose responses answer without the declared format.

    >>> found = {"samples": 8, "near_misses": {"count": 3, "read": 6, "right": 3}}
    >>> undeclared_note("test", found)[:73]
    'test: 6 of 8 responses give an answer, and not where the task declares it'
    >>> undeclared_note("test", {"samples": 8})
    ''
    """
    near, samples = row.get("near_misses") or {}, row.get("samples") or 0
    read = near.get("read", 0)
    if 2 * read <= samples:
        return ""
    return (
        f"{name}: {read} of {samples} responses give an answer, and not where the task declares it "
        f"({near.get(RIGHT, 0)} of these are right): they count as no answer. Say in the prompt "
        "where it stands, --set task.prompt=...; if it says so, show worked examples as turns of "
        "the chat (docs/answer-format.md); or grade what is there, --set task.lenient=true"
    )
