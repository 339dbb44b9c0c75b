"""slime: `--custom-rm-path rewardkit.integrations.slime.custom_rm`, or a file with one line.

custom_rm = reward_model("integer", answer_in="box")  # --custom-rm-path my_module.custom_rm
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from rewardkit.integrations.grading import Grader, Target
from rewardkit.types import UNDECIDED


def reward_model(target: Target = "math", **grading: Any) -> Callable[..., Any]:
    """Return an awaitable `custom_rm(args, sample)`, or of a list; `grading` is for the `Grader`.

    A sample's `label` is the gold, its metadata are columns, and say the outcome and why. One that
    is undecided is removed from the loss.
    """
    grader = Grader(target, **{"gold": "label", **grading})

    async def score(sample: Any) -> float:
        row = {**sample.metadata, grader.gold: sample.label}
        verdict = await grader.atraining_verdict(sample.response, row)
        sample.remove_sample = sample.remove_sample or verdict.outcome in UNDECIDED
        sample.metadata |= {"outcome": verdict.outcome.value, "reason": verdict.reason}
        return verdict.score

    async def custom_rm(args: Any, sample: Any, **_: Any) -> Any:
        many = isinstance(sample, list)
        return await (asyncio.gather(*map(score, sample)) if many else score(sample))

    return custom_rm


custom_rm = reward_model()
"""By `math`, wherever the answer stands."""
