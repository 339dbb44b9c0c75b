"""What a run will take on this machine: a few real passes are timed, the rest is arithmetic."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from rewardkit.checks import encode_problem
from rewardkit.config import RunConfig
from rewardkit.sampling.order import order_of
from rewardkit.tasks.mixture import held_out_sets
from rewardkit.training_step import needs_old_scores
from rewardkit_native.collect import spare_positions
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.generators import generators_untouched
from rewardkit_native.sampling.sampler import Sampler
from rewardkit_native.setup import Parts

GROUPS, MEMBERS, TOKENS = 4, 8, 16
"""What is drawn to see how fast that goes: groups, responses of each, tokens of each of those."""
LENGTH = 0.5
"""How long responses are taken to be, as a share of what they may be."""
REFILLED = 1.25
"""Groups drawn for one that is trained on, where those without signal are replaced."""
SCORING = 1 / 3
"""A pass that only scores, or reads a prompt, of what a pass with its gradient takes."""
LONG_S = 15 * 60.0


@dataclass(frozen=True)
class Estimate:
    """Seconds of each part of what is left of a run."""

    sampling: float
    updates: float
    evaluations: float

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.sampling + self.updates + self.evaluations

    def advice(self) -> Iterator[str]:
        """Yield what the user may type for less, where that is worth a word."""
        if self.seconds <= LONG_S:
            return
        parts = {
            "sampling": (self.sampling, "sampling.max_tokens, sampling.group_size or steps"),
            "updates": (self.updates, "sampling.problems, sampling.group_size or steps"),
            "evaluations": (self.evaluations, "eval.problems or eval.samples"),
        }
        most = max(parts, key=lambda name: parts[name][0])
        taken, settings = parts[most]
        yield (
            f"{taken / self.seconds:.0%} of that is for {most}: less of it with a smaller "
            f"{settings} (--set KEY=VALUE)"
        )


def estimate(config: RunConfig, parts: Parts, sampler: Sampler, done: int) -> Estimate | None:
    """Return what the steps that are left, and the evaluations, will take; None if not tried.

    Tried is one process on a CPU, with a sampler of ours.
    """
    model = parts.model
    if parts.ranks != Ranks() or model.device.type != "cpu" or config.sampling.engine == "vllm":
        return None
    with generators_untouched():
        prompts = _prompts(config, parts)
        if not prompts:
            return None
        drawing, passing = _seconds_of_a_token(config, parts, sampler, prompts)
    prompt = sum(map(len, prompts)) / len(prompts)
    length = max(LENGTH * config.sampling.max_tokens, 1)
    recipe, batch = config.recipe, config.sampling

    def draw(groups: float, members: int) -> float:
        return groups * (members * length * drawing + prompt * passing * SCORING)

    tokens = batch.problems * (prompt + batch.group_size * length)
    passes = recipe.epochs + SCORING * (needs_old_scores(recipe) + recipe.needs_reference)
    left = config.steps - done
    groups = batch.problems * (REFILLED if recipe.filter_groups else 1)
    asked = sum(map(len, held_out_sets(parts.task, config.eval.problems).values()))
    times = (done == 0) + 1 + (left // config.eval.every if config.eval.every else 0)
    return Estimate(
        left * draw(groups, batch.group_size),
        left * tokens * passes * passing,
        times * draw(asked, config.eval.samples) if config.eval.samples else 0.0,
    )


def _prompts(config: RunConfig, parts: Parts) -> list[list[int]]:
    """Return the first prompts of training that the model can answer."""
    train, order = parts.task.train, order_of(parts.task.train, config.seed)
    found = [encode_problem(parts.tokenizer, parts.task, train[order.at(i)]) for i in range(GROUPS)]
    limit = config.sampling.max_tokens
    return [prompt for prompt in found if spare_positions(parts.model, prompt, limit) >= 0]


def _seconds_of_a_token(
    config: RunConfig, parts: Parts, sampler: Sampler, prompts: list[list[int]]
) -> tuple[float, float]:
    """Return the seconds of drawing one token, and of one in a pass with its gradient."""
    params = replace(config.sampling.params, max_tokens=min(TOKENS, config.sampling.max_tokens))
    seeds = [[MEMBERS * n + i for i in range(MEMBERS)] for n in range(len(prompts))]
    sampler.sample(prompts, seeds, replace(params, max_tokens=1))  # what is slow only once
    start = time.perf_counter()
    groups = sampler.sample(prompts, seeds, params)
    sampled = time.perf_counter() - start
    drawn = sum(len(rollout.tokens) for group in groups for rollout in group)

    few = _Few([prompts[0]] * len(groups[0]), [list(one.tokens) for one in groups[0]])
    start = time.perf_counter()
    found = parts.updater.scorer.score(parts.model, cast(Any, few), list(range(len(groups[0]))))
    found.logprobs.sum().backward()
    passed = time.perf_counter() - start
    parts.model.zero_grad(set_to_none=True)

    passing = passed / (len(prompts[0]) + sum(map(len, few.responses)))
    reading = SCORING * passing * sum(map(len, prompts))
    return max(sampled - reading, sampled / 2) / drawn, passing


@dataclass(frozen=True)
class _Few:
    """What a scorer reads of a batch."""

    prompts: list[list[int]]
    responses: list[list[int]]
