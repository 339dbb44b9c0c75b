"""verl's synchronous trainer, with every field of a batch in the hands of rewardkit's estimators.

Some of its methods are overridden: which prompts are asked (`sampling.curriculum`), how the batch
is ordered (whole groups in each update), how advantages are computed, whether there is anything to
learn from, and what samples are taken.
Everything else, from the workers to the checkpoints, is verl's.
"""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from omegaconf import open_dict
from verl.trainer.ppo.v1 import (
    PPOTrainer,
    PPOTrainerColocateAsync,
    PPOTrainerSeparateAsync,
    PPOTrainerSync,
    register_trainer,
)
from verl.utils import tensordict_utils as tu
from verl.utils.config import omega_conf_to_dataclass
from verl.utils.dataset.rl_dataset import collate_fn
from verl.workers.utils.padding import response_to_nested

from rewardkit.advantages import token_level_rewards
from rewardkit.config import scheduled
from rewardkit.errors import ConfigError
from rewardkit.files import write_text
from rewardkit.runs.rollouts import kept_groups, rollout_row
from rewardkit.sampling.choice import task_sampler
from rewardkit.tasks.settings import labels_of, run_task
from rewardkit.training_step import (
    COUNTS,
    entropy_weight,
    loss_mask,
    loss_table,
    mean_advantages,
    needs_sum_pi_squared,
    plan_metrics,
    plan_step,
)
from rewardkit.types import Reward, Rollout
from rewardkit_verl.batch import actor_fields, arrange, sampled_batch, update_rows
from rewardkit_verl.batch_metrics import batch_metrics
from rewardkit_verl.curriculum import Prompts, chooses_problems
from rewardkit_verl.inside.advantages import group_ids
from rewardkit_verl.inside.critic import critic_loss
from rewardkit_verl.inside.data_plane import plain, read, write
from rewardkit_verl.inside.dump import group_numbers, write_rows
from rewardkit_verl.inside.losses import TABLE, actor_loss
from rewardkit_verl.inside.registration import check_registered
from rewardkit_verl.inside.replay import AsyncReplayBuffer, SyncReplayBuffer
from rewardkit_verl.inside.scores import SCORED, scores
from rewardkit_verl.names import METRICS, SCORE_KEY, trainer_mode
from rewardkit_verl.rows import (
    Info,
    finish_of,
    played_rollout,
    problem_of,
    verdict_of,
    whole_rewards,
)
from rewardkit_verl.settings import run_config

ENTROPY = "entropy_coef.json"
"""In a checkpoint: the adapted weight of the entropy bonus."""


class Graded(NamedTuple):
    """What is recorded of a response."""

    info: Info
    reward: Reward
    advantage: float


class RewardkitTraining(PPOTrainer):
    """What a run that `rewardkit train --backend verl` starts adds to any of verl's trainers."""

    mode: str
    """`verl.mode`: the trainer of verl's that it is added to."""

    def __init__(self, config: Any) -> None:
        check_registered()
        self.run = run_config()
        self.recipe = self.run.recipe
        self.learns = True  # whether the batch at hand has a gradient
        self.graded: dict[str, Graded] = {}  # of the step at hand, by row
        self.counts: dict[str, float] = {}  # of the step at hand
        self.entropy_coef: float | None = None  # adapted, as the batch before left it
        self.prompts: Prompts | None = None
        if chooses_problems(self.run):
            curriculum, problems = self.run.sampling.curriculum, run_task(self.run).train
            self.prompts = Prompts(task_sampler(curriculum, problems, self.run.seed))
        if config.actor_rollout_ref.actor.shuffle:
            raise ConfigError(
                "actor_rollout_ref.actor.shuffle = True would mix the rows of the updates that "
                "the loss weights are computed for; leave it at False"
            )
        with open_dict(config):
            # verl's trainer takes any other name for an asynchronous mode.
            config.trainer.v1.trainer_mode = self.mode
        super().__init__(config)

    def _build_replay_buffer(self) -> SyncReplayBuffer | AsyncReplayBuffer:
        filters = self.recipe.filter_groups
        sampler = self.config.trainer.v1.sampler
        buffer = SyncReplayBuffer if self.mode == "sync" else AsyncReplayBuffer
        return buffer(
            rounds=self.run.sampling.rounds,
            reward_workers=self._reward_workers,
            filtering=filters,
            trainer_mode=self.mode,
            trainer_config=self.config.trainer.v1.get(self.mode, {}),
            max_off_policy_threshold=sampler.max_off_policy_threshold,
            max_off_policy_strategy=sampler.max_off_policy_strategy,
            sampler_kwargs=sampler.sampler_kwargs,
            refill_fn=self._add_prompts_to_generate,
            filter_groups_metric=SCORE_KEY if filters else None,
            train_batch_size=self.config.data.train_batch_size,
            gen_batch_size=1 if filters else self.config.data.train_batch_size,
        )

    def _reward_workers(self) -> dict[str, Any]:
        handles = self.reward_loop_manager.reward_loop_workers
        return {f"reward worker {i}": handle for i, handle in enumerate(handles)}

    def on_init_end(self) -> None:
        """Hand actors and critics the recipe's losses, without verl's own KL term."""
        actor = omega_conf_to_dataclass(self.config.actor_rollout_ref.actor)
        plain = dataclasses.replace(actor, use_kl_loss=False, entropy_coeff=0.0)
        self.actor_rollout_wg.set_loss_fn(partial(actor_loss, plain, self.recipe))
        if self.recipe.needs_critic:
            self.critic_wg.set_loss_fn(partial(critic_loss, self.recipe))
        super().on_init_end()

    @property
    def ranks(self) -> int:
        """Data-parallel ranks of the actor."""
        return int(max(self.actor_rollout_wg._dispatch_info["actor"])) + 1

    def _balance_batch(self, batch: Any, metrics: dict[str, Any], **options: Any) -> Any:
        batch = super()._balance_batch(batch, metrics=metrics, **options)
        # Responses arrive as they end: back to whole groups, in the order of the data.
        data = read(batch.partition_id, batch.keys, "index")
        batch.reorder(data_order(batch.keys, batch.tags, [int(plain(i)) for i in data["index"]]))
        parts = len(batch) // self._rows_of_an_update()
        batch.reorder(arrange([tag["seq_len"] for tag in batch.tags], self.ranks, parts))
        return batch

    def _next_train_batch(self, num_prompts: int | None = None) -> Any:
        if self.prompts is None:
            return super()._next_train_batch(num_prompts)
        asked = self.prompts.draw(num_prompts or self.config.data.train_batch_size)
        rows = [
            # The position among all draws, by which a batch is put into order.
            {**self.train_dataset[draw.problem], "index": draw.position}
            for _, draw in asked
        ]
        batch = tu.get_tensordict(
            {**collate_fn(rows), "uid": np.array([uid for uid, _ in asked], dtype=object)}
        )
        tu.assign_non_tensor_data(batch, "global_steps", self.global_steps)
        return batch

    def _save_checkpoint(self) -> Any:
        if self.prompts is not None:
            # Before verl names the checkpoint as its last: it is whole then.
            self.prompts.save(self._checkpoint_folder())
        if self.recipe.entropy_target is not None:
            self._checkpoint_folder().mkdir(parents=True, exist_ok=True)
            write_text(self._checkpoint_folder() / ENTROPY, json.dumps(self.entropy_coef))
        return super()._save_checkpoint()

    def _load_checkpoint(self) -> Any:
        found = super()._load_checkpoint()
        if self.prompts is not None and self.global_steps:
            self.prompts.load(self._checkpoint_folder())
        kept = self._checkpoint_folder() / ENTROPY
        if kept.exists():
            self.entropy_coef = json.loads(kept.read_text("utf-8"))
        return found

    def _checkpoint_folder(self) -> Path:
        return Path(self.config.trainer.default_local_dir) / f"global_step_{self.global_steps}"

    def _observe(self, uids: Sequence[str], infos: Sequence[Info]) -> dict[str, float]:
        """Tell the problem sampler what came of the step, kept or dropped; return its metrics."""
        if self.prompts is None:
            return {}
        answers: dict[str, list[Info]] = defaultdict(list)
        for uid, info in zip(uids, infos, strict=True):
            answers[uid].append(info)
        found = self.prompts.observe({**self.replay_buffer.dropped_by_prompt, **answers})
        return {f"{METRICS}curriculum/{name}": value for name, value in found.items()}

    def _rows_of_an_update(self) -> int:
        config = self.config.actor_rollout_ref
        return int(config.actor.ppo_mini_batch_size * config.rollout.n)

    def _compute_old_log_prob(self, batch: Any, metrics: dict[str, Any]) -> Any:
        if not needs_sum_pi_squared(self.recipe):
            return super()._compute_old_log_prob(batch, metrics)
        # Only while the policy is scored: the reference's pass would write over its numbers.
        batch.extra_info["calculate_sum_pi_squared"] = True
        batch = super()._compute_old_log_prob(batch, metrics)
        batch.extra_info["calculate_sum_pi_squared"] = False
        return batch

    def _compute_advantage(self, batch: Any, metrics: dict[str, Any]) -> Any:
        fields = ("uid", "response_mask", "extra_fields", *SCORED)
        data = read(batch.partition_id, batch.keys, *fields)
        padding = [bool(tag.get("is_padding", False)) for tag in batch.tags]
        infos = [plain(extra)["reward_extra_info"] for extra in data["extra_fields"]]
        response = data["response_mask"].to_padded_tensor(0).bool()
        groups = group_ids(plain(uid) for uid in data["uid"])
        rewards = whole_rewards(
            self.recipe.shaping,
            groups.tolist(),
            infos,
            response.sum(1).tolist(),
            limit=self.run.sampling.max_tokens,
        )
        sampled = sampled_batch(groups, response, infos, rewards, padding, self.recipe)
        parts = len(batch) // self._rows_of_an_update()
        updates = update_rows(len(batch), self.ranks, parts)
        said = scores(data)
        bonus = entropy_weight(
            self.recipe, self.entropy_coef, said, loss_mask(self.recipe, sampled)
        )
        self.entropy_coef = bonus.following
        recipe = scheduled(self.recipe, self.global_steps - 1, self.run.steps)
        plan = plan_step(recipe, sampled, said, updates, bonus.applied)
        self.learns = plan.learns
        dropped = self.replay_buffer.dropped
        metrics.update(batch_metrics(sampled, infos, rewards, dropped, labels_of(self.run)))
        real = [i for i, pad in enumerate(padding) if not pad]
        metrics.update(
            self._observe([plain(data["uid"][i]) for i in real], [infos[i] for i in real])
        )
        metrics[METRICS + "updates"] = parts * self.recipe.epochs if self.learns else 0
        of_plan = plan_metrics(recipe, plan)
        metrics |= {METRICS + name: value for name, value in of_plan.items()}
        means = mean_advantages(plan).tolist()
        self.graded |= zip(batch.keys, map(Graded, infos, rewards, means), strict=True)
        for name, value in metrics.items():
            if name.startswith(METRICS) and name.rpartition("/")[2] in COUNTS:
                self.counts[name] = self.counts.get(name, 0) + value
        nested = data["response_mask"]
        found = actor_fields(plan)
        token_rewards = token_level_rewards(sampled.rewards, response, plan.token_rewards)
        columns = {
            "advantages": response_to_nested(found.advantages, nested),
            "returns": response_to_nested(found.returns, nested),
            "token_level_rewards": response_to_nested(token_rewards.float(), nested),
            TABLE: torch.stack(loss_table(plan), 1),
        }
        return write(batch, columns)

    def _log_rollout_data(self, batch: Any, timing_raw: Any, rollout_data_dir: str) -> None:
        """Write the step's responses with their verdicts; verl's own rows know none."""
        groups = group_numbers(batch.keys, batch.tags)
        drawn = len(set(groups) - {None})
        kept = kept_groups(self.run.records, self.run.seed, self.global_steps, drawn)
        if not kept:
            return
        data = read(batch.partition_id, batch.keys, "responses", "reward_model", "extra_info")
        rows = []
        for i, (key, group) in enumerate(zip(batch.keys, groups, strict=True)):
            if group is None or group not in kept:
                continue
            tokens, graded = data["responses"][i], self.graded[key]
            rollout = played_rollout(graded.info, tokens.tolist())
            if rollout is None:
                text = self.tokenizer.decode(tokens, skip_special_tokens=True)
                rollout = Rollout(text, tuple(tokens.tolist()), (), finish_of(graded.info))
            columns = {name: plain(data[name][i]) for name in ("reward_model", "extra_info")}
            problem = problem_of(columns)
            verdict, reward = verdict_of(graded.info), graded.reward
            values = (problem, rollout, verdict, reward, graded.advantage)
            row = rollout_row(self.global_steps, group, *values)
            if self.mode != "sync":
                # In updates of the sampler's weights, since those that the first token is of.
                row["age"] = self.global_steps - 1 - batch.tags[i]["min_global_steps"]
            rows.append(row)
        rows.sort(key=lambda row: int(row["group"]))
        write_rows(Path(rollout_data_dir) / f"{self.global_steps}.jsonl", rows)

    def step(self, metrics: dict[str, Any], timing_raw: dict[str, Any]) -> Any:
        """Make a step, and count over all its parts: verl takes the mean of everything."""
        self.graded, self.counts = {}, {}
        batch = super().step(metrics, timing_raw)
        metrics.update(self.counts)
        return batch

    def _update_actor(self, batch: Any, metrics: dict[str, Any]) -> Any:
        if self.learns:
            return super()._update_actor(batch, metrics)
        # AdamW's momentum would move the weights without any gradient.
        metrics["actor/grad_norm"] = 0.0
        return batch


@register_trainer(trainer_mode("sync"))
class RewardkitTrainer(RewardkitTraining, PPOTrainerSync):
    """verl's synchronous trainer."""

    mode = "sync"


@register_trainer(trainer_mode("colocate_async"))
class RewardkitColocateAsync(RewardkitTraining, PPOTrainerColocateAsync):
    """verl's trainer that stops its samplers in the middle of responses to take their GPUs."""

    mode = "colocate_async"


@register_trainer(trainer_mode("separate_async"))
class RewardkitSeparateAsync(RewardkitTraining, PPOTrainerSeparateAsync):
    """verl's trainer whose samplers have GPUs of their own and go on meanwhile."""

    mode = "separate_async"


def data_order(
    keys: Sequence[str], tags: Sequence[Mapping[str, Any]], indices: Sequence[int]
) -> list[int]:
    """Return the rows in the order of the data, members of a group together, padding rows last.

    >>> keys = ["b_1_0", "pad_0_0", "a_0_0", "b_0_0"]
    >>> data_order(keys, [{}, {"is_padding": True}, {}, {}], [1, 0, 2, 1])
    [3, 0, 2, 1]
    """

    def place(row: int) -> tuple[bool, int, str, int]:
        prompt, member, _ = keys[row].rsplit("_", 2)
        return bool(tags[row].get("is_padding", False)), indices[row], prompt, int(member)

    return sorted(range(len(keys)), key=place)
