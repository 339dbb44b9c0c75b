"""torchtitan: a reward function of `experiments.rl`.

Correct = verdict_reward("math", answer_in="box")
rubric = Rubric.Config(reward_fns=[Correct.Config()], error_reward=0.0)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rewardkit.integrations.grading import Grader, Target, decided


def verdict_reward(target: Target, **grading: Any) -> Any:
    """Return a subclass of `RewardFn`: the score of a rollout's last turn; an undecided one raises.

    The fields of the environment's input are columns, with the `ground_truth` unless `gold` says
    otherwise; `grading` is for the `Grader`.
    """
    from torchtitan.experiments.rl.rubrics import RewardFn

    grader = Grader(target, **{"gold": "ground_truth", **grading})

    class VerdictReward(RewardFn):  # type: ignore[misc]
        @dataclass(kw_only=True, slots=True)
        class Config(RewardFn.Config):  # type: ignore[misc]  # torchtitan makes its owner of it
            pass

        async def __call__(self, rollout: Any, env_input: Any) -> float:
            message = rollout.turns[-1].completion_message if rollout.turns else None
            row = {name: getattr(env_input, name) for name in env_input.__dataclass_fields__}
            text = (message or {}).get("content") or ""
            return decided(await grader.atraining_verdict(text, row)).score

    return VerdictReward
