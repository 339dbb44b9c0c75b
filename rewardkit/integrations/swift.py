"""ms-swift: `--external_plugins FILE.py --reward_funcs math_verdict`.

orms["math_verdict"] = verdict_orm("math", answer_in="box")  # from swift.rewards import orms
"""

from __future__ import annotations

import asyncio
from typing import Any

from rewardkit.integrations.grading import Grader, Target, rows_of
from rewardkit.types import UNDECIDED


def verdict_orm(target: Target, **grading: Any) -> Any:
    """Return what ms-swift makes a reward function of, and awaits; `grading` is for the `Grader`.

    The column `solution` is the gold unless `gold` says otherwise. An undecided completion is NaN,
    which the sum of the rewards leaves out.
    """
    grader = Grader(target, **{"gold": "solution", **grading})

    class VerdictORM:
        def __init__(self, args: Any = None, **_: Any) -> None:
            self.args = args

        async def __call__(self, completions: list[str], **columns: Any) -> list[float]:
            columns.pop("trainer_state", None)
            rows = rows_of(columns, len(completions))
            verdicts = await asyncio.gather(*map(grader.atraining_verdict, completions, rows))
            return [float("nan") if one.outcome in UNDECIDED else one.score for one in verdicts]

    return VerdictORM
