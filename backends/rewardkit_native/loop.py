"""The native training loop: sample, verify, shape, filter, advantage, loss, step, record.

It reads from top to bottom. The numbers come from the pure core (`rewardkit.advantages`,
`rewardkit.losses`, `rewardkit.shaping`, `rewardkit.sampling`); this file only moves them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from rewardkit.config import RunConfig
from rewardkit.curves import draw_if_possible
from rewardkit.errors import NoSignalError, TrainingError
from rewardkit.guards import Finding, event_rows, judge
from rewardkit.lock import hold
from rewardkit.recipes import inert_parts
from rewardkit.runs import RunFolder, rollout_rows
from rewardkit.trackers import refuse_missing
from rewardkit.types import Group, Outcome
from rewardkit_native import checkpoint
from rewardkit_native.batch import Batch, make_batch
from rewardkit_native.collect import Collected, Collector, rollout_seed
from rewardkit_native.display import Display
from rewardkit_native.evaluate import evaluate_problems, held_out_sets
from rewardkit_native.generators import generators_untouched
from rewardkit_native.interrupt import Interrupt, Stopped
from rewardkit_native.parallel import Ranks, joined
from rewardkit_native.rescue import Boundary, rescuing
from rewardkit_native.retention import best, checkpoints, retain
from rewardkit_native.setup import Parts, make_collector, prepare
from rewardkit_native.threads import Threads


@dataclass(frozen=True)
class Run:
    """A run under way: what was asked for, what it is done with, and how far it is."""

    config: RunConfig
    folder: RunFolder
    parts: Parts
    collector: Collector
    progress: checkpoint.Progress
    results: Results
    interrupt: Interrupt
    display: Display


def train(
    config: RunConfig,
    *,
    resume: bool = False,
    overwrite: bool = False,
    threads: Threads | None = None,
) -> Path:
    """Train as `config` says; return the run folder.

    Ctrl-C and SIGTERM save after the step in hand, and end the program as the signal would.

    Raises:
        NoSignalError: nothing to learn from (every group all right or all wrong).
        TrainingError: the gradient is not finite, a guard stopped the run, or the disk is full.
        ModelError, ConfigError, DataError: something asked for cannot be used.
    """
    with joined(config) as ranks:
        folder, interrupt = train_as_one_of(
            ranks, config, resume=resume, overwrite=overwrite, threads=threads
        )
    interrupt.end_program()  # only now: ranks that are torn apart by an exception may abort
    return folder


def train_as_one_of(
    ranks: Ranks, config: RunConfig, *, resume: bool, overwrite: bool, threads: Threads | None
) -> tuple[Path, Interrupt]:
    """Train as one of the processes that make a run together; mostly there is just this one."""
    if resume:
        RunFolder.open(config.folder).refuse_changed_run(config)
    refuse_missing(config.track)
    parts = prepare(config, ranks)
    holding = hold(Path(config.folder)) if ranks.first else nullcontext()
    with parts.pool, holding, Interrupt() as interrupt:
        progress, refused = checkpoint.Progress(processes=ranks.size), list[str]()
        if resume:
            folder = ranks.folder(lambda: RunFolder.open(config.folder))
            progress, refused = checkpoint.recover(folder, parts)
            checkpoint.keep_threads(progress, config.model.threads, ranks.size)
            folder.resumed(config, progress.step, progress.records, refused)
        else:
            folder = ranks.folder(lambda: RunFolder.create(config, overwrite=overwrite))
        if threads is not None:
            folder.note("threads", asdict(threads))
        collector = make_collector(config, parts)
        results = Results(folder, progress.step)
        inert = inert_parts(config.recipe, config.sampling.group_size)
        chosen = [threads.reason] if threads else []
        with Display(config, quiet=not ranks.first) as display:
            collector.progress = display.sampling
            for remark in (*inert, *parts.remarks, *refused, *chosen):
                display.remark(remark)
            with suppress(Stopped):
                learn(Run(config, folder, parts, collector, progress, results, interrupt, display))
            ranks.lead(lambda: draw_if_possible(folder, display.remark))
            last = checkpoints(folder)[-1]
            if interrupt.asked:
                display.stopped(last, folder.path)
            else:
                display.finished(folder, last, results.values)
    return folder.path, interrupt


def learn(run: Run) -> None:
    """Make the steps that are left, saving and evaluating on the way."""
    config, folder, progress, results = run.config, run.folder, run.progress, run.results
    boundary, ranks = Boundary(run.parts.updater.optimiser), run.parts.ranks

    def save() -> Path:
        return checkpoint.save(folder, progress, run.parts, config.checkpoint.keep)

    def evaluate() -> None:
        label = evaluation_label(config, progress.step)
        if label and not results.has(label, progress.step):
            results.put(label, progress.step, held_out(run, label))
            if results.best_is(progress.step):
                save()
            tidy()

    def tidy() -> None:
        ranks.lead(lambda: retain(folder, config.checkpoint.keep))

    with rescuing(folder, boundary, save, ranks):
        tidy()  # a kill may have come just before it
        evaluate()
        while progress.step < config.steps:
            run.interrupt.check(ranks)
            row, findings = train_step(run)
            boundary.reached()
            run.display.step(row)
            heed(findings, run.display)
            if progress.step == config.steps or due(config.checkpoint.every, progress.step):
                save()
            evaluate()


def train_step(run: Run) -> tuple[dict[str, Any], list[Finding]]:
    """Draw one batch, learn from it, record both; return its metrics and what guards say."""
    config, folder, progress, collector = run.config, run.folder, run.progress, run.collector
    clock = Clock()
    try:
        collected = collector.collect(progress.cursor)
    except NoSignalError as error:
        folder.append("rollouts.jsonl", without_advantage(progress.step + 1, error.groups))
        raise
    clock.lap("sample_s")
    clock.part("sample_s", "verify_s", collected.verify_s)
    collector.sampler.release()

    batch = make_batch(
        collected.groups, collected.prompts, mask_truncated=config.recipe.mask_truncated
    )
    # Losses that draw at random do so from the step's own seed, whatever was drawn before.
    torch.manual_seed(rollout_seed(config.seed, "update", progress.step))
    metrics = run.parts.updater.run(batch)
    clock.lap("update_s")
    collector.sampler.refresh(run.parts.weights.for_sampling())

    step = progress.step + 1
    row = step_row(step, collected, metrics, clock)
    findings, guards = judge(config.guards, row, progress.guards)
    folder.append("rollouts.jsonl", recorded_rollouts(step, collected, batch))
    folder.append("events.jsonl", event_rows(step, findings))
    folder.append("metrics.jsonl", [row])
    progress.step, progress.cursor = step, collected.cursor
    progress.guards, progress.records = dict(guards), folder.lengths()
    return row, findings


def heed(findings: Sequence[Finding], display: Display) -> None:
    """Show what the guards warn of; raise for what stops the run."""
    for finding in findings:
        if not finding.stops:
            display.remark(finding.message)
    for finding in findings:
        if finding.stops:
            kind = NoSignalError if finding.guard == "degenerate" else TrainingError
            raise kind(finding.message)


def due(every: int, step: int) -> bool:
    """Whether something that is done after every so many steps (0: never) is done after `step`."""
    return every > 0 and step % every == 0


def evaluation_label(config: RunConfig, step: int) -> str | None:
    """Return under which name the run is evaluated after `step`, None if it is not."""
    if not config.eval.samples:
        return None
    if step >= config.steps:
        return "after"
    if step == 0:
        return "before"
    return f"step-{step:05d}" if due(config.eval.every, step) else None


def held_out(run: Run, label: str) -> dict[str, dict[str, Any]]:
    """Evaluate on each of the task's held-out sets."""
    config, parts, interrupt, display = run.config, run.parts, run.interrupt, run.display
    results = {}
    for name, problems in held_out_sets(parts.task, config.eval.problems).items():
        interrupt.check(parts.ranks)
        with display.evaluating(label, name, len(problems)) as tell, generators_untouched():

            def report(text: str, tell: Callable[[str], None] = tell) -> None:
                if parts.ranks.size == 1:  # several must leave at the same place
                    interrupt.check()  # what is left here is made again on resuming
                tell(text)

            results[name] = evaluate_problems(
                problems,
                config.eval.samples,
                task=parts.task,
                tokenizer=parts.tokenizer,
                sampler=run.collector.sampler,
                pool=parts.pool,
                params=config.sampling.params,
                progress=report,
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

    def part(self, phase: str, name: str, seconds: float) -> None:
        """Say that so many seconds of a phase were spent on something else."""
        self.laps[name] = seconds
        self.laps[phase] -= seconds


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

    def has(self, label: str, step: int) -> bool:
        """Whether the weights after `step` were measured under this label."""
        return label in self.values and self.values[label]["step"] == step

    def best_is(self, step: int) -> bool:
        """Whether of all evaluations on the run's way the one after `step` is the best."""
        steps = [found["step"] for found in self.values.values() if found["step"]]
        found = best(steps, self.values, [])
        return found is not None and found.step == step

    def put(self, label: str, step: int, found: dict[str, dict[str, Any]]) -> None:
        """Keep the results on `test` under `label`, and those on further sets below them."""
        former = self.values.get(label)
        if label == "after" and former is not None and former["step"] < step:
            self.values[f"step-{former['step']:05d}"] = former  # it may have been the best
        test, suites = found["test"], {k: v for k, v in found.items() if k != "test"}
        self.values[label] = {"step": step, **test, **({"suites": suites} if suites else {})}
        self.folder.write_json("results.json", self.values)


def step_row(
    step: int, collected: Collected, metrics: dict[str, float], clock: Clock
) -> dict[str, Any]:
    """Return a step's line of `metrics.jsonl`.

    Rewards and lengths are of the groups that are trained on. Outcomes, `truncated_drawn` and
    `entropy_sampled` are of all that were drawn; what the update measures (`entropy`, the clipped
    shares, KL) is of the groups that have a gradient.
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
        "groups_undecided": tally.undecided,
        "group_size": len(groups[0].rollouts),
        "prompts_too_long": tally.too_long,
        "truncated_drawn": tally.truncated_share,
        "entropy_sampled": tally.entropy,
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
        means = batch.advantages
        if means.dim() == 2:
            means = (means * batch.mask).sum(1) / batch.mask.sum(1).clamp(min=1)
        values[batch.rows] = means.float()
    return rollout_rows(step, collected.groups, values.tolist())


def without_advantage(step: int, groups: tuple[Group, ...]) -> list[dict[str, Any]]:
    """Return a row for each rollout of groups that were drawn and never trained on."""
    return rollout_rows(step, groups, [0.0 for group in groups for _ in group.rollouts])
