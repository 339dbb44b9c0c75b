"""Everything a run needs, made and checked before anything on the disk is touched."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch

from rewardkit.config import RunConfig
from rewardkit.errors import ConfigError
from rewardkit.rehearsal import rehearse
from rewardkit.tasks import load_task
from rewardkit.types import Outcome, Task
from rewardkit.verifiers import VerifierPool
from rewardkit_native.collect import Collector
from rewardkit_native.evaluate import held_out_sets
from rewardkit_native.generators import seed_generators
from rewardkit_native.model import check_length, encode, load
from rewardkit_native.sampler import make_sampler
from rewardkit_native.update import Updater, refuse_what_cannot_run


@dataclass
class Parts:
    """The parts of a run, before its first step."""

    task: Task
    model: Any
    tokenizer: Any
    updater: Updater
    pool: VerifierPool
    remarks: list[str] = field(default_factory=list)
    """What the user should know before it surprises."""


def prepare(config: RunConfig) -> Parts:
    """Make the parts of a run, refusing what could not work.

    Raises:
        ConfigError, DataError, ModelError: something that is asked for cannot be used.
    """
    recipe = config.recipe
    rehearse(recipe, limit=config.sampling.max_tokens, group_size=config.sampling.group_size)
    task = load_task(config.task.name, **config.task.args)
    refuse_empty_sets(task, config)
    pool = VerifierPool(
        task.verifier,
        workers=config.verify.workers,
        deadline_s=config.verify.deadline_s,
        memory_mb=config.verify.memory_mb,
    )
    refuse_broken_verifier(pool)

    seed_generators(config.seed)
    model, tokenizer = load(config.model)
    refuse_what_cannot_run(config, model)
    shown = [task.train[i] for i in range(min(8, len(task.train)))]
    for problem in [*shown, *(p[0] for p in held_out_sets(task, config.eval.problems).values())]:
        prompt = encode(tokenizer, task.messages(problem))
        check_length(model, prompt, config.sampling.max_tokens)

    has_kl = recipe.kl is not None and recipe.kl_coef > 0
    optimiser = torch.optim.AdamW(
        model.parameters(),
        lr=config.optim.lr,
        betas=(config.optim.betas[0], config.optim.betas[1]),
        weight_decay=config.optim.weight_decay,
        fused=True,
    )
    updater = Updater(
        model=model,
        # The policy that a run starts from, also when it is resumed.
        reference=copy.deepcopy(model).requires_grad_(False) if has_kl else None,
        optimiser=optimiser,
        schedule=torch.optim.lr_scheduler.LambdaLR(
            optimiser, partial(warm_up, config.optim.warmup_steps)
        ),
        recipe=recipe,
        optim=config.optim,
        dtype=config.model.dtype,
        temperature=config.sampling.temperature,
    )
    return Parts(task, model, tokenizer, updater, pool)


def make_collector(config: RunConfig, parts: Parts) -> Collector:
    """Return what draws batches; made last, since the sampler copies the weights as they are."""
    sampler = make_sampler(
        config.sampling.engine,
        parts.model,
        parts.tokenizer,
        getattr(torch, config.model.dtype),
        parts.remarks.append,
    )
    return Collector(config, parts.task, parts.model, parts.tokenizer, sampler, parts.pool)


def warm_up(steps: int, updates: int) -> float:
    """Return the learning rate's factor after so many updates: linear, then 1."""
    return min(1.0, (updates + 1) / max(steps, 1))


def refuse_empty_sets(task: Task, config: RunConfig) -> None:
    """Raise a ConfigError where there is nothing to train on or to evaluate."""
    if not len(task.train):
        raise ConfigError(
            f"task {task.name} has no training problems; for problems in a file, give "
            "--set task.args.train=FILE"
        )
    if config.eval.samples and not len(task.test):
        raise ConfigError(
            f"task {task.name} has no test problems to evaluate on; give it some, or turn "
            "evaluation off with --set eval.samples=0"
        )


def refuse_broken_verifier(pool: VerifierPool) -> None:
    """Raise a ConfigError if the verifier cannot run in a worker process at all.

    A verdict on an empty response may be anything but the pool's own failure: a function that a
    fresh process cannot import fails here, in a second, and not after a model was loaded.
    """
    verdict = pool.verify_one("", "0")
    if verdict.outcome is Outcome.ERROR and verdict.method == "pool":
        raise ConfigError(
            f"the task's verifier does not work in a worker process: {verdict.reason}. If it is "
            'defined in a script, guard the script\'s call with if __name__ == "__main__":, since '
            "workers import that script; a notebook's functions must live in a module"
        )
