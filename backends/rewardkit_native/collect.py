"""From problems to a batch of graded groups: choose, sample, verify, shape, filter, refill."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from rewardkit.checks import encode_problem
from rewardkit.config import RunConfig
from rewardkit.errors import ModelError, NoSignalError
from rewardkit.guards import no_signal_message
from rewardkit.sampling import GroupTally
from rewardkit.sampling.band import Band, BandReason
from rewardkit.sampling.choice import group_sizes
from rewardkit.sampling.counts import Visit, visit
from rewardkit.sampling.leftovers import Leftover, young_enough
from rewardkit.sampling.problems import TaskSampler
from rewardkit.sampling.refill import Refill, acceptance
from rewardkit.sampling.settings import RefillConfig
from rewardkit.shaping import shape_group
from rewardkit.shaping.response_steps import with_turns
from rewardkit.types import UNDECIDED, Group, Problem, Rollout, Task, Verdict
from rewardkit.verifiers import VerifierPool
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.sampling.sampler import OnStep, Sampler


def rollout_seed(*parts: object) -> int:
    """Return a seed that is a function of its parts alone (a run's seed, a position, ...)."""
    digest = hashlib.sha256(" ".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


class Collected(NamedTuple):
    """A batch of groups, the prompts they answer, and what was drawn for it.

    `verify_s` is how long verdicts were waited for after the last row was decoded.
    """

    groups: list[Group]
    prompts: list[list[int]]
    tally: GroupTally
    visits: Sequence[Visit] = ()
    """What came of each draw of the step, for the problem sampler to learn from."""
    left: Sequence[Leftover] = ()
    """Groups with signal for the next step."""
    metrics: Mapping[str, float] = {}
    verify_s: float = 0.0


class Job(NamedTuple):
    """A problem to ask: its position among all draws, its number, its prompt, how often."""

    position: int
    problem: int
    prompt: list[int]
    size: int


@dataclass
class _Open:
    """A group that may still get more rollouts."""

    job: Job
    problem: Problem
    rollouts: list[Rollout] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)


@dataclass
class Collector:
    """Draws batches of groups for training."""

    config: RunConfig
    task: Task
    model: Any
    tokenizer: Any
    sampler: Sampler
    pool: VerifierPool
    chooser: TaskSampler
    ranks: Ranks = field(default_factory=Ranks)
    progress: OnStep | None = None
    """Told how far a batch is."""
    turns: Any = None
    """A `TurnSampler`, where the task has an environment; it draws in the place of the sampler."""
    waited: float = 0.0
    """Seconds of a step that verdicts were waited for after the last row of a round was decoded."""

    def __post_init__(self) -> None:
        settings = self.config.sampling
        self.params, self.longest = settings.params, settings.longest_prompt
        self.sizes = group_sizes(settings.sizes, settings.group_size)
        keep = settings.keep
        self.band = Band(keep.low, keep.high) if (keep.low, keep.high) != (0, 1) else None

    def collect(self, step: int, leftovers: Sequence[Leftover] = ()) -> Collected:
        """Return the batch of a step; `leftovers` of earlier ones come first.

        With group filtering, groups that carry no signal are replaced by freshly drawn ones, for
        at most `sampling.rounds` rounds; what is missing then is missing from the batch. The
        chooser has yet to `observe` the visits.
        """
        config, filtering = self.config.sampling, self.config.recipe.filter_groups
        self.waited = 0.0
        tally = GroupTally(sources=tuple(self.task.parts))
        young, expired = list[Leftover](), 0
        if leftovers:
            young, expired = young_enough(leftovers, step, config.refill.max_age)
        rate = 1.0
        if config.refill.oversample:
            rate = acceptance(self.chooser.table, config.keep.low, config.keep.high)
        refill = Refill(config.problems, config.rounds if filtering else 1, rate, kept=young)
        visits: list[Visit] = []
        seen: list[Group] = []
        while asked := refill.ask():
            jobs = self._jobs(asked, tally, visits)
            alone = self.ranks.size == 1
            drawn = self.draw(jobs) if alone else self.ranks.map_shares(self.draw, jobs)
            visits += [visit(job.problem, group) for job, group in zip(jobs, drawn, strict=True)]
            seen += drawn
            kept = {id(group) for group in tally.add(drawn, filtering=filtering, band=self.band)}
            refill.add(
                [
                    Leftover(group, job.prompt, job.problem, step)
                    for job, group in zip(jobs, drawn, strict=True)
                ],
                [id(group) in kept for group in drawn],
            )
        self._refuse_no_signal(tally, refill.batch, seen)
        return Collected(
            [left.group for left in refill.batch],
            [list(left.prompt) for left in refill.batch],
            tally,
            visits,
            refill.left if config.refill.leftovers == "keep" else [],
            cost_metrics(refill, tally)
            | (spare_metrics(refill, step, expired) if config.refill != RefillConfig() else {}),
            self.waited,
        )

    def draw(self, jobs: Sequence[Job]) -> list[Group]:
        """Return a graded group for each job, in order.

        Whether a group gets another round is a function of its own counts alone, so that it does
        not matter which groups are drawn beside it.
        """
        groups = [_Open(job, self.task.train[job.problem]) for job in jobs]
        wanted = [job.size for job in jobs]
        rounds = 0
        while any(wanted):
            self._round([(g, n) for g, n in zip(groups, wanted, strict=True) if n])
            rounds += 1
            if self.sizes is None:
                break
            wanted = [
                self.sizes.more(visit(group.job.problem, self._group(group)), rounds) if n else 0
                for group, n in zip(groups, wanted, strict=True)
            ]
        return [self._group(group, shaped=True) for group in groups]

    def _round(self, asked: Sequence[tuple[_Open, int]]) -> None:
        """Add so many rollouts, with their verdicts, to each group."""
        seeds = [
            [
                rollout_seed(self.config.seed, group.job.position, len(group.rollouts) + i)
                for i in range(count)
            ]
            for group, count in asked
        ]
        verdicts: dict[tuple[int, int], Future[Verdict]] = {}
        problems = [group.problem for group, _ in asked]

        def verify(group: int, member: int, rollout: Rollout) -> None:
            # While other rows are still being decoded.
            if rollout.verdict is None:
                verdicts[group, member] = self.pool.submit(rollout.text, problems[group])

        prompts = [group.job.prompt for group, _ in asked]
        draw = partial(self.turns.sample, problems) if self.turns else self.sampler.sample
        rollouts = draw(prompts, seeds, self.params, self.progress, verify)
        decoded = time.perf_counter()
        for index, ((group, _), drawn) in enumerate(zip(asked, rollouts, strict=True)):
            group.rollouts += drawn
            group.verdicts += [
                with_turns(one.verdict or verdicts[index, member].result(), one)
                for member, one in enumerate(drawn)
            ]
        self.waited += time.perf_counter() - decoded

    def _group(self, found: _Open, *, shaped: bool = False) -> Group:
        group = Group(found.problem, tuple(found.rollouts), tuple(found.verdicts))
        if not shaped:
            return group
        terms, limit = self.config.recipe.shaping, self.config.sampling.max_tokens
        rewards = shape_group(group.verdicts, group.rollouts, terms, limit=limit)
        return Group(group.problem, group.rollouts, group.verdicts, rewards)

    def _refuse_no_signal(
        self, tally: GroupTally, batch: Sequence[Leftover], seen: list[Group]
    ) -> None:
        undecided = sum(tally.outcomes[outcome] for outcome in UNDECIDED)
        if batch and (not seen or undecided < tally.outcomes.total()):
            return
        message = no_signal_message(tally, self.config.sampling.group_size)
        if outside := tally.outside.total():
            message += f" {outside} groups lie outside the band of sampling.keep: widen it."
        first = seen[0].verdicts[0]
        message += f" The first verdict: {', '.join(filter(None, (first.outcome, first.reason)))}."
        raise NoSignalError(message, tuple(seen))

    def _jobs(self, count: int, tally: GroupTally, visits: list[Visit]) -> list[Job]:
        """Return the next `count` problems whose prompts fit the model, with their sizes.

        A prompt that leaves no room for a response is passed over, counted, and not drawn again:
        hours into a run, one problem is not worth its end.
        """
        sampling = self.config.sampling
        found: list[Job] = []
        unfit = 0
        while len(found) < count:
            for draw in self.chooser.next(count - len(found)):
                prompt = self._prompt(self.task.train[draw.problem])
                if spare_positions(self.model, prompt, sampling.max_tokens, self.longest) >= 0:
                    found.append(Job(draw.position, draw.problem, prompt, sampling.group_size))
                    continue
                tally.too_long += 1
                unfit += 1
                visits.append(Visit(draw.problem))
                if not found and unfit > len(self.task.train):
                    check_length(self.model, prompt, sampling.max_tokens, longest=self.longest)
        if self.sizes is None:
            return found
        predicts = self.sizes.needs_rates
        rates = [self.chooser.predict(job.problem) if predicts else 0.0 for job in found]
        sizes = self.sizes.first(rates)
        return [job._replace(size=size) for job, size in zip(found, sizes, strict=True)]

    def _prompt(self, problem: Problem) -> list[int]:
        try:
            return encode_problem(self.tokenizer, self.task, problem)
        except Exception as error:
            error.add_note(f"This was problem {problem.id!r} of task {self.task.name}.")
            raise


def cost_metrics(refill: Refill[Leftover], tally: GroupTally) -> dict[str, float]:
    """Return what a step's batch cost: rounds, and what an effective group took.

    `effective_share` is of the groups drawn: those that could be trained on.
    """
    row: dict[str, float] = {
        "rounds": refill.round,
        "rollouts_drawn": tally.outcomes.total(),
        "tokens_drawn": tally.tokens,
        "effective_share": tally.effective / max(tally.drawn, 1),
    }
    if tally.outside:
        row |= {f"groups_{reason}": tally.outside[reason] for reason in BandReason}
    if tally.effective:
        row["rollouts_per_effective_group"] = tally.outcomes.total() / tally.effective
        row["tokens_per_effective_group"] = tally.tokens / tally.effective
    return row


def spare_metrics(refill: Refill[Leftover], step: int, expired: int) -> dict[str, float]:
    """Return how many groups were left over, trained on later, at what age, or grew too old."""
    ages = [step - left.step for left in refill.batch if left.step < step]
    row: dict[str, float] = {
        "leftovers": len(refill.left),
        "leftovers_used": len(ages),
        "leftovers_expired": expired,
    }
    return row | ({"leftovers_age": math.fsum(ages) / len(ages)} if ages else {})


def spare_positions(
    model: Any, prompt: Sequence[int], max_tokens: int, longest: int | None = None
) -> int:
    """Return how many positions a prompt and a response leave free; below 0 they do not fit.

    `longest` is the longest prompt that the sampler takes, where it has a limit of its own.
    """
    context = getattr(model.config, "max_position_embeddings", None)
    left = max_tokens if context is None else context - len(prompt) - max_tokens
    return left if longest is None else min(left, longest - len(prompt))


def check_length(
    model: Any,
    prompt: Sequence[int],
    max_tokens: int,
    what: str = "a prompt",
    longest: int | None = None,
) -> None:
    """Raise a ModelError unless prompt and response fit the model's context and the sampler.

    Raises:
        ModelError: they do not; names the largest response limit that would.
    """
    if longest is not None and len(prompt) > longest:
        raise ModelError(
            f"{what} has {len(prompt)} tokens, and vLLM is made for prompts of {longest}; type "
            f"--set sampling.vllm.max_prompt_tokens={len(prompt)}"
        )
    left = spare_positions(model, prompt, max_tokens)
    if left < 0:
        most = max_tokens + left
        advice = (
            f"set sampling.max_tokens to at most {most}"
            if most > 0
            else "the prompt alone fills them: shorten or leave out that problem"
        )
        raise ModelError(
            f"{what} of {len(prompt)} tokens and a response limit of {max_tokens} do not fit "
            f"the model's {model.config.max_position_embeddings} positions; {advice}"
        )
