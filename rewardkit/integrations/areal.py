"""AReaL: `RLVRWorkflow(reward_fn="rewardkit.integrations.areal.reward_fn")`.

AReaL calls it in processes of its own, so that no loop waits.
"""

from __future__ import annotations

from typing import Any

from rewardkit.integrations.grading import Grader, Target, decided


class VerdictReward:
    """A picklable `reward_fn(prompt, completions, prompt_ids, completion_ids, **columns)`.

    The column `answer` is the gold unless `gold` says otherwise; `grading` is for its `grader`. An
    undecided response raises: AReaL tries again, and then gives it up.

    >>> VerdictReward("math")("7+5?", "It is 12", [], [], answer="12")
    1.0
    """

    def __init__(self, target: Target, **grading: Any) -> None:
        self.grader = Grader(target, **{"workers": 1, **grading})

    def __call__(
        self, prompt: str, completions: str, prompt_ids: Any, completion_ids: Any, **row: Any
    ) -> float:
        """Return the score of a completion."""
        row["question"] = prompt
        return decided(self.grader.training_verdict(completions, row)).score


reward_fn = VerdictReward("math")
"""By `math`, wherever the answer stands."""
