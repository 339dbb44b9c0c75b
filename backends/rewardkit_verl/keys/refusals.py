"""What verl, or this machine, cannot honour: the field, the reason, and the nearest it can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rewardkit.client.settings import is_address
from rewardkit.config import RunConfig
from rewardkit.environments.table import played_tasks
from rewardkit.errors import ConfigError
from rewardkit.sampling.settings import KeepConfig, RefillConfig
from rewardkit.types import Task
from rewardkit_verl import versions
from rewardkit_verl.curriculum import chooses_problems
from rewardkit_verl.names import ESTIMATOR_INPUTS


@dataclass(frozen=True)
class Refusal:
    """One setting that verl cannot run as it stands."""

    field: str
    reason: str
    nearest: str

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}; {self.nearest}"


def refusals(config: RunConfig) -> list[Refusal]:
    """Return every setting of a run that verl cannot honour; empty when it can run.

    >>> from rewardkit.config import config_from
    >>> config = {"folder": "x", "steps": 1, "recipe": {"name": "dapo", "minibatches": 3}}
    >>> [refusal.field for refusal in refusals(config_from(config))]
    ['recipe.minibatches']
    """
    return [
        *_estimator(config),
        *_batches(config),
        *_sampling(config),
        *_rules(config),
        *_mode(config),
        *_optimizer(config),
        *_lora(config),
        *_templates(config),
    ]


def _templates(config: RunConfig) -> Iterator[Refusal]:
    found = [dict(one.chat_template_kwargs) for one in config.tasks]
    if any(other != found[0] for other in found):
        yield Refusal(
            "tasks.N.chat_template_kwargs",
            "verl calls the chat template in one way for all rows",
            "give every task of the mixture the same, or use --backend native",
        )


def _mode(config: RunConfig) -> Iterator[Refusal]:
    wanted = config.verl
    if wanted.mode == "sync":
        return
    if chooses_problems(config):
        yield Refusal(
            "sampling.curriculum",
            "an asynchronous step ends while other problems are still being answered, and their "
            "counts would come late",
            'leave it out, or take verl.mode = "sync"',
        )
    if wanted.mode == "separate_async" and config.lora.rank:
        yield Refusal(
            "lora.rank",
            "how adapters reach samplers on GPUs of their own was not tried",
            'take verl.mode = "colocate_async", or lora.rank = 0',
        )
    if wanted.mode == "separate_async" and wanted.rollout_gpus < 1:
        yield Refusal(
            "verl.rollout_gpus",
            "with separate_async samplers have GPUs of their own",
            "say how many of each node, beside verl.gpus",
        )


def _optimizer(config: RunConfig) -> Iterator[Refusal]:
    if config.optim.optimizer != "adamw":
        yield Refusal(
            "optim.optimizer",
            "verl's FSDP workers hand all weights to one class of torch.optim, and its Muon takes "
            "matrices alone",
            'take "adamw", or --backend native',
        )


def _lora(config: RunConfig) -> Iterator[Refusal]:
    if not config.lora.rank:
        return
    if config.recipe.needs_critic:
        yield Refusal(
            "lora.rank",
            f"recipe {config.recipe.name} trains a critic, whose weights adapters would leave as "
            "they are",
            "set lora.rank = 0, or take a recipe without a critic",
        )
    if config.model.teacher:
        yield Refusal(
            "lora.rank",
            "verl asks a policy with adapters for the reference's log-probabilities, and never "
            "the teacher",
            "set lora.rank = 0, or use --backend native",
        )
    for name in sorted({"lm_head", "embed_tokens"} & set(config.lora.targets)):
        yield Refusal(
            "lora.targets",
            f"{name} is the head or an embedding, which cannot have an adapter here",
            "name linear layers between them",
        )


def _estimator(config: RunConfig) -> Iterator[Refusal]:
    from rewardkit.advantages import required_inputs

    recipe = config.recipe
    missing = required_inputs(recipe.advantage) - ESTIMATOR_INPUTS
    if missing:
        yield Refusal(
            "recipe.advantage",
            f"the estimator {recipe.advantage!r} needs {', '.join(sorted(missing))}, which verl's "
            "trainer does not have",
            "take an estimator that reads rewards by group (grpo, dr_grpo, rloo, maxrl, ...)",
        )
    if recipe.compares_distributions:
        yield Refusal(
            "recipe.kl",
            f"{recipe.kl!r} compares whole distributions, and verl's reference worker hands over "
            "the probability of the drawn token alone",
            'take "k1" in the reward (recipe opd), or use --backend native',
        )
    if any(one.teacher for one in config.tasks):
        yield Refusal(
            "tasks.N.teacher",
            "verl's reference worker holds one model",
            "take one model.teacher, or use --backend native",
        )
    if any(map(is_address, config.teachers)):
        yield Refusal(
            "model.teacher",
            "verl's reference worker loads the teacher itself, and asks no server",
            "give its folder or id, or use --backend native",
        )
    if recipe.kl_schedule != "constant" and recipe.kl_in_loss:
        yield Refusal(
            "recipe.kl_schedule",
            "verl's workers are given the recipe's loss once, and its weight with it",
            'take kl_in = "reward" (recipe opd), or use --backend native',
        )
    if recipe.teacher_sees != "question":
        yield Refusal(
            "recipe.teacher_sees",
            "verl's reference worker reads the prompt that the policy read, and no other",
            'take "question" with a model.teacher (recipe opd), or use --backend native',
        )
    if recipe.aggregation == "bnpo":
        yield Refusal(
            "recipe.aggregation",
            '"bnpo" depends on the split into micro-batches, which only verl\'s workers know',
            'take "token-mean", which is what bnpo is with one micro-batch',
        )


def _batches(config: RunConfig) -> Iterator[Refusal]:
    problems, parts = config.sampling.problems, config.recipe.minibatches
    if problems % parts:
        divisor = next(n for n in range(parts, 0, -1) if problems % n == 0)
        yield Refusal(
            "recipe.minibatches",
            f"verl cuts a batch into equal minibatches, and {parts} do not divide "
            f"sampling.problems = {problems}",
            f"take {divisor}, or {-(-problems // parts) * parts} problems",
        )


def _sampling(config: RunConfig) -> Iterator[Refusal]:
    if config.sampling.stop:
        yield Refusal(
            "sampling.stop",
            "verl's agent loop passes no stop strings to the engine",
            "let the model end its turn, or ask for a short form in the prompt",
        )
    if config.sampling.temperature <= 0:
        yield Refusal(
            "sampling.temperature",
            "training samples need a temperature above 0",
            "take 1.0",
        )


def _rules(config: RunConfig) -> Iterator[Refusal]:
    sampling = config.sampling
    if sampling.sizes.rule != "fixed":
        yield Refusal(
            "sampling.sizes.rule",
            "verl's engine draws rollout.n responses of each prompt, all of them at once",
            'take rule = "fixed" with a larger sampling.group_size, or use --backend native',
        )
    if sampling.keep != KeepConfig():
        yield Refusal(
            "sampling.keep",
            "verl's replay buffer keeps a group whole, and drops those without signal alone",
            "leave it out, or use --backend native",
        )
    if sampling.refill != RefillConfig():
        yield Refusal(
            "sampling.refill",
            "verl's replay buffer draws two groups for each one that it drops, and keeps no spare",
            "leave it out, or use --backend native",
        )


def refuse_unplayable(config: RunConfig, task: Task) -> None:
    """Refuse settings with which our agent loop plays no environment.

    Raises:
        ConfigError: a mode that stops samplers inside a turn, or an engine that was never tried.
    """
    if not played_tasks(task):
        return
    why = {
        "verl.mode": (config.verl.mode != "sync", "stops samplers in the middle of a turn", "sync"),
        "verl.rollout": (config.verl.rollout == "sglang", "was never played with", "vllm"),
    }
    for setting, (wrong, reason, instead) in why.items():
        if wrong:
            raise ConfigError(
                f"task {task.name} has an environment, and {setting} {reason}; take {instead}"
            )


def refuse(config: RunConfig, *, cpu: bool, gpus: int) -> None:
    """Raise a ConfigError that names every setting which verl cannot honour here, and the nearest.

    Args:
        config: what is asked for.
        cpu: whether verl was told to run on a CPU.
        gpus: GPUs of a node (or, on a CPU, worker processes).
    """
    found = [*refusals(config), *machine_refusals(config, cpu=cpu, gpus=gpus)]
    if found:
        raise ConfigError("verl cannot run this:\n" + "\n".join(f"  {r}" for r in found))


def machine_refusals(config: RunConfig, *, cpu: bool, gpus: int) -> Iterator[Refusal]:
    """Yield the settings that this machine, or verl on it, cannot honour."""
    yield from _device(config, cpu=cpu)
    yield from _engine(config, cpu=cpu)
    flash = not cpu and versions.has_flash()
    if config.recipe.needs_critic and not cpu and not flash:
        yield Refusal(
            "recipe.advantage",
            "verl's critic asks for flash_attention_2 in so many words, and flash-attn is not here",
            "install it (docs/verl.md), or take an estimator without a critic",
        )
    if config.model.dtype == "float32" and flash:
        yield Refusal(
            "model.dtype",
            "on GPUs verl's models attend with flash_attention_2, which takes no float32",
            'take "bfloat16" (the trained weights are float32 either way), or --backend native',
        )
    wanted = config.verl
    if cpu and wanted.mode == "separate_async":
        yield Refusal(
            "verl.mode",
            'verl\'s separate trainer refuses the weight transfer "naive" (line 68 of its '
            "trainer_separate_async.py), and its others (nccl, nixl, mooncake) need an accelerator",
            "take colocate_async",
        )
    if cpu and (gpus > 1 or wanted.nodes > 1):
        yield Refusal(
            "verl.gpus", "on a CPU one worker process trains", "set verl.gpus and verl.nodes to 1"
        )
    if gpus % wanted.tensor_parallel:
        yield Refusal(
            "verl.tensor_parallel",
            f"{wanted.tensor_parallel} does not divide the {gpus} GPUs of a node",
            f"take one of {', '.join(str(n) for n in range(1, gpus + 1) if gpus % n == 0)}",
        )
    ranks = gpus * wanted.nodes
    rows = config.sampling.problems // config.recipe.minibatches * config.sampling.group_size
    if rows % ranks:
        yield Refusal(
            "sampling.problems",
            f"an update has {rows} responses (problems / recipe.minibatches x group_size), and "
            f"verl shares them equally among {ranks} GPUs",
            f"make that product a multiple of {ranks}",
        )


def _device(config: RunConfig, *, cpu: bool) -> Iterator[Refusal]:
    device = config.model.device
    if device in ("auto", "cpu" if cpu else "cuda"):
        return
    if cpu:
        yield Refusal(
            "model.device", f"VERL_PLATFORM=cpu, but {device!r} is asked for", 'say "cpu"'
        )
    elif device == "cpu":
        yield Refusal(
            "model.device", "verl takes GPUs unless told otherwise", "set VERL_PLATFORM=cpu"
        )
    else:
        yield Refusal(
            "model.device",
            f"verl takes all GPUs of a node, not {device!r}",
            'leave it at "auto" and choose GPUs with CUDA_VISIBLE_DEVICES',
        )


def _engine(config: RunConfig, *, cpu: bool) -> Iterator[Refusal]:
    engine, sampling = config.verl.rollout, config.sampling
    ours = engine == "transformers" or (engine == "auto" and cpu and sampling.engine != "vllm")
    if sampling.params.cuts and sampling.temperature != 1 and not ours:
        yield Refusal(
            "sampling.temperature",
            "with top_p or top_k an engine reports log-probabilities after the cut, or at "
            f"temperature 1, and training needs those of {sampling.temperature} before it",
            "take temperature 1.0, or top_p = 1 and top_k = 0",
        )
    if any("megatron" in word.lower() for word in config.verl.overrides):
        yield Refusal(
            "verl.overrides",
            "Megatron's workers call losses and read weights in a way of their own, which ours "
            "were never run with",
            "leave it out: models are sharded by FSDP2, for long ones see verl.offload",
        )
    if cpu and engine == "sglang":
        yield Refusal("verl.rollout", "sglang needs a GPU", 'take "transformers" or "vllm"')
    if not cpu and engine == "transformers":
        yield Refusal("verl.rollout", '"transformers" is for VERL_PLATFORM=cpu', 'take "vllm"')
