"""The rollouts of one optimiser batch as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from rewardkit.checks import chat_of, encode
from rewardkit.checks.hints import hint, hinted
from rewardkit.recipes import Recipe
from rewardkit.sampling.members import Member, choose
from rewardkit.sampling.settings import KeepConfig
from rewardkit.shaping.response_steps import Decode, token_steps
from rewardkit.training_step import SampledBatch, step_tensors
from rewardkit.types import UNDECIDED, Finish, Group, Rollout, Task


@dataclass(frozen=True)
class Batch(SampledBatch):
    """B sequences with a decided verdict, the members of a group next to each other.

    `rows[i]` is the place of sequence i among all rollouts of the groups that it came from:
    rollouts without a decided verdict say nothing, and take no part.
    """

    prompts: list[Sequence[int]]
    responses: list[Sequence[int]]
    rows: list[int]
    sampler_logprobs: Tensor  # [B, T]
    sources: list[str] = field(default_factory=list, kw_only=True)
    """The task of each, by its label in a mixture."""
    teacher_prompts: list[Sequence[int]] | None = field(default=None, kw_only=True)
    """What a teacher reads before each response, where that is not what the policy reads."""

    def __len__(self) -> int:
        return len(self.responses)


def make_batch(
    groups: Sequence[Group], prompts: Sequence[Sequence[int]], keep: KeepConfig | None = None
) -> Batch:
    """Lay groups out as tensors; `prompts` holds one a group, `keep` says which rollouts train."""
    keep = keep or KeepConfig()
    place = 0
    kept: list[tuple[int, int, int]] = []  # (group, member, place among all rollouts)
    trained: list[bool] = []
    for index, group in enumerate(groups):
        chosen = trained_members(group, keep)
        for member, verdict in enumerate(group.verdicts):
            counts = member in chosen or keep.statistics == "drawn"
            if verdict.outcome not in UNDECIDED and counts:
                kept.append((index, member, place))
                trained.append(member in chosen)
            place += 1
    rollouts = [groups[g].rollouts[m] for g, m, _ in kept]
    return Batch(
        groups=torch.tensor([g for g, _, _ in kept]),
        rewards=torch.tensor([groups[g].rewards[m].total for g, m, _ in kept], dtype=torch.float64),
        correct=torch.tensor([groups[g].verdicts[m].correct for g, m, _ in kept]),
        truncated=torch.tensor([r.finish is Finish.LENGTH for r in rollouts]),
        decided=torch.ones(len(kept), dtype=torch.bool),
        response=written_by_model(rollouts),
        prompts=[prompts[g] for g, _, _ in kept],
        responses=[r.tokens for r in rollouts],
        rows=[place for _, _, place in kept],
        sources=[groups[g].problem.source for g, _, _ in kept],
        sampler_logprobs=torch.nn.utils.rnn.pad_sequence(
            [torch.tensor(r.logprobs) for r in rollouts], batch_first=True
        ),
        trained=None if all(trained) else torch.tensor(trained),
    )


def written_by_model(rollouts: Sequence[Rollout]) -> Tensor:
    """Return [B, T]: which tokens the policy wrote; those of an environment are none of them."""
    lengths = torch.tensor([len(r.tokens) for r in rollouts])
    written = torch.arange(int(lengths.max()))[None] < lengths[:, None]
    for row, rollout in enumerate(rollouts):
        place = 0
        for part in rollout.segments:
            written[row, place : place + part.tokens] = part.written
            place += part.tokens
    return written


def with_steps(batch: Batch, groups: Sequence[Group], recipe: Recipe, decode: Decode) -> Batch:
    """Return the batch of `groups` with what the steps of its responses are worth."""
    graded = [one for g in groups for one in zip(g.rollouts, g.verdicts, g.rewards, strict=True)]
    mine = [graded[place] for place in batch.rows]
    found = step_tensors(
        recipe,
        [
            token_steps(verdict.steps, rollout.tokens, decode, rollout.segments)
            for rollout, verdict, _ in mine
        ],
        [reward for *_, reward in mine],
        batch.response,
    )
    return replace(batch, **found._asdict())


def with_hints(
    batch: Batch,
    groups: Sequence[Group],
    sees: str,
    task: Task,
    tokenizer: Any,
    context: int | None = None,
) -> Batch:
    """Return the batch of `groups` with what a teacher that `sees` more reads before each response.

    Where that is nothing, or does not fit into a context, the response is not taught.
    """
    members = [(group, i) for group in groups for i in range(len(group.rollouts))]
    prompts, taught = [], []
    for place, own, response in zip(batch.rows, batch.prompts, batch.responses, strict=True):
        group, member = members[place]
        said = hint(sees, task, group, member)
        found = own
        if said:
            template = task.part_of(group.problem).chat_template_kwargs
            found = encode(tokenizer, hinted(chat_of(task, group.problem), said), template)
        taught.append(bool(said) and (context is None or len(found) + len(response) <= context))
        prompts.append(found if taught[-1] else own)
    return replace(batch, teacher_prompts=prompts, taught=torch.tensor(taught))


def trained_members(group: Group, keep: KeepConfig) -> frozenset[int]:
    """Return which members of a group are learned from: decided ones, as `keep` chooses."""
    decided = [i for i, v in enumerate(group.verdicts) if v.outcome not in UNDECIDED]
    if keep.members == "all":
        return frozenset(decided)
    members = [
        Member(group.rewards[i].total, len(group.rollouts[i].own_tokens), group.verdicts[i].correct)
        for i in decided
    ]
    return frozenset(decided[i] for i in choose(keep.members, members, keep.size))


def minibatches(batch: Batch, count: int) -> list[Tensor]:
    """Split the rows of a batch into `count` parts of whole groups; one update each."""
    members = batch.groups.unique()
    return [torch.isin(batch.groups, part).nonzero()[:, 0] for part in members.tensor_split(count)]
