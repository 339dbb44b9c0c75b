"""OpenRLHF: a file for `--reward.remote_url FILE.py`; its HTTP form is `rewardkit serve`.

This file grades with `math`. For another verifier, name a file of one's own with two lines:

    from rewardkit.integrations.openrlhf import remote_reward
    reward_func = remote_reward("my_package.grading:parity")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewardkit.data.messages import after_prompt
from rewardkit.integrations.grading import AnswerIn, Grader, Target
from rewardkit.types import UNDECIDED, Verdict

Answer = dict[str, Any]
"""`rewards`, `scores`, and `extra_logs` of lists, one entry a query, as OpenRLHF's own server."""


def remote_reward(target: Target, answer_in: AnswerIn = ()) -> Callable[..., Answer]:
    """Return `reward_func(queries, prompts, labels)`: a query is a prompt with its response.

    Args:
        target: a verifier, a function, a `Task`, or the name of one.
        answer_in: where the answer stands, as in `verifier_of`.

    >>> remote_reward("math")(["<s>7+5? so 12</s>"], ["7+5?"], ["12"])["rewards"]
    [1.0]
    """
    grader = Grader(target, gold="label", answer_in=answer_in)

    def reward_func(
        queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **_: Any
    ) -> Answer:
        responses = [after_prompt(q, p) for q, p in zip(queries, prompts, strict=True)]
        rows = [
            {"label": label, "question": prompt}
            for label, prompt in zip(labels, prompts, strict=True)
        ]
        return as_answer(grader.training_verdicts(responses, rows))

    return reward_func


def as_answer(verdicts: Sequence[Verdict]) -> Answer:
    """Return verdicts in the form that OpenRLHF reads.

    It cannot leave a response out: one that is undecided has a reward of 0, and is counted.
    """
    return {
        "rewards": [verdict.score for verdict in verdicts],
        "scores": [float(verdict.correct) for verdict in verdicts],
        "extra_logs": {
            "undecided": [float(verdict.outcome in UNDECIDED) for verdict in verdicts],
        },
    }


reward_func = remote_reward("math")
"""By `math`, wherever the answer stands."""
