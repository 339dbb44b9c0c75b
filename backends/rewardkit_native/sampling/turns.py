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
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from rewardkit.config import RunConfig
from rewardkit.environments import Chat, EnvironmentPool
from rewardkit.environments.pool import FAULT, answered
from rewardkit.errors import ConfigError
from rewardkit.sampling import SamplingParams
from rewardkit.types import UNDECIDED, Finish, Problem, Rollout, Segment, Task, Verdict
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


@dataclass(frozen=True)
class TurnLimits:
    """Turns of the model in a rollout; processes, seconds and memory of its environment."""

    turns: int = 8
    workers: int = 2
    deadline_s: float = 10.0
    memory_mb: int | None = 2048

    @classmethod
    def of(cls, config: RunConfig) -> TurnLimits:
        """Return those of a run."""
        sampling, verify = config.sampling, config.verify
        return cls(sampling.turns, verify.processes, sampling.tool_deadline_s, verify.memory_mb)


@dataclass
class Row:
    """A rollout under way."""

    problem: Problem
    turn: PartialRollout
    """Its place in the batch, and the tokens of the turn that is being written."""
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    turns: int = 0
    state: Any = None
    given: deque[int] = field(default_factory=deque)
    """Tokens of the environment that are yet to be fed."""
    asked: Future[Verdict] | None = None
    back: int = 0
    """The step at which it comes back."""
    finish: Finish | None = None
    fault: Verdict | None = None
    grade: Future[Verdict] | None = None
    errors: int = 0

    def rollout(self) -> Rollout:
        """Return what has ended; waits for any grade."""
        verdict = self.fault
        if self.grade is not None:
            verdict = self.grade.result()
            if verdict.outcome in UNDECIDED:
                verdict = replace(verdict, method=FAULT)
        text = "\n".join(part.text for part in self.segments if part.written)
        finish = self.finish or Finish.STOP
        parts = tuple(self.segments)
        return Rollout(
            text, tuple(self.tokens), tuple(self.logprobs), finish, parts, verdict, self.errors
        )


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
        limits: TurnLimits = TurnLimits(),
        name: str = "",
    ) -> None:
        assert isinstance(sampler, DecodingSampler), "refuse_unplayable lets no other pass"
        self.sampler, self.turns = sampler, limits.turns
        self._open = ExitStack()
        self.pools: dict[str, EnvironmentPool] = {}
        self.chats: dict[str, Chat] = {}
        for label, task in tasks.items():
            pool = EnvironmentPool(
                task.environment, limits.workers, limits.deadline_s, limits.memory_mb
            )
            self.pools[label] = self._open.enter_context(pool)
            self.chats[label] = Chat(sampler.tokenizer, task.chat_template_kwargs, name)
            for role in task.environment.roles:
                self.chats[label].check(role)

    def __enter__(self) -> TurnSampler:
        return self

    def __exit__(self, *exception: object) -> None:
        self._open.close()

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
                    Row(problems[group], PartialRollout(group, i))
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
                    done[place] = row.rollout()
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
        pool = self._of(self.pools, row)
        stop = (*params.stop, *(pool.environment.stop if pool else ()))
        ended = self.sampler.at_end(row.turn, stop)
        cut = len(row.tokens) >= params.max_tokens
        if not (ended or cut):
            return
        own = row.turn.tokens
        text = self.sampler.tokenizer.decode(own, skip_special_tokens=True)
        row.segments.append(Segment(True, text, len(own)))
        row.turns += 1
        if pool is None:
            row.finish = Finish.STOP if ended else Finish.LENGTH
        elif ended:
            row.asked = pool.reply(row.problem, row.state, text)
            row.back = step + 1 + PATIENCE
        else:
            self._finish(row, Finish.LENGTH, pool)

    def _answer(self, rows: Sequence[Row], params: SamplingParams, step: int) -> None:
        """Take the answers of rows that come back now; of all, where no other row goes on."""
        idle = all(row.asked is not None or row.finish is not None for row in rows)
        for row in rows:
            if row.asked is not None and (idle or row.back <= step):
                self._take(row, row.asked.result(), params)

    def _take(self, row: Row, found: Verdict, params: SamplingParams) -> None:
        row.asked = None
        pool = self._of(self.pools, row)
        reply, fault = answered(found)
        if fault is not None:
            row.finish, row.fault = Finish.STOP, fault
            return
        row.state, row.errors = reply.state, row.errors + reply.errors
        if not reply.said:
            self._finish(row, Finish.STOP, pool)
            return
        given = self._of(self.chats, row).tokens(reply.said, row.tokens[-1])
        if not given:
            self._finish(row, Finish.STOP, pool)
        elif row.turns >= self.turns or len(row.tokens) + len(given) >= params.max_tokens:
            self._finish(row, Finish.LENGTH, pool)
        else:
            said = self.sampler.tokenizer.decode(given, skip_special_tokens=False)
            row.segments.append(Segment(False, said, len(given)))
            row.given.extend(given)
            row.turn.tokens = []

    def _finish(self, row: Row, finish: Finish, pool: EnvironmentPool) -> None:
        row.finish = finish
        if pool.grades:
            row.grade = pool.grade(row.problem, row.state)

    def _of(self, table: Mapping[str, Any], row: Row) -> Any:
        return table.get(row.problem.source, table.get(""))


def played(task: Task) -> dict[str, Task]:
    """Return the tasks that have an environment, by label; "" where there is one task."""
    parts = task.parts or {"": task}
    return {label: part for label, part in parts.items() if part.environment is not None}


def refuse_unplayable(config: RunConfig, task: Task) -> None:
    """Refuse settings with which no environment is played.

    Raises:
        ConfigError: another engine samples, or steps of a response are scored, whose places are
            counted in the text of one turn.
    """
    if config.sampling.engine == "vllm":
        raise ConfigError(
            f"task {task.name} has an environment, which sampling.engine = 'vllm' plays not yet; "
            "use sampling.engine=fast"
        )
    if config.recipe.reads_steps:
        raise ConfigError(
            f"recipe {config.recipe.name} reads scores of steps, and those of several turns are "
            f"not told apart yet; task {task.name} is learned with grpo, dapo, rloo or another"
        )
