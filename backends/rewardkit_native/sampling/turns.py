"""Rollouts of several turns, decoded together: the cache goes on, and nothing is read twice.

A row whose turn has ended asks its environment, and stands still in the batch while the others go
on: what is computed for it meanwhile nobody reads. It comes back after `PATIENCE` steps, whenever
the answer was there, so that the steps, and with them the last bits of every number, depend on
tokens alone and not on how fast a tool was. The environment's tokens are then fed to the cache one
a step, beside what the other rows sample.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import torch

from rewardkit.config import RunConfig
from rewardkit.environments.rollout import Playing
from rewardkit.environments.table import EnvironmentTable, Played, TurnLimits
from rewardkit.errors import ConfigError
from rewardkit.sampling import SamplingParams
from rewardkit.types import Problem, Rollout, Task, Verdict
from rewardkit_native.sampling.drawing import draw
from rewardkit_native.sampling.lockstep import (
    DecodingSampler,
    PartialRollout,
    Tokens,
    chunks,
    close_gaps,
)
from rewardkit_native.sampling.sampler import OnFinish, OnStep, Sampler

PATIENCE = 4
"""Steps that a row stands still for an answer, while there are others to decode."""


@dataclass
class Row(Playing):
    """A rollout under way, in a batch."""

    turn: PartialRollout = field(kw_only=True)
    """Its place in the batch, and the tokens of the turn that is being written."""
    given: deque[int] = field(default_factory=deque)
    """Tokens of the environment that are yet to be fed."""
    asked: Future[Verdict] | None = None
    back: int = 0
    """The step at which it comes back."""
    grade: Future[Verdict] | None = None


class TurnSampler:
    """Plays tasks with environments, through the decoder of a sampler of ours.

    Args:
        sampler: whose rows, tokenizer and decoder are used.
        tasks: what is played, by the label that problems of a mixture have as source; "" is all
            others.
        limits: of turns, and of what an environment may take.
        name: the model, for messages.

    Raises:
        ConfigError: the model's chat template rewrites turns.
    """

    def __init__(
        self,
        sampler: Sampler,
        tasks: Mapping[str, Task],
        limits: TurnLimits | None = None,
        name: str = "",
    ) -> None:
        assert isinstance(sampler, DecodingSampler), "refuse_unplayable lets no other pass"
        limits = limits or TurnLimits()
        self.sampler, self.turns = sampler, limits.turns
        self.table = EnvironmentTable(tasks, sampler.tokenizer, limits, name)

    def __enter__(self) -> TurnSampler:
        return self

    def __exit__(self, *exception: object) -> None:
        self.table.close()

    def sample(
        self,
        problems: Sequence[Problem],
        prompts: Tokens,
        seeds: Tokens,
        params: SamplingParams,
        progress: OnStep | None = None,
        on_finish: OnFinish | None = None,
    ) -> list[list[Rollout]]:
        """Return `len(seeds[i])` rollouts of `problems[i]`, whose prompt is `prompts[i]`."""
        done: dict[tuple[int, int], Rollout] = {}
        tokens = 0
        with torch.inference_mode():
            for groups in chunks([len(s) for s in seeds], self.sampler.rows):
                rows = [
                    Row(problems[group], turn=PartialRollout(group, i))
                    for group in groups
                    for i in range(len(seeds[group]))
                ]
                if not rows:
                    continue
                keys = torch.tensor([seed for g in groups for seed in seeds[g]])
                copies = [len(seeds[group]) for group in groups]
                decoding = self.sampler.decoder.start([prompts[g] for g in groups], copies)
                for drawn in self._play(decoding, list(rows), keys, params):
                    tokens += drawn
                    if progress is not None:
                        ended = sum(row.finish is not None for row in rows)
                        progress(len(done) + ended, tokens)
                for row in rows:
                    place = row.turn.group, row.turn.member
                    done[place] = row.rollout(None if row.grade is None else row.grade.result())
                    if on_finish is not None:
                        on_finish(*place, done[place])
        return [[done[g, i] for i in range(len(group))] for g, group in enumerate(seeds)]

    def _play(
        self, decoding: Any, rows: list[Row], keys: torch.Tensor, params: SamplingParams
    ) -> Iterator[int]:
        """Decode rows to their ends; yield how many tokens each step drew."""
        keys = keys.to(self.sampler.decoder.device)
        step = 0
        while True:
            self._answer(rows, params, step)
            still = [row.asked is not None or row.finish is not None for row in rows]
            if all(still):
                return
            places = torch.tensor([len(row.tokens) for row in rows], device=keys.device)
            chosen, logprobs = draw(decoding.logits, keys, places, params, self.sampler.known)
            drawn, count = chosen.tolist(), 0
            for i, (row, logprob) in enumerate(zip(rows, logprobs.tolist(), strict=True)):
                if still[i]:
                    continue
                if row.given:
                    drawn[i], logprob = row.given.popleft(), 0.0
                else:
                    row.turn.tokens.append(drawn[i])
                    count += 1
                row.tokens.append(drawn[i])
                row.logprobs.append(logprob)
                if row.turn.tokens:
                    self._end_turn(row, params, step)
            yield count
            ended = [row.finish is not None for row in rows]
            if all(ended):
                return
            if any(ended):
                left = close_gaps(ended)
                decoding.keep(left)
                rows, keys = [rows[i] for i in left], keys[left]
                drawn, still = [drawn[i] for i in left], [still[i] for i in left]
            live = ~torch.tensor(still, device=keys.device) if any(still) else None
            decoding.step(torch.tensor(drawn, device=keys.device), live)
            step += 1

    def _end_turn(self, row: Row, params: SamplingParams, step: int) -> None:
        """Ask a row's environment where its turn has ended; end it where it may go no further."""
        played = self.table.of(row.problem)
        stop = (*params.stop, *(played.pool.environment.stop if played else ()))
        ended = self.sampler.at_end(row.turn, stop)
        if not ended and len(row.tokens) < params.max_tokens:
            return
        own = row.turn.tokens
        text = self.sampler.tokenizer.decode(own, skip_special_tokens=True)
        row.end_turn(text, len(own), ended, played is not None)
        if played is not None and row.finish is None:
            row.asked = played.pool.reply(row.problem, row.state, text)
            row.back = step + 1 + PATIENCE
        elif played is not None:
            self._grade(row, played)

    def _answer(self, rows: Sequence[Row], params: SamplingParams, step: int) -> None:
        """Take the answers of rows that come back now; of all, where no other row goes on."""
        idle = all(row.asked is not None or row.finish is not None for row in rows)
        for row in rows:
            if row.asked is not None and (idle or row.back <= step):
                self._take(row, row.asked.result(), params)

    def _take(self, row: Row, found: Verdict, params: SamplingParams) -> None:
        row.asked = None
        played = self.table.of(row.problem)
        assert played is not None, "it was asked"
        given = row.take(found, played.chat, self.turns, params.max_tokens)
        if row.finish is not None:
            self._grade(row, played)
        else:
            row.given.extend(given)
            row.turn.tokens = []

    def _grade(self, row: Row, played: Played) -> None:
        if row.fault is None and played.pool.grades:
            row.grade = played.pool.grade(row.problem, row.state)


def refuse_unplayable(config: RunConfig, task: Task) -> None:
    """Refuse settings with which no environment is played.

    Raises:
        ConfigError: another engine samples.
    """
    if config.sampling.engine == "vllm":
        raise ConfigError(
            f"task {task.name} has an environment, which sampling.engine = 'vllm' plays not yet; "
            "use sampling.engine=fast"
        )
