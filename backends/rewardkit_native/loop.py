"""The native training loop: sample, verify, shape, filter, advantage, loss, step, record.

It reads from top to bottom. The numbers come from the pure core (`rewardkit.advantages`,
`rewardkit.losses`, `rewardkit.shaping`, `rewardkit.sampling`); this file only moves them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from rewardkit.config import RunConfig
from rewardkit.curves import draw_curves
from rewardkit.errors import NoSignalError
from rewardkit.recipes import inert_parts
from rewardkit.runs import RunFolder, rollout_rows
from rewardkit.types import Group, Outcome
from rewardkit_native import checkpoint
from rewardkit_native.collect import Collected, Collector, no_signal_message, rollout_seed
from rewardkit_native.display import Display
from rewardkit_native.evaluate import evaluate_problems, held_out_sets
from rewardkit_native.interrupt import Interrupt
from rewardkit_native.parallel import Ranks, joined
from rewardkit_native.setup import Parts, make_collector, prepare
from rewardkit_native.update import Batch, make_batch

PATIENCE = 5
"""So many steps in a row without any gradient end a run that does not filter groups."""


def train(config: RunConfig, *, resume: bool = False, overwrite: bool = False) -> Path:
    """Train as `config` says; return the run folder.

    Raises:
        NoSignalError: nothing to learn from (every group all right or all wrong).
        TrainingError: the gradient is not finite, or the disk is full.
        ModelError, ConfigError, DataError: something asked for cannot be used.
    """
    with joined(config) as ranks:
        return train_together(config, ranks, resume=resume, overwrite=overwrite)


def train_together(config: RunConfig, ranks: Ranks, *, resume: bool, overwrite: bool) -> Path:
    """Train as one of `ranks`, all of which call this; usually there is one."""
    if resume:
        RunFolder.open(config.folder).refuse_changed_run(config)
    parts = prepare(config, ranks)
    progress = checkpoint.Progress()
    if resume:
        folder = ranks.folder(lambda: RunFolder.open(config.folder))
        if found := checkpoint.checkpoints(folder):
            progress = checkpoint.restore(found[-1], parts)
        folder.resumed(config, progress.step)
    else:
        folder = ranks.folder(lambda: RunFolder.create(config, overwrite=overwrite))
    collector = make_collector(config, parts)

    with parts.pool, Interrupt() as interrupt, Display(config, quiet=not ranks.first) as display:
        for remark in [*inert_parts(config.recipe, config.sampling.group_size), *parts.remarks]:
            display.remark(remark)

        def save() -> Path:
            return checkpoint.save(folder, progress, parts, config.checkpoint.keep)

        def evaluate(label: str) -> None:
            if config.eval.samples:
                results.put(
                    label, progress.step, held_out(config, parts, collector, display, label)
                )

        results = Results(folder, progress.step)
        if progress.step == 0:
            evaluate("before")
        try:
            while progress.step < config.steps:
                train_step(config, folder, parts, collector, progress, display.step)
                done = progress.step
                if config.eval.every and done % config.eval.every == 0 and done < config.steps:
                    evaluate(f"step-{done:05d}")
                if config.checkpoint.every and done % config.checkpoint.every == 0:
                    save()
                if ranks.any(interrupt.asked):
                    display.stopped(save(), folder.path)
                    ranks.lead(lambda: draw_curves(folder))
                    return folder.path
        except NoSignalError as error:
            folder.append("rollouts.jsonl", without_advantage(progress.step + 1, error.groups))
            raise NoSignalError(f"{error} The model as it is was saved in {save()}.") from error
        last = save()
        evaluate("after")
        ranks.lead(lambda: draw_curves(folder))
        display.finished(folder, last, results.values)
    return folder.path


def train_step(
    config: RunConfig,
    folder: RunFolder,
    parts: Parts,
    collector: Collector,
    progress: checkpoint.Progress,
    tell: Callable[[dict[str, Any]], None],
) -> None:
    """Draw one batch, learn from it, and record both."""
    clock = Clock()
    collected = collector.collect(progress.cursor)
    clock.lap("sample_s")

    batch = make_batch(
        collected.groups, collected.prompts, mask_truncated=config.recipe.mask_truncated
    )
    # Losses that draw at random do so from the step's own seed: resuming needs no other state.
    torch.manual_seed(rollout_seed(config.seed, "update", progress.step))
    metrics = parts.updater.run(batch)
    clock.lap("update_s")

    collector.sampler.refresh(parts.weights.for_sampling())
    progress.step += 1
    progress.cursor = collected.cursor
    row = step_row(progress.step, collected, metrics, clock)
    folder.append("rollouts.jsonl", recorded_rollouts(progress.step, collected, batch))
    folder.append("metrics.jsonl", [row])
    tell(row)

    progress.steps_without_signal = 0 if metrics["updates"] else progress.steps_without_signal + 1
    if progress.steps_without_signal >= PATIENCE:
        progress.steps_without_signal = 0
        raise NoSignalError(
            f"{PATIENCE} steps in a row without a gradient; in the last one, "
            + no_signal_message(collected.tally, config)
        )


def held_out(
    config: RunConfig, parts: Parts, collector: Collector, display: Display, label: str
) -> dict[str, dict[str, Any]]:
    """Evaluate on each of the task's held-out sets."""
    results = {}
    for name, problems in held_out_sets(parts.task, config.eval.problems).items():
        with display.evaluating(label, name, len(problems)) as tell:
            results[name] = evaluate_problems(
                problems,
                config.eval.samples,
                task=parts.task,
                tokenizer=parts.tokenizer,
                sampler=collector.sampler,
                pool=parts.pool,
                params=config.sampling.params,
                progress=tell,
                ranks=parts.ranks,
            )
        display.evaluated(label, name, results[name])
    return results


class Clock:
    """Seconds of each phase of a step."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """End the phase `name`."""
        now = time.perf_counter()
        self.laps[name] = now - self._last
        self._last = now


class Results:
    """What evaluation found, kept in `results.json` as soon as it is known."""

    def __init__(self, folder: RunFolder, step: int) -> None:
        self.folder = folder
        # What was measured after the step that a run resumes from is of weights that are gone.
        self.values: dict[str, Any] = {
            label: found
            for label, found in folder.read_json("results.json").items()
            if found["step"] <= step
        }

    def put(self, label: str, step: int, found: dict[str, dict[str, Any]]) -> None:
        """Keep the results on `test` under `label`, and those on further sets below them."""
        test, suites = found["test"], {k: v for k, v in found.items() if k != "test"}
        self.values[label] = {"step": step, **test, **({"suites": suites} if suites else {})}
        self.folder.write_json("results.json", self.values)


def step_row(
    step: int, collected: Collected, metrics: dict[str, float], clock: Clock
) -> dict[str, Any]:
    """Return a step's line of `metrics.jsonl`.

    Rewards and lengths are of the groups that are trained on; outcomes are of all that were drawn.
    """
    groups, tally = collected.groups, collected.tally
    rollouts = [rollout for group in groups for rollout in group.rollouts]
    rewards = [reward for group in groups for reward in group.rewards]
    tokens = sum(len(rollout.tokens) for rollout in rollouts)
    row: dict[str, Any] = {
        "step": step,
        "reward": sum(reward.total for reward in rewards) / len(rewards),
        "length": tokens / len(rollouts),
        "truncated": sum(rollout.finish == "length" for rollout in rollouts) / len(rollouts),
        "groups_drawn": tally.drawn,
        "groups_kept": tally.kept,
        "groups_all_right": tally.all_right,
        "groups_all_wrong": tally.all_wrong,
        "tokens": tokens,
        "tokens_per_s": tokens / sum(clock.laps.values()),
        "step_s": sum(clock.laps.values()),
        **clock.laps,
        **metrics,
    }
    for outcome in Outcome:
        row[f"outcome/{outcome}"] = tally.share(outcome)
    for name in {name for reward in rewards for name in reward.components}:
        row[f"reward/{name}"] = sum(r.components.get(name, 0.0) for r in rewards) / len(rewards)
    return row


def recorded_rollouts(step: int, collected: Collected, batch: Batch) -> list[dict[str, Any]]:
    """Return a row for each rollout of the batch; one that took no part has advantage 0."""
    count = sum(len(group.rollouts) for group in collected.groups)
    values = torch.zeros(count)
    if batch.advantages is not None:
        per_token = batch.advantages.dim() == 2
        means = batch.advantages.mean(1) if per_token else batch.advantages
        values[batch.rows] = means.float()
    return rollout_rows(step, collected.groups, values.tolist())


def without_advantage(step: int, groups: tuple[Group, ...]) -> list[dict[str, Any]]:
    """Return a row for each rollout of groups that were drawn and never trained on."""
    return rollout_rows(step, groups, [0.0 for group in groups for _ in group.rollouts])
