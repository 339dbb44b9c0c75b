"""A run's configuration as verl's overrides: data that can be printed, compared and tested.

Every key that matters is here, and none that verl 0.9.1 accepts and ignores (`actor.grad_clip`,
`actor.clip_ratio`, `trainer.balance_batch`, `filter_groups.max_num_gen_batches`, ...). What a
recipe says about advantages and losses travels whole, to the functions that the plugin registers;
`decided.py` says which fields those are.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rewardkit.config import RunConfig
from rewardkit_verl import names
from rewardkit_verl.keys.cpu import cpu_overrides
from rewardkit_verl.keys.critic import critic_choice, critic_overrides
from rewardkit_verl.keys.mode import mode_overrides
from rewardkit_verl.keys.override import ACTOR, MODEL, ROLLOUT, Override

MICRO_BATCH = {"cpu": 4096, "cuda": 16384}
"""Tokens of a micro-batch where `optim.tokens_per_micro_batch` leaves them open."""

MANAGERS = 8
"""Most reward workers of verl's; each holds a pool of verifier processes."""


@dataclass(frozen=True)
class Launch:
    """What a run needs to know of the machine and of the files that were made for it."""

    model: str
    """The folder or hub id of the model."""
    train_file: Path
    test_file: Path
    folder: Path
    """The run folder, absolute: verl's workers have working directories of their own."""
    prompt_tokens: int
    """The longest prompt, or the limit that was set."""
    cpu: bool
    gpus: int
    """GPUs (or, on a CPU, worker processes) of each node."""
    environment: dict[str, str]
    """What every process of the run finds in its environment."""
    from_step: int = 0
    plays: bool = False
    """Whether the task has an environment."""
    flash: bool = True
    """Whether flash-attention is installed; torch's own attention takes padded rows alone."""

    @property
    def packs(self) -> bool:
        """Whether verl can go without padding here."""
        return self.flash and not self.cpu


def overrides(config: RunConfig, launch: Launch) -> list[Override]:
    """Return verl's overrides for a run, in the order of `RunConfig`."""
    return [
        *_recipe(config),
        *mode_overrides(config),
        *_model(config, launch),
        *_sampling(config, launch),
        *_optim(config, launch),
        *_data(config, launch),
        *_eval(config, launch),
        *_checkpoint(config, launch),
        *_trainer(config, launch),
        *_machine(config, launch),
        *(cpu_overrides() if launch.cpu else []),
    ]


def _recipe(config: RunConfig) -> list[Override]:
    recipe = config.recipe
    estimator = f"{names.ADVANTAGE_PREFIX}{recipe.advantage}"
    found = [
        Override("recipe.advantage", "algorithm.adv_estimator", estimator),
        Override("recipe.surrogate", f"{ACTOR}.policy_loss.loss_mode", names.POLICY_LOSS),
        Override(
            "recipe.kl",
            f"{ACTOR}.use_kl_loss",
            recipe.needs_reference,
            note="loads the reference policy; our loss or our trainer adds the KL",
        ),
        Override(
            "recipe.high_entropy",
            f"{ACTOR}.calculate_entropy",
            recipe.high_entropy is not None or recipe.entropy_bonus,
            note="entropies reach the loss",
        ),
        Override(
            "recipe.bypass",
            "algorithm.rollout_correction.bypass_mode",
            recipe.bypass,
            note="the sampler's log-probabilities for the old policy's, and no pass to score it",
        ),
        Override("recipe.shaping", "reward.reward_manager.name", names.REWARD_MANAGER),
        Override(
            "recipe.filter_groups", "algorithm.filter_groups.enable", bool(recipe.filter_groups)
        ),
        Override("recipe.epochs", f"{ACTOR}.ppo_epochs", recipe.epochs),
        Override(
            "recipe.minibatches",
            f"{ACTOR}.ppo_mini_batch_size",
            config.sampling.problems // recipe.minibatches,
            note="in prompts",
        ),
    ]
    if recipe.filter_groups:
        found.append(
            Override(
                "recipe.filter_groups",
                "algorithm.filter_groups.metric",
                names.SCORE_KEY,
                note="the verdict's score; verl would filter on the shaped reward",
            )
        )
    if config.recipe.needs_critic:
        found += critic_choice(config)
    return found


def _model(config: RunConfig, launch: Launch) -> list[Override]:
    found = [Override("model.name", f"{MODEL}.path", launch.model)]
    engines = [f"{ACTOR}.fsdp_config", "actor_rollout_ref.ref.fsdp_config"]
    if config.recipe.needs_critic:
        engines.append("critic.fsdp")
        found.append(Override("model.name", "critic.model.path", launch.model))
    if config.lora.rank:
        targets = list(config.lora.targets) or "all-linear"
        found += [
            Override("lora.rank", f"{MODEL}.lora_rank", config.lora.rank),
            Override("lora.rank", f"{MODEL}.lora.merge", True, note="for what samples, by us"),
            Override("lora.alpha", f"{MODEL}.lora_alpha", config.lora.alpha),
            Override("lora.targets", f"{MODEL}.target_modules", targets),
        ]
    short = "fp32" if config.model.dtype == "float32" else "bf16"
    precision = {"param_dtype": short, "reduce_dtype": "fp32", "buffer_dtype": "fp32"}
    found += [
        Override("model.dtype", f"{engine}.mixed_precision", precision, new=True)
        for engine in engines
    ]
    found.append(
        Override(
            "model.dtype", f"{ROLLOUT}.dtype", config.on_gpus().model.dtype, note="of the sampler"
        )
    )
    return found


def _sampling(config: RunConfig, launch: Launch) -> list[Override]:
    sampling = config.sampling
    key = f"{ROLLOUT}.agent.default_agent_loop"
    loop = [Override("sampling.turns", key, names.AGENT_LOOP)]
    return [
        *(loop if launch.plays else []),
        Override("sampling.problems", "data.train_batch_size", sampling.problems),
        Override("sampling.group_size", f"{ROLLOUT}.n", sampling.group_size),
        Override("sampling.max_tokens", "data.max_response_length", sampling.max_tokens),
        Override("sampling.temperature", f"{ROLLOUT}.temperature", sampling.temperature),
        Override("sampling.top_p", f"{ROLLOUT}.top_p", sampling.top_p),
        Override("sampling.top_k", f"{ROLLOUT}.top_k", sampling.top_k or -1, note="-1 keeps all"),
        Override(
            "sampling.top_p",
            f"{ROLLOUT}.logprobs_mode",
            "raw_logprobs" if sampling.params.cuts else "processed_logprobs",
            note="of the whole distribution, as the trainer's; at temperature 1 both are that",
        ),
        Override("seed", f"{ROLLOUT}.seed", config.seed),
        Override("verl.max_prompt_tokens", "data.max_prompt_length", launch.prompt_tokens),
        Override(
            "sampling.max_tokens",
            f"{ROLLOUT}.max_model_len",
            launch.prompt_tokens + sampling.max_tokens,
            note="prompt and response; by default the model's whole context is reserved",
        ),
    ]


def _optim(config: RunConfig, launch: Launch) -> list[Override]:
    optim = config.optim
    longest = launch.prompt_tokens + config.sampling.max_tokens
    usual = MICRO_BATCH["cpu" if launch.cpu else "cuda"]
    tokens = max(optim.tokens_per_micro_batch or usual, longest)
    packed = optim.layout == "packed" and launch.packs
    found = [
        Override("optim.lr", f"{ACTOR}.optim.lr", optim.lr),
        Override("optim.betas", f"{ACTOR}.optim.betas", list(optim.betas)),
        Override("optim.weight_decay", f"{ACTOR}.optim.weight_decay", optim.weight_decay),
        Override("optim.grad_clip", f"{ACTOR}.optim.clip_grad", optim.grad_clip),
        Override("optim.eps", f"{ACTOR}.optim.override_optimizer_config", {"eps": optim.eps}),
        Override(
            "optim.tokens_per_micro_batch",
            f"{ACTOR}.use_dynamic_bsz",
            True,
            note="micro-batches by tokens; the loss does not depend on them",
        ),
        Override("optim.tokens_per_micro_batch", f"{ACTOR}.ppo_max_token_len_per_gpu", tokens),
        Override(
            "optim.activation_checkpointing",
            f"{MODEL}.enable_gradient_checkpointing",
            optim.activation_checkpointing,
        ),
        Override(
            "optim.layout",
            f"{MODEL}.use_remove_padding",
            packed,
            note="" if launch.packs else "packing needs flash-attention",
        ),
        Override(
            "optim.tokens_per_head_block",
            f"{ACTOR}.entropy_from_logits_with_chunking",
            not launch.cpu,
            note="entropies without a second tensor of all logits",
        ),
    ]
    if config.recipe.needs_critic:
        found += critic_overrides(config, tokens=tokens, packed=packed)
    return found


def _data(config: RunConfig, launch: Launch) -> list[Override]:
    # Of a mixture they are all alike: refusals.py.
    one = config.tasks[0] if config.tasks else config.task
    template = dict(one.chat_template_kwargs)
    return [
        Override("task.chat_template_kwargs", "data.apply_chat_template_kwargs", template),
        Override("task.name", "data.train_files", str(launch.train_file)),
        Override("task.name", "data.val_files", str(launch.test_file)),
        Override("seed", "data.shuffle", False, note="the file is in the run's order already"),
        Override(
            "run folder",
            "data.dataloader_num_workers",
            0,
            note="rows are read as they are needed, so that a checkpoint knows the next one",
        ),
    ]


def _eval(config: RunConfig, launch: Launch) -> list[Override]:
    sampling, wanted = config.sampling, config.eval.samples > 0
    every = (config.eval.every or config.steps) if wanted else -1
    found = [
        Override("eval.samples", "trainer.val_before_train", wanted and launch.from_step == 0),
        Override("eval.every", "trainer.test_freq", every, note="and after the last step"),
    ]
    if wanted:
        found += [
            Override("eval.samples", f"{ROLLOUT}.val_kwargs.n", config.eval.samples),
            Override("eval.samples", f"{ROLLOUT}.val_kwargs.do_sample", True),
            Override(
                "sampling.temperature", f"{ROLLOUT}.val_kwargs.temperature", sampling.temperature
            ),
            Override("sampling.top_p", f"{ROLLOUT}.val_kwargs.top_p", sampling.top_p),
            Override("sampling.top_k", f"{ROLLOUT}.val_kwargs.top_k", sampling.top_k or -1),
            Override("run folder", "trainer.validation_data_dir", _inside(launch, "validation")),
        ]
    return found


def _checkpoint(config: RunConfig, launch: Launch) -> list[Override]:
    found = [
        Override(
            "checkpoint.every",
            "trainer.save_freq",
            config.checkpoint.every or config.steps,
            note="and after the last step",
        ),
        Override("checkpoint.keep", "trainer.max_actor_ckpt_to_keep", config.checkpoint.keep),
        Override("run folder", "trainer.default_local_dir", _inside(launch, "checkpoints")),
        Override("--resume", "trainer.resume_mode", "auto" if launch.from_step else "disable"),
    ]
    if config.recipe.needs_critic:
        found.append(
            Override("checkpoint.keep", "trainer.max_critic_ckpt_to_keep", config.checkpoint.keep)
        )
    return found


def _trainer(config: RunConfig, launch: Launch) -> list[Override]:
    return [
        Override("steps", "trainer.total_training_steps", config.steps),
        Override("steps", "trainer.total_epochs", config.steps, note="never the limit"),
        Override("folder", "trainer.project_name", "rewardkit"),
        Override("folder", "trainer.experiment_name", launch.folder.name),
        Override("run folder", "trainer.logger", ["console", "file"]),
        Override("run folder", "trainer.rollout_data_dir", _inside(launch, "rollouts")),
    ]


def rollout_engine(config: RunConfig, *, cpu: bool) -> str:
    """Return what samples: vllm, sglang or transformers."""
    if config.verl.rollout != "auto":
        return config.verl.rollout
    return "vllm" if not cpu or config.sampling.engine == "vllm" else "transformers"


def _machine(config: RunConfig, launch: Launch) -> list[Override]:
    wanted, engine = config.verl, rollout_engine(config, cpu=launch.cpu)
    found = [
        Override("verl.nodes", "trainer.nnodes", wanted.nodes),
        Override("verl.gpus", "trainer.n_gpus_per_node", launch.gpus),
        Override("model.device", "trainer.device", "cpu" if launch.cpu else "cuda"),
        Override(
            "verl.rollout",
            f"{ROLLOUT}.name",
            names.CPU_ROLLOUT if engine == "transformers" else engine,
        ),
        Override(
            "verl.tensor_parallel", f"{ROLLOUT}.tensor_model_parallel_size", wanted.tensor_parallel
        ),
        Override("verl.gpus", f"{ACTOR}.strategy", "fsdp2", note="also of the reference"),
        Override(
            "verify.workers",
            "reward.num_workers",
            1 if launch.cpu else min(config.verify.processes, MANAGERS),
            note="they share the verifier's processes among them",
        ),
    ]
    trained = [f"{ACTOR}.fsdp_config"]
    if config.recipe.needs_critic:
        trained.append("critic.fsdp")
        found.append(Override("verl.gpus", "critic.strategy", "fsdp2"))
    if not launch.packs:
        key = f"{MODEL}.override_config.attn_implementation"
        found.append(Override("flash-attn", key, "sdpa", new=True, note="it is not here"))
    if not launch.cpu:
        found.append(
            Override("verl.gpu_memory", f"{ROLLOUT}.gpu_memory_utilization", wanted.gpu_memory)
        )
        found += [
            Override("verl.offload", f"{engine}.{what}_offload", wanted.offload)
            for engine in trained
            for what in ("param", "optimizer")
        ]
    found.append(
        Override("verl.address", "ray_kwargs.ray_init.address", wanted.address or "local", new=True)
    )
    if launch.cpu and engine == "vllm":
        key = f"{ROLLOUT}.engine_kwargs.vllm.worker_extension_cls"
        found.append(Override("verl.rollout", key, names.VLLM_CPU_WORKER, new=True))
    for name, value in launch.environment.items():
        key = f"ray_kwargs.ray_init.runtime_env.env_vars.{name}"
        found.append(Override("run folder", key, value, new=True))
    return found


def _inside(launch: Launch, name: str) -> str:
    return str(launch.folder / "verl" / name)
