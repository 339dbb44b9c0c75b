"""From problems to a batch of graded groups: sample, verify, shape, filter, refill."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rewardkit.config import RunConfig
from rewardkit.errors import NoSignalError
from rewardkit.sampling import GroupTally
from rewardkit.sampling.filter import UNDECIDED
from rewardkit.shaping import shape_group
from rewardkit.types import Group, Problem, Rollout, Task, Verdict
from rewardkit.verifiers import VerifierPool
from rewardkit_native.model import check_length, encode
from rewardkit_native.parallel import Ranks
from rewardkit_native.sampler import Sampler


class Collected(NamedTuple):
    """A batch of groups, the prompts they answer, what was drawn for it, and the new cursor."""

    groups: list[Group]
    prompts: list[list[int]]
    tally: GroupTally
    cursor: int


@dataclass
class ProblemOrder:
    """The order in which training meets the problems: shuffled anew in every epoch.

    A position is a plain number, so that resuming needs no state but the cursor.
    """

    problems: Sequence[Problem]
    seed: int
    _epoch: int = -1
    _order: list[int] = field(default_factory=list)

    def at(self, position: int) -> Problem:
        """Return the problem at a position of the endless stream."""
        epoch, place = divmod(position, len(self.problems))
        if epoch != self._epoch:
            self._epoch, self._order = epoch, list(range(len(self.problems)))
            random.Random(f"order {self.seed} {epoch}").shuffle(self._order)
        return self.problems[self._order[place]]


def rollout_seed(*parts: object) -> int:
    """Return a seed that is a function of its parts alone (a run's seed, a position, ...)."""
    digest = hashlib.sha256(" ".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


@dataclass
class Collector:
    """Draws batches of groups for training."""

    config: RunConfig
    task: Task
    model: Any
    tokenizer: Any
    sampler: Sampler
    pool: VerifierPool
    ranks: Ranks = field(default_factory=Ranks)

    @cached_property
    def order(self) -> ProblemOrder:
        """The stream of training problems."""
        return ProblemOrder(self.task.train, self.config.seed)

    def collect(self, cursor: int) -> Collected:
        """Return a batch, starting at position `cursor` of the problem stream.

        With group filtering, groups that carry no signal are replaced by freshly drawn ones, for
        at most `sampling.rounds` rounds; what is missing then is missing from the batch.

        Raises:
            NoSignalError: not one group carries signal.
        """
        wanted = self.config.sampling.problems
        filtering = self.config.recipe.filter_groups
        tally = GroupTally()
        seen: list[Group] = []
        kept: list[Group] = []
        prompts: list[list[int]] = []
        for _ in range(self.config.sampling.rounds if filtering else 1):
            missing = wanted - len(kept)
            found = self.ranks.spread(self._draw, range(cursor, cursor + missing))
            cursor += missing
            drawn = [group for group, _ in found]
            seen += drawn
            new = tally.add(drawn, filtering=filtering)
            keep = {id(group) for group in new}
            prompts += [prompt for group, prompt in found if id(group) in keep]
            kept += new
            if len(kept) == wanted:
                break
        undecided = sum(tally.outcomes[outcome] for outcome in UNDECIDED)
        if not kept or undecided == tally.outcomes.total():
            example = seen[0].verdicts[0].reason
            message = no_signal_message(tally, self.config) + f" The first verdict: {example}."
            raise NoSignalError(message, seen)
        return Collected(kept, prompts, tally, cursor)

    def _draw(self, positions: Sequence[int]) -> list[tuple[Group, list[int]]]:
        config = self.config.sampling
        problems = [self.order.at(position) for position in positions]
        prompts = [encode(self.tokenizer, self.task.messages(problem)) for problem in problems]
        check_length(self.model, max(prompts, key=len), config.max_tokens)
        seeds = [
            [rollout_seed(self.config.seed, position, i) for i in range(config.group_size)]
            for position in positions
        ]
        verdicts: dict[tuple[int, int], Future[Verdict]] = {}

        def verify(group: int, member: int, rollout: Rollout) -> None:
            # While other rows are still being decoded.
            verdicts[group, member] = self.pool.submit(rollout.text, problems[group].answer)

        rollouts = self.sampler.sample(prompts, seeds, config.params, on_finish=verify)
        groups = []
        for index, (problem, drawn) in enumerate(zip(problems, rollouts, strict=True)):
            graded = tuple(verdicts[index, member].result() for member in range(len(drawn)))
            rewards = shape_group(
                graded, drawn, self.config.recipe.shaping, limit=config.max_tokens
            )
            groups.append(Group(problem, tuple(drawn), graded, rewards))
        return list(zip(groups, prompts, strict=True))


def no_signal_message(tally: GroupTally, config: RunConfig) -> str:
    """Say why nothing could be learned from what was drawn, and what may help."""
    what = (
        f"none of {tally.drawn} groups of {config.sampling.group_size} mixes right and wrong "
        f"answers: {tally.all_right} all right, {tally.all_wrong} all wrong, "
        f"{tally.undecided} with undecided verdicts. "
    )
    if tally.undecided > tally.drawn / 2:
        return what + "Look at the verdicts in rollouts.jsonl: golds or the verifier are at fault."
    if tally.all_right > tally.all_wrong:
        return what + "The task has become too easy: take harder problems, or stop here."
    return what + (
        "The task is too hard or its format too strange: show a worked example in the prompt, "
        "take easier problems, raise sampling.group_size, or raise sampling.max_tokens if "
        "responses end at the limit."
    )
