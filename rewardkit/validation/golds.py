"""Each problem's own gold given to its verifier: what rejects it would reject a right answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from rewardkit.environments.grades import grades_itself
from rewardkit.errors import DataError, nearest_hint
from rewardkit.golds import as_text
from rewardkit.types import Outcome, Problem, Task, Verdict
from rewardkit.verifiers import VerifierPool

FORMS = ("{}", "\\boxed{{{}}}", "<answer>{}</answer>")
"""How a gold is said to a verifier, until it is taken; what stands in a column is said as it is."""
CHUNK = 1024


class Tried(NamedTuple):
    """One problem, and what its verifier said of its own gold: None where there is none to try."""

    where: str
    problem: Problem
    gold: str
    verdict: Verdict | None


def try_golds(
    task: Task, placed: Iterable[tuple[str, Problem]], pool: VerifierPool
) -> Iterator[Tried]:
    """Yield what the verifier says of each problem's own gold, in order.

    Args:
        task: the task.
        placed: where each problem stands, and the problem.
        pool: of the task's verifier.

    Raises:
        DataError: a problem lacks that column, or it holds no text.
    """
    remaining = iter(placed)
    while chunk := list(islice(remaining, CHUNK)):
        golds = [_responses(task, where, problem) for where, problem in chunk]
        verdicts: list[Verdict | None] = [None] * len(chunk)
        for form in range(len(FORMS)):
            open_ = [
                i
                for i, responses in enumerate(golds)
                if form < len(responses) and not _taken(verdicts[i])
            ]
            said = pool.verify([(golds[i][form], chunk[i][1]) for i in open_])
            for i, verdict in zip(open_, said, strict=True):
                verdicts[i] = _telling(verdicts[i], verdict)
        for (where, problem), responses, found in zip(chunk, golds, verdicts, strict=True):
            yield Tried(where, problem, responses[0] if responses else "", found)


def _responses(task: Task, where: str, problem: Problem) -> Sequence[str]:
    part = task.part_of(problem)
    column = part.reference
    if not column and grades_itself(part):
        return []  # a gold is no turn of a game
    if not column:
        gold = problem.answer
        return [form.format(gold) for form in FORMS] if gold.strip() else []
    text = right_response(problem, column, where)
    return [text] if text.strip() else []


def right_response(problem: Problem, column: str, where: str) -> str:
    """Return what a problem's column says is a right response.

    Raises:
        DataError: the problem lacks that column, or it holds no text; says where.
    """
    return column_text(problem, column, where, "a right response")


def column_text(problem: Problem, column: str, where: str, what: str) -> str:
    """Return a column as text; `where` and `what` it should be are said where it is not.

    Raises:
        DataError: the problem lacks that column, or it holds no text.
    """
    if column not in problem.info:
        raise DataError(
            f"{where}: problem {problem.id!r} has no column {column!r} with {what}"
            f"{nearest_hint(column, problem.info)}"
        )
    try:
        return as_text(problem.info[column])
    except TypeError as error:
        raise DataError(f"{where}: column {column!r} does not hold {what}: {error}") from error


def _taken(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.correct


def _telling(before: Verdict | None, now: Verdict) -> Verdict:
    """Return which of two verdicts on a gold says more of it."""
    if before is None or now.correct or before.outcome is Outcome.NO_ANSWER:
        return now
    return before
