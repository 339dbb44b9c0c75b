"""ROLL: a reward worker, `rewards: {math: {worker_cls: my_module.MathWorker}}`.

MathWorker = verdict_worker("math", answer_in="box")  # in my_module.py
"""

from __future__ import annotations

from typing import Any

from rewardkit.integrations.grading import Grader, Target, plain, rows_of


def verdict_worker(target: Target, **grading: Any) -> Any:
    """Return a reward worker whose scores are those of verdicts; an undecided one is 0.

    The batch's `ground_truth` is the gold, all it holds beside tensors are columns; `grading` is
    for the `Grader`.
    """
    import torch
    from roll.distributed.scheduler.decorator import Dispatch, register
    from roll.distributed.scheduler.protocol import DataProto
    from roll.pipeline.rlvr.rewards.math_rule_reward_worker import MathRuleRewardWorker

    grader = Grader(target, **{"gold": "ground_truth", **grading})

    class VerdictWorker(MathRuleRewardWorker):  # type: ignore[misc]
        @register(dispatch_mode=Dispatch.DP_MP_COMPUTE, clear_cache=False)  # type: ignore[untyped-decorator]
        def compute_rewards(self, data: Any) -> Any:
            tokens, columns = data.batch["responses"], data.non_tensor_batch
            texts = self.tokenizer.batch_decode(tokens, skip_special_tokens=True)
            rows = rows_of({name: plain(held) for name, held in columns.items()}, len(texts))
            verdicts = grader.training_verdicts(texts, rows)
            scores = torch.tensor([one.score for one in verdicts], dtype=torch.float16)
            return DataProto.from_dict(
                tensors={
                    "token_level_rewards": torch.zeros_like(tokens, dtype=torch.float16),
                    "response_level_rewards": scores,
                    "scores": scores.clone(),
                }
            )

    return VerdictWorker
