"""NeMo-RL: `register_env("math_verdict", "rewardkit.integrations.nemo_rl.Environment")`.

`env: {math_verdict: {target: math, answer_in: box}}` in the configuration is for the `Grader`.
"""

from __future__ import annotations

import functools
from typing import Any

from rewardkit.integrations.grading import Grader


@functools.cache
def _environment() -> Any:
    """Return an actor of Ray; the `ground_truth` of the metadata is the gold.

    The environment's word to the model is the outcome; an undecided one has a reward of 0.
    """
    import ray
    import torch
    from nemo_rl.environments.interfaces import EnvironmentInterface, EnvironmentReturn

    @ray.remote(max_restarts=-1, max_task_retries=-1)
    class Environment(EnvironmentInterface):  # type: ignore[misc]
        def __init__(self, cfg: Any) -> None:
            self.grader = Grader(**{"target": "math", "gold": "ground_truth", **cfg})

        def step(self, message_log_batch: Any, metadata: Any) -> Any:
            said = [
                "".join(str(turn["content"]) for turn in log if turn["role"] == "assistant")
                for log in message_log_batch
            ]
            verdicts = self.grader.training_verdicts(said, metadata)
            told = [f"Environment: {one.outcome.value}" for one in verdicts]
            return EnvironmentReturn(
                observations=[{"role": "environment", "content": one} for one in told],
                metadata=metadata,
                next_stop_strings=[None] * len(said),
                rewards=torch.tensor([one.score for one in verdicts]),
                terminateds=torch.ones(len(said)),
                answers=[one.extracted for one in verdicts],
            )

        def global_post_process_and_metrics(self, batch: Any) -> Any:
            return batch, {"accuracy": (batch["rewards"] * batch["is_end"]).mean().item()}

    return Environment


def __getattr__(name: str) -> Any:
    if name == "Environment":
        return _environment()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
