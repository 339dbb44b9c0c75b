"""SkyRL: an environment whose one step is graded.

skyrl_gym.register(id="math", entry_point=verdict_env("math", answer_in="box"))
"""

from __future__ import annotations

from typing import Any

from rewardkit.integrations.grading import Grader, Target
from rewardkit.types import UNDECIDED


def verdict_env(target: Target, **grading: Any) -> Any:
    """Return a class of `skyrl_gym`'s text environments; `grading` is for the `Grader`.

    The extras, and in them `reward_spec` or `reward_model` with the `ground_truth`, are columns.
    SkyRL steps in threads. An undecided response has a reward of 0 and is a metric.
    """
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

    grader = Grader(target, **{"gold": "ground_truth", **grading})

    class VerdictEnv(BaseTextEnv):  # type: ignore[misc]
        def __init__(self, env_config: Any = None, extras: Any = None) -> None:
            super().__init__()
            spec = extras.get("reward_spec") or extras.get("reward_model") or {}
            self.row = {**extras, **spec}
            self.metrics: dict[str, float] = {}

        def step(self, action: str) -> Any:
            verdict = grader.training_verdict(action, self.row)
            undecided = verdict.outcome in UNDECIDED
            self.metrics = {"correct": float(verdict.correct), "undecided": float(undecided)}
            why = {"outcome": verdict.outcome.value, "reason": verdict.reason}
            return BaseTextEnvStepOutput(
                observations=[], reward=verdict.score, done=True, metadata=why
            )

        def get_metrics(self) -> dict[str, float]:
            return self.metrics

    return VerdictEnv
