"""The reward manager: the task's own verifier, in the same killable processes as elsewhere."""

from __future__ import annotations

import os
import platform
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from verl.experimental.reward_loop.reward_manager import register
from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase

from rewardkit.config import RunConfig
from rewardkit.errors import ModelError
from rewardkit.evaluation.measures.near import nearness
from rewardkit.evaluation.models import is_hub_id
from rewardkit.shaping import Scope, shape_group, terms_of
from rewardkit.shaping.response_steps import with_turns
from rewardkit.tasks.settings import grading_task
from rewardkit.types import Finish, Outcome, Problem, Rollout, Verdict
from rewardkit.verifiers import VerifierPool
from rewardkit_verl.names import (
    COMPONENT,
    FOLDER_VARIABLE,
    NEAR_KEY,
    OUTCOME_KEY,
    PLAYED_KEY,
    PROBLEM_KEY,
    REWARD_MANAGER,
    SET_KEY,
    SOURCE_KEY,
)
from rewardkit_verl.rows import played_rollout, problem_of, verdict_info
from rewardkit_verl.settings import run_config


@register(REWARD_MANAGER)
class RewardkitRewardManager(RewardManagerBase):
    """Grades one response a call, in one of verl's reward workers.

    The reward is shaped by the terms that look at one response alone; those that look at a whole
    group are added by the trainer, which sees it. `reward_extra_info` holds the outcome as `acc`
    (1 or 0) and as `outcome` (its name), `verdict_score`, all else of the verdict under its own
    names, `source`, `truncated` (1 or 0), and each component of the reward as `reward/<name>`.
    """

    def __init__(
        self,
        config: Any,
        tokenizer: Any,
        compute_score: Any,
        reward_router_address: str | None = None,
        reward_model_tokenizer: Any = None,
    ) -> None:
        super().__init__(config, tokenizer, compute_score)
        self.run: RunConfig = run_config()
        self.limit = self.run.sampling.max_tokens
        self.ends = end_tokens(config.actor_rollout_ref.model.path, tokenizer)
        go_to_launcher_folder()
        self.terms = terms_of(self.run.recipe.shaping, Scope.RESPONSE)
        workers = config.reward.num_workers
        self.task = grading_task(replace(self.run, judge=self.run.judge.shared(workers)))
        verify = self.run.verify
        self.pool = VerifierPool(
            self.task.verifier,
            workers=max(1, verify.processes // workers),
            deadline_s=verify.deadline_s,
            memory_mb=verify.memory_mb,
        )

    async def run_single(self, data: Any) -> dict[str, Any]:
        """Return `reward_score` and `reward_extra_info` of the last sequence in `data`."""
        item = data[-1:][0]
        width = item.batch["responses"].shape[-1]
        length = int(item.batch["attention_mask"][-width:].sum())
        tokens = tuple(item.batch["responses"][:length].tolist())
        decode = partial(self.tokenizer.decode, skip_special_tokens=True)
        problem = problem_of(item.non_tensor_batch)
        said = item.non_tensor_batch.get("tool_extra_fields") or {}
        rollout = played_rollout(said, tokens)
        if rollout is None:
            text = await self.loop.run_in_executor(None, decode, tokens)
            rollout = Rollout(text, tokens, (), finish(tokens, self.limit, self.ends))
        text = rollout.text
        verdict = with_turns(rollout.verdict or await self._grade(text, problem), rollout)
        of_set = str((item.non_tensor_batch.get("extra_info") or {}).get("split", ""))
        near = ""
        if of_set != "train":
            near = nearness(self.task, problem, text, verdict.outcome, verdict.method)
        reward = shape_group([verdict], [rollout], self.terms, limit=self.limit)[0]
        return {
            "reward_score": reward.total,
            "reward_extra_info": {
                OUTCOME_KEY: float(verdict.correct),
                **verdict_info(verdict, rollout, decode),
                "truncated": float(rollout.finish is Finish.LENGTH),
                SOURCE_KEY: problem.source,
                PROBLEM_KEY: problem.id,
                SET_KEY: of_set,
                NEAR_KEY: near,
                PLAYED_KEY: said.get(PLAYED_KEY, ""),
                **{COMPONENT + name: value for name, value in reward.components.items()},
            },
        }

    async def _grade(self, text: str, problem: Problem) -> Verdict:
        verdict = await self.pool.averify(text, problem)
        if verdict.outcome is Outcome.ERROR and verdict.method == "pool":
            # The verifier's process died. Its replacement tells whether the item was at fault.
            verdict = await self.pool.averify(text, problem)
        return verdict


def go_to_launcher_folder() -> None:
    """Go where the run was started: relative paths of the task mean the same here as there.

    On a Ray cluster a worker begins where `ray start` was typed. On a node without that folder it
    stays there, since a task without relative paths needs none.
    """
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder is not None and os.path.isdir(folder):
        os.chdir(folder)


def finish(tokens: tuple[int, ...], limit: int, ends: frozenset[int]) -> Finish:
    """Return why a response ended: at the limit without an end token it was cut off.

    >>> finish((5, 6, 2), 3, frozenset({2})), finish((5, 6, 7), 3, frozenset({2}))
    (<Finish.STOP: 'stop'>, <Finish.LENGTH: 'length'>)
    """
    cut = len(tokens) >= limit and (not tokens or tokens[-1] not in ends)
    return Finish.LENGTH if cut else Finish.STOP


def end_tokens(model: str, tokenizer: Any) -> frozenset[int]:
    """Return the tokens that end a turn: those of the model's generation settings, if any.

    Raises:
        ModelError: neither a folder of this machine nor a hub id, for which a hub would be asked in
            vain, and for half a minute.
    """
    if not Path(model).is_dir() and not is_hub_id(model):
        raise ModelError(
            f"no model {model!r} on {platform.node()}: no such folder, and not a hub id "
            "(owner/name). verl's reward workers read its generation settings: give model.name as "
            "a path that every node has"
        )
    from transformers import GenerationConfig

    found: set[int | None] = {tokenizer.eos_token_id}
    try:
        configured = GenerationConfig.from_pretrained(model).eos_token_id
    except OSError:  # a model without generation settings
        configured = None
    found.update(configured if isinstance(configured, list) else [configured])
    return frozenset(token for token in found if token is not None)
