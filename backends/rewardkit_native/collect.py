"""From problems to a batch of graded groups: choose, sample, verify, shape, filter, refill."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rewardkit.checks import encode_problem
from rewardkit.config import RunConfig
from rewardkit.errors import NoSignalError
from rewardkit.guards import no_signal_message
from rewardkit.sampling import GroupTally
from rewardkit.sampling.band import Band, BandReason
from rewardkit.sampling.choice import group_sizes
from rewardkit.sampling.counts import Visit, visit
from rewardkit.sampling.leftovers import Leftover, young_enough
from rewardkit.sampling.problems import TaskSampler
from rewardkit.sampling.refill import Refill, acceptance
from rewardkit.sampling.settings import RefillConfig
from rewardkit.types import UNDECIDED, Group, Problem, Task
from rewardkit.verifiers import VerifierPool
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.groups import GroupDrawer, Job
from rewardkit_native.model.loading import check_length, spare_positions
from rewardkit_native.sampling.sampler import OnStep, Sampler


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

    @cached_property
    def drawer(self) -> GroupDrawer:
        """What answers problems, with groups of the configured sizes."""
        sizes = group_sizes(self.config.sampling.sizes, self.config.sampling.group_size)
        return GroupDrawer(
            self.config, self.task.train, self.sampler, self.pool, sizes, self.progress
        )

    def collect(self, step: int, leftovers: Iterable[Leftover] = ()) -> Collected:
        """Return the batch of a step; `leftovers` of earlier ones come first.

        With group filtering, groups that carry no signal are replaced by freshly drawn ones, for
        at most `sampling.rounds` rounds; what is missing then is missing from the batch. The
        chooser has yet to `observe` the visits.

        Raises:
            NoSignalError: not one group carries signal.
        """
        config, filtering = self.config.sampling, self.config.recipe.filter_groups
        band = Band(config.keep.low, config.keep.high)
        self.drawer.progress, self.drawer.waited = self.progress, 0.0
        tally = GroupTally(sources=tuple(self.task.parts))
        young, expired = young_enough(leftovers, step, config.refill.max_age)
        rate = 1.0
        if config.refill.oversample:
            rate = acceptance(self.chooser.table, band.low, band.high)
        refill = Refill(config.problems, config.rounds if filtering else 1, rate, kept=young)
        visits: list[Visit] = []
        seen: list[Group] = []
        while asked := refill.ask():
            jobs = self._jobs(asked, tally, visits)
            drawn = self.ranks.map_shares(self.drawer.draw, jobs)
            visits += [visit(job.problem, group) for job, group in zip(jobs, drawn, strict=True)]
            seen += drawn
            kept = {id(group) for group in tally.add(drawn, filtering=filtering, band=band)}
            keep = [id(group) in kept for group in drawn]
            refill.add(
                [
                    Leftover(group, job.prompt, job.problem, step)
                    for job, group in zip(jobs, drawn, strict=True)
                ],
                keep,
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
            self.drawer.waited,
        )

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

        Raises:
            ModelError: not one problem of a whole epoch fits.
        """
        limit, longest = self.config.sampling.max_tokens, self.config.sampling.longest_prompt
        found: list[Job] = []
        unfit = 0
        while len(found) < count:
            for draw in self.chooser.next(count - len(found)):
                prompt = self._prompt(self.task.train[draw.problem])
                if spare_positions(self.model, prompt, limit, longest) >= 0:
                    found.append(Job(draw.position, draw.problem, prompt, 0))
                    continue
                tally.too_long += 1
                unfit += 1
                visits.append(Visit(draw.problem))
                if not found and unfit > len(self.task.train):
                    check_length(self.model, prompt, limit, longest=longest)
        sizes = self.drawer.sizes
        rates = [self.chooser.predict(job.problem) if sizes.needs_rates else 0.0 for job in found]
        return [
            job._replace(size=size) for job, size in zip(found, sizes.first(rates), strict=True)
        ]

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
