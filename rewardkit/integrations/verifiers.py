"""verifiers (Prime Intellect): a reward of any task whose data has an answer.

In a taskset of one's own, or in a configuration under `[env.taskset.task.rewards]`:

    correct = { fn = "rewardkit.integrations.verifiers:correct" }
"""

from __future__ import annotations

from typing import Any

from rewardkit.integrations.grading import AnswerIn, Grader, Target, decided


class TraceReward:
    """An awaitable reward `(task data, trace) -> float`, by the verifier of its `grader`.

    Args:
        target: a verifier, a function, a `Task`, or the name of one.
        gold: the field of the task's data that holds the gold answer.
        answer_in: where the answer stands, as in `verifier_of`.
    """

    def __init__(self, target: Target, gold: str = "answer", answer_in: AnswerIn = ()) -> None:
        self.grader = Grader(target, gold=gold, answer_in=answer_in)

    async def __call__(self, task: Any, trace: Any) -> float:
        """Return the score of the trace's last reply, and leave why in `trace.info`.

        Raises:
            TrainingError: the verifier could not decide; the rollout then counts as failed.
        """
        row = {**task.model_dump(), "question": task.prompt_text}
        verdict = await self.grader.pool.averify(trace.last_reply, self.grader.problem(row))
        trace.info["verdict"] = {
            "outcome": verdict.outcome.value,
            "extracted": verdict.extracted,
            "reason": verdict.reason,
        }
        return decided(verdict).score


_BY_MATH = TraceReward("math")


async def correct(task: Any, trace: Any) -> float:
    """Return the score that `math` gives the trace's last reply, against `task.answer`."""
    return await _BY_MATH(task, trace)
