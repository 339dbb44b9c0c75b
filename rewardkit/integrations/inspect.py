"""Inspect (UK AISI): a scorer, `Task(dataset, solver, scorer=verdict_scorer("math"))`."""

from __future__ import annotations

from typing import Any

from rewardkit.integrations.grading import AnswerIn, Grader
from rewardkit.types import UNDECIDED


def verdict_scorer(target: str, answer_in: AnswerIn = ()) -> Any:
    """Return a scorer of `inspect_ai` that grades by a verifier's score, with accuracy and stderr.

    An undecided outcome is "unscored" (NaN), which Inspect leaves out of its metrics. A sample's
    metadata are the columns that a verifier may ask for.

    Args:
        target: the name of a verifier; the log records it.
        answer_in: where the answer stands, as in `verifier_of`.

    Raises:
        ModuleNotFoundError: inspect_ai is not installed.
    """
    from inspect_ai.scorer import Score, accuracy, scorer, stderr

    @scorer(metrics=[accuracy(), stderr()], name="rewardkit")  # type: ignore[untyped-decorator]
    def made(verifier: str, answer_in: AnswerIn = ()) -> Any:
        grader = Grader(verifier, gold="target", answer_in=answer_in)

        async def score(state: Any, target: Any) -> Any:
            row = {**state.metadata, "target": target.text, "question": state.input_text}
            problem = grader.problem({**row, "id": state.sample_id})
            verdict = await grader.pool.averify(state.output.completion, problem)
            return Score(
                value=float("nan") if verdict.outcome in UNDECIDED else verdict.score,
                answer=verdict.extracted,
                explanation=verdict.reason,
                metadata={"outcome": verdict.outcome.value, "method": verdict.method},
            )

        return score

    return made(target, answer_in)
