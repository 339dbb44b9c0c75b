"""The native training loop: sample, verify, shape, filter, advantage, loss, step, record.

It reads from top to bottom. The numbers come from the pure core (`rewardkit.sampling`,
`rewardkit.shaping`, `rewardkit.training_step`, `rewardkit.losses`); this file only moves them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from rewardkit.config import RunConfig, rate_factor, scheduled
from rewardkit.environments import turn_metrics
from rewardkit.errors import NoSignalError
from rewardkit.guards import Alarm, apply_guards, event_rows, judge
from rewardkit.planning.cpu_rates import gain_of_bfloat16
from rewardkit.planning.dtype import settle_dtype
from rewardkit.recipes import inert_parts
from rewardkit.report.curves import draw_if_possible
from rewardkit.report.display import Display, going_on
from rewardkit.report.trackers import refuse_missing
from rewardkit.runs import RunFolder
from rewardkit.runs.lock import hold
from rewardkit.runs.retention import checkpoints, retain
from rewardkit.runs.rollouts import (
    ROLLOUTS,
    outgrowing,
    record_rollouts,
    refuse_missing_zstd,
    rollout_rows,
)
from rewardkit.runs.training_results import TrainingResults, due, evaluation_label
from rewardkit.sampling.problems import TaskSampler
from rewardkit.training_step import (
    StepPlan,
    entropy_weight,
    loss_mask,
    mean_advantages,
    plan_step,
    step_metrics,
)
from rewardkit.types import Finish, Group
from rewardkit_native.collect import Collected, Collector, rollout_seed
from rewardkit_native.distributed.parallel import Ranks, joined
from rewardkit_native.evaluate import held_out
from rewardkit_native.learning.batch import (
    Batch,
    make_batch,
    minibatches,
    with_hints,
    with_steps,
)
from rewardkit_native.model.loading import device_of
from rewardkit_native.planning.estimate import estimate
from rewardkit_native.recovery import checkpoint
from rewardkit_native.recovery.interrupt import Interrupt, Stopped
from rewardkit_native.recovery.rescue import rescuing
from rewardkit_native.setup import Parts, make_collector, prepare
from rewardkit_native.thread_count import ThreadCount, thread_count


@dataclass(frozen=True)
class Run:
    """A run under way: what was asked for, what it is done with, and how far it is."""

    config: RunConfig
    folder: RunFolder
    parts: Parts
    collector: Collector
    progress: checkpoint.RunState
    results: TrainingResults
    interrupt: Interrupt
    display: Display
    threads: ThreadCount


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


def train(
    config: RunConfig,
    *,
    resume: bool = False,
    overwrite: bool = False,
    remarks: Sequence[str] = (),
) -> Path:
    """Train as `config` says; return the run folder.

    Ctrl-C and SIGTERM save after the step in hand, and end the program as the signal would.
    """
    with joined(config) as ranks:
        config, reason = settled(config, ranks, resume=resume)
        folder, interrupt = train_as_one_of(
            ranks, config, resume=resume, overwrite=overwrite, remarks=(*remarks, *reason)
        )
    interrupt.end_program()  # only now: ranks that are torn apart by an exception may abort
    return folder


def settled(config: RunConfig, ranks: Ranks, *, resume: bool) -> tuple[RunConfig, list[str]]:
    """Return `config` with what it leaves to the machine decided, and what is to be said of it."""
    elsewhere = config.sampling.engine == "vllm"
    config = replace(config, recipe=config.recipe.settled(sampled_elsewhere=elsewhere))
    device = device_of(ranks.on_own_device(config.model))
    tried = partial(ranks.on_first, gain_of_bfloat16)
    return settle_dtype(config, device, tried, resume=resume)


def train_as_one_of(
    ranks: Ranks,
    config: RunConfig,
    *,
    resume: bool,
    overwrite: bool,
    remarks: Sequence[str],
) -> tuple[Path, Interrupt]:
    """Train as one of the processes that make a run together; mostly there is just this one."""
    if resume:
        RunFolder.open(config.folder).refuse_changed_run(config)
    refuse_missing(config.track)
    refuse_missing_zstd(config.records)
    with (
        started(config, ranks, resume=resume, overwrite=overwrite) as (run, refused),
        run.interrupt as interrupt,
    ):
        folder, parts, progress = run.folder, run.parts, run.progress
        collector, display = run.collector, run.display
        if remarks:
            folder.note("arithmetic", list(remarks))
        inert = inert_parts(config.recipe, config.sampling.group_size)
        space = outgrowing(config, progress.step)
        begun = [going_on(progress.step, config.steps)] if resume else []
        if not resume:  # a run that goes on has its number
            run.threads.choose()
        expected = estimate(config, parts, collector.sampler, progress.step)
        advice = expected.advice() if expected else ()
        display.expected = expected.seconds if expected else None
        collector.progress, parts.updater.progress = display.sampling, display.updating
        display.next_step = progress.step + 1
        with display:
            for remark in (*begun, *inert, *parts.remarks, *refused, *space, *remarks, *advice):
                display.remark(remark)
            with suppress(Stopped):
                learn(run)
            ranks.on_first(lambda: draw_if_possible(folder, display.remark))
            last = checkpoints(folder)[-1]
            if interrupt.asked:
                display.stopped(last, folder.path)
            else:
                display.finished(folder, last, run.results.values)
    return folder.path, interrupt


@contextmanager
def started(
    config: RunConfig,
    ranks: Ranks,
    *,
    resume: bool = False,
    overwrite: bool = False,
    quiet: bool = False,
) -> Iterator[tuple[Run, list[str]]]:
    """Make a run before its next step, and hold its folder; say which checkpoints were no good."""
    display = Display(config, quiet=quiet or not ranks.first)
    threads = thread_count(config, ranks, display.remark)
    parts = prepare(config, ranks)
    holding = hold(Path(config.folder)) if ranks.first else nullcontext()
    with parts.pool, parts.turns or nullcontext(), holding:
        progress, refused = checkpoint.RunState(processes=ranks.size), list[str]()
        if resume:
            folder = ranks.folder(lambda: RunFolder.open(config.folder))
            progress, refused = checkpoint.recover(folder, parts)
            checkpoint.keep_threads(progress, config.model.threads, ranks.size)
            folder.resumed(config, progress.step, progress.records, refused)
        else:
            folder = ranks.folder(lambda: RunFolder.create(config, overwrite=overwrite))
            if ranks.first:
                folder.note("data", parts.task.source)
        collector, results = make_collector(config, parts), TrainingResults(folder, progress.step)
        doing = folder, parts, collector, progress, results, Interrupt(), display, threads
        yield Run(config, *doing), refused


def learn(run: Run) -> None:
    """Make the steps that are left, saving and evaluating on the way."""
    config, folder, progress, results = run.config, run.folder, run.progress, run.results
    updater, ranks = run.parts.updater, run.parts.ranks

    def save() -> Path:
        return checkpoint.save(folder, progress, run.parts, config.checkpoint.keep)

    def evaluate() -> None:
        label = evaluation_label(config, progress.step)
        if label and not results.has(label, progress.step):
            found = held_out(config, run.parts, label, run.interrupt, run.display)
            results.put(label, progress.step, found)
            if results.best_is(progress.step):
                save()
            tidy()

    def tidy() -> None:
        ranks.on_first(lambda: retain(folder, config.checkpoint.keep))

    with rescuing(folder, updater, save, ranks):
        tidy()  # a kill may have come just before it
        evaluate()
        while progress.step < config.steps:
            run.interrupt.check(ranks)
            own = time.thread_time()
            row, alarms = train_step(run)
            for one in updater.trained:
                one.whole = True
            # What was waited for, verdicts, is no time that other work took.
            run.threads.look(row["sample_s"] + row["update_s"], time.thread_time() - own)
            progress.threads = torch.get_num_threads()
            run.display.step(row)
            apply_guards(alarms, run.display.remark)
            if progress.step == config.steps or due(config.checkpoint.every, progress.step):
                save()
            evaluate()


def train_step(run: Run) -> tuple[dict[str, Any], list[Alarm]]:
    """Draw one batch, learn from it, record both; return its metrics and what guards say."""
    config, folder, progress, collector = run.config, run.folder, run.progress, run.collector
    recipe = scheduled(config.recipe, progress.step, config.steps)
    run.parts.updater.recipe = recipe
    clock = Clock()
    try:
        collected = collector.collect(progress.step + 1, progress.leftovers)
    except NoSignalError as error:
        # What a run ended for want of is evidence: all of it is kept.
        rows = without_advantage(progress.step + 1, error.groups)
        folder.append(ROLLOUTS[config.records.compress], rows)
        raise
    clock.lap("sample_s")
    clock.laps["verify_s"] = collected.verify_s
    clock.laps["sample_s"] -= collected.verify_s
    collector.sampler.release()

    batch = make_batch(collected.groups, collected.prompts, config.sampling.keep)
    if recipe.reads_steps:
        decode = partial(run.parts.tokenizer.decode, skip_special_tokens=True)
        batch = with_steps(batch, collected.groups, recipe, decode)
    if recipe.teacher_sees != "question":
        parts = run.parts
        context = getattr(parts.model.config, "max_position_embeddings", None)
        asked = recipe.teacher_sees, parts.task, parts.tokenizer, context
        batch = with_hints(batch, collected.groups, *asked)
    # Losses that draw at random do so from the step's own seed, whatever was drawn before.
    torch.manual_seed(rollout_seed(config.seed, "update", progress.step))
    scores = run.parts.updater.score(batch)
    updates = minibatches(batch, recipe.minibatches)
    coef, following = None, None
    if recipe.entropy_target is not None:
        mask = loss_mask(recipe, batch)
        coef, following = entropy_weight(recipe, progress.entropy_coef, scores, mask)
    plan = plan_step(recipe, batch, scores, updates, coef)
    policy = progress.step >= recipe.critic_warmup
    if config.optim.schedule != "constant" or config.optim.warmup_steps:
        rate = rate_factor(config.optim, progress.step, config.steps)
        run.parts.updater.set_rate(config.optim, rate)
    metrics = run.parts.updater.run(batch, plan, policy=policy)
    clock.lap("update_s")
    collector.sampler.refresh(run.parts.source)

    step = progress.step + 1
    # Only now: what fails before this point leaves the last whole step as it was.
    collector.chooser.observe(collected.visits)
    row = step_row(step, collected, metrics | curriculum_metrics(collector.chooser), clock)
    responses = recorded_rollouts(step, collected, batch, plan)
    alarms, guards = judge(config.guards, row, progress.guards, responses)
    kept = record_rollouts(folder, config, step, responses)
    folder.append("events.jsonl", event_rows(step, alarms))
    folder.append("metrics.jsonl", [row])
    run.display.recorded(step, kept, alarms)
    _, progress.cursor, progress.drawn = collector.chooser.cursor
    progress.step, progress.leftovers = step, collected.left
    progress.entropy_coef = following
    progress.guards, progress.records = dict(guards), folder.lengths()
    return row, alarms


def step_row(
    step: int, collected: Collected, metrics: dict[str, float], clock: Clock
) -> dict[str, Any]:
    """Return a step's line of `metrics.jsonl`.

    What the update measures (`entropy`, the clipped shares, KL) is of the groups that have a
    gradient; `rewardkit.training_step.step_metrics` says what the rest is of.
    """
    rollouts = [rollout for group in collected.groups for rollout in group.rollouts]
    rewards = [reward for group in collected.groups for reward in group.rewards]
    lengths = [len(rollout.own_tokens) for rollout in rollouts]
    sources = [group.problem.source for group in collected.groups for _ in group.rollouts]
    truncated = sum(rollout.finish is Finish.LENGTH for rollout in rollouts)
    seconds = sum(clock.laps.values())
    if any(rollout.segments for rollout in rollouts):
        metrics = metrics | turn_metrics(rollouts)
    return {
        "step": step,
        **step_metrics(collected.tally, rewards, lengths, truncated, sources),
        **collected.metrics,
        "prompts_too_long": collected.tally.too_long,
        "tokens_per_s": sum(lengths) / seconds,
        "step_s": seconds,
        **clock.laps,
        **metrics,
    }


def curriculum_metrics(chooser: TaskSampler) -> dict[str, float]:
    """Return what the problem sampler has to say of the step, under names of its own."""
    found = chooser.metrics().items()
    return {f"curriculum/{name}": value for name, value in found if value == value}


def recorded_rollouts(
    step: int, collected: Collected, batch: Batch, plan: StepPlan
) -> list[dict[str, Any]]:
    """Return a row for each rollout of the batch; one that took no part has advantage 0."""
    values = torch.zeros(sum(len(group.rollouts) for group in collected.groups))
    values[batch.rows] = mean_advantages(plan).float()
    return rollout_rows(step, collected.groups, values.tolist())


def without_advantage(step: int, groups: tuple[Group, ...]) -> list[dict[str, Any]]:
    """Return a row for each rollout of groups that were drawn and never trained on."""
    return rollout_rows(step, groups, [0.0 for group in groups for _ in group.rollouts])
