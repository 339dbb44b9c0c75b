"""Everything a run needs, made and checked before anything on the disk is touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch

from rewardkit.advantages import required_inputs
from rewardkit.checks import encode_problem
from rewardkit.client.settings import is_address
from rewardkit.config import ModelConfig, RunConfig, SamplingConfig
from rewardkit.environments.table import played_tasks
from rewardkit.errors import ConfigError
from rewardkit.recipes import sampler_remark
from rewardkit.sampling.choice import group_sizes, task_sampler
from rewardkit.sampling.order import order_of
from rewardkit.sampling.problems import TaskSampler
from rewardkit.tasks.mixture import held_out_sets
from rewardkit.tasks.settings import run_task, teachers_of, turn_limits
from rewardkit.training_step.rehearsal import rehearse
from rewardkit.types import Task
from rewardkit.validation.refusals import (
    refuse_broken_verifier,
    refuse_empty_sets,
    refuse_other_tokens,
    refuse_silent_servers,
)
from rewardkit.validation.validate import remarks_at_start
from rewardkit.verifiers import VerifierPool
from rewardkit_native.collect import Collector, check_length
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.distributed.sharding import shard
from rewardkit_native.generators import seed_generators
from rewardkit_native.learning.critic import make_critic, value_model
from rewardkit_native.learning.passes import Scorer
from rewardkit_native.learning.teachers import ServedTeacher, Teachers
from rewardkit_native.learning.update import Updater, make_optimiser
from rewardkit_native.model import lora
from rewardkit_native.model.fused import fuse_gates, fuse_norms
from rewardkit_native.model.loading import Loaded, device_of, load
from rewardkit_native.model.packing import enable_packing, try_packing
from rewardkit_native.model.weights import Weights, reference_copy, skeleton
from rewardkit_native.sampling.choice import make_sampler
from rewardkit_native.sampling.sampler import Sampler
from rewardkit_native.sampling.turns import TurnSampler, refuse_unplayable
from rewardkit_native.sampling.vllm_sampler import refuse_what_vllm_cannot

PROVIDED = frozenset(
    {"rewards", "groups", "mask", "correct", "entropies", "values", "step_rewards", "step_ends"}
    | {"old_logp", "sum_pi_squared"}
)
"""The fields of `rewardkit.advantages.AdvantageInputs` that a step fills for every recipe."""

REWRITTEN_LOGITS = ("final_logit_softcapping", "logit_scale", "logits_scaling")
"""Settings of models whose logits are more than the head's output, which the scores would miss."""


@dataclass
class Parts:
    """The parts of a run, before its first step."""

    task: Task
    model: Any
    tokenizer: Any
    updater: Updater
    pool: VerifierPool
    sampler: Sampler
    weights: Weights
    source: Any
    """What the sampler takes new weights from."""
    ranks: Ranks
    chooser: TaskSampler
    """Which problem is next."""
    remarks: list[str]
    """What the user should know before it surprises."""
    turns: TurnSampler | None = None
    """What plays the task, where it has an environment."""


def prepare(config: RunConfig, ranks: Ranks) -> Parts:
    """Make the parts of a run, refusing what could not work."""
    recipe = config.recipe
    rehearse(recipe, limit=config.sampling.max_tokens, group_size=smallest_group(config.sampling))
    if config.sampling.engine == "vllm":
        refuse_what_vllm_cannot(config.sampling.params)
    task = run_task(config)
    refuse_empty_sets(task, config)
    if played_tasks(task):
        refuse_unplayable(config, task)
    sizes = group_sizes(config.sampling.sizes, config.sampling.group_size)
    chooser = task_sampler(
        config.sampling.curriculum,
        task.train,
        config.seed,
        predicts=bool(sizes and sizes.needs_rates),
    )
    pool = VerifierPool(
        task.verifier,
        workers=config.verify.processes,
        deadline_s=config.verify.deadline_s,
        memory_mb=config.verify.memory_mb,
    )
    refuse_broken_verifier(pool, task)
    remarks = refuse_silent_servers(task)
    remarks += remarks_at_start(task, pool, evaluated=config.eval.samples > 0)
    if config.sampling.engine == "vllm":
        remarks.append(sampler_remark(recipe))

    seed_generators(config.seed)
    # Before a model is loaded: a server that is away is said at once.
    served = {name: ServedTeacher(name) for name in filter(is_address, config.teachers)}
    model, tokenizer = load_for(ranks, config.model)
    refuse_what_cannot_run(config, model)
    refuse_long_prompts(task, config, model, tokenizer)

    sampler, weights = sampling_parts(model, tokenizer, config, ranks, remarks)

    teacher, teachers = load_teachers(config, ranks, tokenizer, served)
    reference, critic = make_trainable(model, config, ranks, teacher)
    scorer = Scorer(config.optim, config.model.dtype, config.sampling.temperature, ranks)
    return Parts(
        task,
        model,
        tokenizer,
        make_updater(config, model, reference, critic, scorer, teachers),
        pool,
        sampler,
        weights,
        weights.for_sampling(),
        ranks,
        chooser,
        remarks,
        turns_of(task, sampler, config),
    )


def load_teachers(
    config: RunConfig, ranks: Ranks, tokenizer: Any, served: Mapping[str, ServedTeacher]
) -> tuple[Any | None, Teachers | None]:
    """Return the teacher that is asked first, and where tasks have their own, all of them.

    Raises:
        ConfigError: one of them has other tokens than the policy.
    """
    for one in served.values():
        one.refuse_other_tokens(config.model.name, tokenizer)

    def teaching(name: str) -> Any:
        if name in served:
            return served[name]
        found, others = load_for(ranks, replace(config.model, name=name))
        refuse_other_tokens(config.model.name, name, tokenizer, others)
        return frozen(ready(found, config, ranks), config, ranks)

    first, names = None, config.teachers
    for name in reversed(names):  # each is tried before the first step
        first = None
        first = teaching(name)
    of_tasks = Teachers(teachers_of(config), teaching, names[0]) if len(names) > 1 else None
    return first, of_tasks


def turns_of(task: Task, sampler: Sampler, config: RunConfig) -> TurnSampler | None:
    """Return what plays a task with an environment; None for one without."""
    tasks = played_tasks(task)
    return TurnSampler(sampler, tasks, turn_limits(config), config.model.name) if tasks else None


def make_updater(
    config: RunConfig,
    model: Any,
    reference: Any | None,
    critic: Any | None,
    scorer: Scorer,
    teachers: Teachers | None = None,
) -> Updater:
    """Return what trains a model, and any critic, as `make_trainable` made them."""
    recipe, optim = config.recipe, config.optim
    return Updater(
        model=model,
        reference=reference,
        teachers=teachers,
        recipe=recipe,
        scorer=scorer,
        critic=None if critic is None else make_critic(critic, recipe, optim, scorer),
        optimiser=make_optimiser(model, optim, optim.lr),
        grad_clip=optim.grad_clip,
    )


def smallest_group(sampling: SamplingConfig) -> int:
    """Return the fewest rollouts that a group's statistics may be of: estimators must bear it."""
    sizes = sampling.sizes
    group_sizes(sizes, sampling.group_size)
    least = {"speed": sizes.screen, "knapsack": sizes.least}.get(sizes.rule, sampling.group_size)
    kept = sampling.keep.size if sampling.keep.statistics == "kept" else 0
    return min(least, kept or least)


def load_for(ranks: Ranks, config: ModelConfig) -> Loaded:
    """Load a model: of several ranks the first one's, in main memory, is the one that counts."""
    asked = ranks.on_own_device(config)
    if ranks.size == 1:
        return load(asked)
    loaded = load(asked, "host" if ranks.first else "nowhere")
    # Where a response ends stands in a file of its own, which is read with weights alone.
    loaded.model.generation_config = ranks.on_first(lambda: loaded.model.generation_config)
    return loaded


def sampling_parts(
    model: Any, tokenizer: Any, config: RunConfig, ranks: Ranks, remarks: list[str]
) -> tuple[Sampler, Weights]:
    """Return what samples from a model that is still plain, and how its weights are read later."""
    if ranks.size == 1 and not config.lora.rank:
        return make_sampler(config, model, tokenizer, remarks.append), Weights(model)
    device = torch.device(device_of(ranks.on_own_device(config.model)))
    sampler = make_sampler(config, model, tokenizer, remarks.append, device, ranks.size)
    return sampler, Weights(model, skeleton(model))


def make_trainable(
    model: Any, config: RunConfig, ranks: Ranks, teacher: Any | None = None
) -> tuple[Any | None, Any | None]:
    """Give the model its adapters and shards; return the KL term's reference, and the value model.

    The reference is the teacher, which is ready and frozen, the policy that a run starts from,
    also when it is resumed, or the policy itself.

    Raises:
        ConfigError: the model cannot take the layout or the adapters that are asked for.
    """
    if config.optim.optimizer == "muon" and ranks.size > 1:
        raise ConfigError(
            "optim.optimizer = 'muon' needs whole matrices, and several processes share each; "
            "take 'adamw', or one process"
        )
    ready(model, config, ranks)
    device, dtype = device_of(ranks.on_own_device(config.model)), getattr(torch, config.model.dtype)
    critic, reference = None, teacher
    if config.recipe.needs_critic:
        critic = value_model(model)
        shard(critic, ranks, device, dtype)
    if config.lora.rank:
        lora.inject(model, config.lora)
    if config.recipe.needs_reference and not config.teachers:
        beside = config.recipe.copies_reference and not config.lora.rank
        reference = frozen(model, config, ranks, itself=False) if beside else model
    shard(model, ranks, device, dtype)
    return reference, critic


def ready(model: Any, config: RunConfig, ranks: Ranks) -> Any:
    """Make a model take the layout of passes, and make them fast; return it."""
    if config.optim.layout == "packed":
        # Of several ranks the first has weights to try it with; if it fails, all end.
        (try_packing if ranks.first else enable_packing)(model)
    fuse_norms(model)
    fuse_gates(model)
    return model


def frozen(model: Any, config: RunConfig, ranks: Ranks, *, itself: bool = True) -> Any:
    """Return a model, or a copy where it is not to be that `itself`, as a KL term's reference."""
    device, dtype = device_of(ranks.on_own_device(config.model)), getattr(torch, config.model.dtype)
    found = reference_copy(model, dtype, itself=itself)
    shard(found, ranks, device, dtype)
    if ranks.size > 1 and found.device.type == "cuda":
        found.to("cpu")  # where it waits for its part of each step
    return found


def refuse_long_prompts(task: Task, config: RunConfig, model: Any, tokenizer: Any) -> None:
    """Raise a ModelError where training would find no prompt that fits, or evaluation one not.

    Training passes over single problems that are too long; to leave one out of an evaluation
    would change what is measured.
    """
    limit, longest = config.sampling.max_tokens, config.sampling.longest_prompt
    order = order_of(task.train, config.seed)
    shown = [task.train[order.at(i)] for i in range(min(8, len(task.train)))]
    prompts = [encode_problem(tokenizer, task, problem) for problem in shown]
    check_length(model, min(prompts, key=len), limit, longest=longest)
    if config.eval.samples:
        for name, problems in held_out_sets(task, config.eval.problems).items():
            for problem in problems:
                prompt = encode_problem(tokenizer, task, problem)
                what = f"the prompt of {problem.id} ({name})"
                check_length(model, prompt, limit, what, longest)


def make_collector(config: RunConfig, parts: Parts) -> Collector:
    """Return what draws batches; made last, since the sampler takes the weights as they are."""
    parts.sampler.refresh(parts.source)
    return Collector(
        config,
        parts.task,
        parts.model,
        parts.tokenizer,
        parts.sampler,
        parts.pool,
        parts.chooser,
        parts.ranks,
        turns=parts.turns,
    )


def refuse_what_cannot_run(config: RunConfig, model: Any) -> None:
    """Raise a ConfigError for a recipe or model that this backend would train wrongly."""
    recipe = config.recipe
    missing = required_inputs(recipe.advantage) - PROVIDED
    if recipe.kl_in_reward:
        missing -= {"token_rewards"}
    if missing:
        raise ConfigError(
            f"recipe {recipe.name}: the native backend has no {', '.join(sorted(missing))} for "
            f"the estimator {recipe.advantage!r}; choose another recipe.advantage (it has all "
            "that grpo, dr_grpo, rloo, gtpo, grpo_s, maxrl, reinforce_pp and gae need)"
        )
    if recipe.needs_critic and config.lora.rank:
        raise ConfigError(
            f"recipe {recipe.name} trains a critic, whose weights adapters would leave as they "
            "are; use --set lora.rank=0"
        )
    if config.sampling.temperature <= 0:
        raise ConfigError("training samples need sampling.temperature above 0")
    rewritten = [name for name in REWRITTEN_LOGITS if getattr(model.config, name, None)]
    if rewritten:
        raise ConfigError(
            f"model {config.model.name} changes its logits ({rewritten[0]}), which the native "
            "backend does not do; choose a model without it"
        )
    kinds = set(getattr(model.config, "layer_types", None) or ["full_attention"])
    windowed = getattr(model.config, "sliding_window", None) or kinds != {"full_attention"}
    if config.optim.layout == "packed" and windowed:
        raise ConfigError(
            f"optim.layout = 'packed' needs layers that see everything before them, and "
            f"{config.model.name} has others; use --set optim.layout=padded"
        )
    attention = getattr(model.config, "_attn_implementation", None)
    if config.optim.layout == "packed" and attention != "sdpa":
        raise ConfigError(
            f"optim.layout = 'packed' needs sdpa attention, and this model runs with "
            f"{attention!r}; use --set optim.layout=padded"
        )
