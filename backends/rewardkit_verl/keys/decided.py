"""Settings that become no key of verl's: the plugin reads them, or this side does."""

from __future__ import annotations

from rewardkit_verl import names
from rewardkit_verl.keys.override import ACTOR, MODEL, ROLLOUT

LOSS = f"policy loss {names.POLICY_LOSS}"
TRAINER = "our trainer"
ENGINE = "learning rates of the plugin"
REFERENCE = "reference of the plugin"
LOOP = f"agent loop {names.AGENT_LOOP}, of a task with an environment"
MANAGER = f"reward manager {names.REWARD_MANAGER}"

READ_BY_PLUGIN: dict[str, tuple[str, str]] = {
    "recipe.advantage_options": (TRAINER, "algorithm.norm_adv_by_std_in_grpo"),
    "recipe.surrogate_options": (LOSS, f"{ACTOR}.clip_ratio_c"),
    "recipe.clip_low": (LOSS, f"{ACTOR}.clip_ratio_low"),
    "recipe.clip_high": (LOSS, f"{ACTOR}.clip_ratio_high"),
    "recipe.aggregation": (LOSS, f"{ACTOR}.loss_agg_mode"),
    "recipe.constant": (LOSS, f"{ACTOR}.loss_scale_factor"),
    "model.teacher": (REFERENCE, ""),
    "recipe.kl_coef": (LOSS, f"{ACTOR}.kl_loss_coef"),
    "recipe.kl_schedule": (TRAINER, ""),
    "recipe.kl_in": (LOSS, "algorithm.use_kl_in_reward"),
    "recipe.kl_weighted": (LOSS, ""),
    "recipe.kl_options": (LOSS, ""),
    "recipe.teacher_is": (LOSS, ""),
    "recipe.teacher_sees": (LOSS, ""),
    "recipe.correction": (LOSS, "algorithm.rollout_correction.rollout_is"),
    "recipe.correction_options": (LOSS, "algorithm.rollout_correction.rollout_is_threshold"),
    "recipe.second_moment": (TRAINER, ""),
    "recipe.entropy_coef": (LOSS, f"{ACTOR}.entropy_coeff"),
    "recipe.entropy_target": (TRAINER, ""),
    "recipe.entropy_step": (TRAINER, ""),
    "recipe.entropy_most": (TRAINER, ""),
    "recipe.nll_coef": (LOSS, ""),
    "recipe.value_clip": (LOSS, "critic.cliprange_value"),
    "recipe.mask_truncated": (TRAINER, ""),
    "recipe.truncated_in_statistics": (TRAINER, ""),
    "optim.schedule": (ENGINE, f"{ACTOR}.optim.lr_scheduler_type"),
    "optim.warmup_steps": (ENGINE, f"{ACTOR}.optim.lr_warmup_steps"),
    "optim.lr_end": (ENGINE, f"{ACTOR}.optim.min_lr_ratio"),
    "optim.decay": (ENGINE, ""),
    "sampling.turns": (LOOP, ""),
    "sampling.tool_deadline_s": (LOOP, ""),
    "sampling.rounds": (TRAINER, "algorithm.filter_groups.max_num_gen_batches"),
    "records.every": (TRAINER, ""),
    "records.groups": (TRAINER, ""),
    "task.args": (MANAGER, ""),
    "task.verifier": (MANAGER, ""),
    "task.verifier_options": (MANAGER, ""),
    "task.answer_in": (MANAGER, ""),
    "task.lenient": (MANAGER, ""),
    "tasks": (MANAGER, ""),
    "verify.deadline_s": (MANAGER, ""),
    "verify.memory_mb": (MANAGER, ""),
}
"""Settings that our registered functions read themselves -> (which one, verl's nearest key)."""

DECIDED: dict[str, str] = {
    **{key: field for field, (_, key) in READ_BY_PLUGIN.items() if key},
    f"{ACTOR}.clip_ratio": "recipe.clip_low and recipe.clip_high",
    "critic.ppo_max_token_len_per_gpu": "optim.tokens_per_micro_batch (verl reads another key)",
    f"{ROLLOUT}.logprobs_mode": "sampling.top_p and sampling.top_k",
    f"{ACTOR}.kl_loss_type": "recipe.kl",
    f"{MODEL}.lora_adapter_path": "model.name (a checkpoint of ours holds merged weights)",
    f"{MODEL}.lora": "lora.rank",
    f"{MODEL}.lora_rank": "lora.rank",
    f"{MODEL}.lora_alpha": "lora.alpha",
    f"{MODEL}.target_modules": "lora.targets",
    f"{MODEL}.exclude_modules": "lora.targets",
    "critic.model.lora_rank": "lora.rank",
    f"{ROLLOUT}.response_length": "sampling.max_tokens",
    f"{ROLLOUT}.prompt_length": "verl.max_prompt_tokens",
    f"{ROLLOUT}.do_sample": "sampling.temperature",
    "algorithm.kl_penalty": "recipe.kl",
    "algorithm.kl_ctrl": "recipe.kl_coef",
    "algorithm.gamma": "recipe.advantage_options",
    "algorithm.lam": "recipe.advantage_options",
    "algorithm.rollout_correction": "recipe.correction and recipe.bypass",
}
"""Keys of verl's that a run of ours would accept and ignore, or trip over -> what decides them."""

ANOTHER_ROLLOUT = (
    f"{ROLLOUT}.multi_turn",
    f"{ROLLOUT}.agent.default_agent_loop",
    f"{ROLLOUT}.agent.agent_loop_config_path",
    f"{ROLLOUT}.agent.custom_async_server",
    f"{ROLLOUT}.ignore_eos",
    f"{ROLLOUT}.quantization",
    "data.custom_cls",
    "data.tool_config_path",
    "data.function_tool_path",
)
"""Keys of verl's that make a rollout other than one response to one prompt by the weights that are
trained."""


KEPT_SETTINGS = {
    "sampling.engine": "verl.rollout says what samples",
    "folder": "the run folder, on this side",
    "records.compress": "the run folder is written on this side",
    "recipe.name": "its fields are here one by one",
    "recipe.paper": "for the reader",
    "recipe.equation": "for the reader",
    "recipe.critic_warmup": "for a recipe with a critic",
    "optim.optimizer": 'refused unless it is "adamw"',
    "optim.critic_lr": "for a recipe with a critic",
    "model.threads": "OMP_NUM_THREADS of every process",
    "sampling.stop": "refused unless it is empty",
    "eval.problems": "rows of the validation file",
    "verl.gpu_memory": "for GPUs",
    "verl.offload": "for GPUs",
    "verl.max_age": "for an asynchronous mode",
    "verl.rollout_gpus": 'for mode = "separate_async"',
    "verl.silence_s": "the launcher watches the log",
    "verl.overrides": "passed on as they are",
}
"""Settings that become no key of verl's."""
KEPT_SECTIONS = {
    "task.": "what problems there are and how they are asked: rows of the data files",
    "judge.": "asked by the reward workers",
    "guards.": "judged on this side, step by step",
    "track.": "fed from this side",
    "lora.": "all weights are trained",
    "sampling.curriculum.": "our trainer orders and counts the prompts",
    "sampling.sizes.": "refused unless the rule is fixed",
    "sampling.keep.": "refused unless it is left alone",
    "sampling.refill.": "refused unless it is left alone",
    "sampling.vllm.": "for the native backend; verl.gpu_memory and verl.overrides are for this one",
}
"""Sections that become no key of verl's."""
