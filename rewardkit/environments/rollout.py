"""A rollout of several turns: who wrote which of its tokens, and whether it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rewardkit.environments.chat import Chat
from rewardkit.environments.pool import FAULT, answered
from rewardkit.environments.table import Played
from rewardkit.types import (
    BETWEEN_TURNS,
    UNDECIDED,
    Finish,
    Problem,
    Rollout,
    Segment,
    StepScore,
    Verdict,
)

Generate = Callable[[Sequence[int], int], Awaitable[tuple[Sequence[int], Sequence[float], bool]]]
"""(tokens behind the prompt, most further ones) -> a turn: its tokens, their log-probabilities,
and whether it ended, or was cut off."""


@dataclass
class Playing:
    """A rollout under way; the tokens of both sides are appended to it by who draws them."""

    problem: Problem
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    turns: int = 0
    state: Any = None
    finish: Finish | None = None
    fault: Verdict | None = None
    errors: int = 0
    steps: list[StepScore] = field(default_factory=list)

    def end_turn(self, text: str, tokens: int, ended: bool, answers: bool) -> None:
        """Count the last tokens as a turn of the model; it is the last one unless one `answers`."""
        self.segments.append(Segment(True, text, tokens))
        self.turns += 1
        if not (ended and answers):
            self.finish = Finish.STOP if ended else Finish.LENGTH

    def take(self, found: Verdict, chat: Chat, turns: int, most: int) -> list[int]:
        """Return the tokens of what the environment answered; none where the rollout has ended.

        Args:
            found: of the pool.
            chat: makes tokens of messages.
            turns: the most of the model.
            most: tokens that the rollout may have.
        """
        reply, self.fault = answered(found)
        if self.fault is not None:
            self.finish = Finish.STOP
            return []
        self.state, self.errors = reply.state, self.errors + reply.errors
        given = chat.tokens(reply.said, self.tokens[-1]) if reply.said else []
        if not given:
            self.finish = Finish.STOP
        elif self.turns >= turns:
            self.finish = Finish.TURNS
            return []
        elif len(self.tokens) + len(given) >= most:
            self.finish = Finish.LENGTH
            return []
        else:
            said = chat.tokenizer.decode(given, skip_special_tokens=False)
            if reply.score is not None:
                self.steps.append(StepScore(len(self.text) + len(BETWEEN_TURNS), reply.score))
            self.segments.append(Segment(False, said, len(given)))
        return given

    @property
    def text(self) -> str:
        """What the model wrote so far."""
        return BETWEEN_TURNS.join(part.text for part in self.segments if part.written)

    def rollout(self, grade: Verdict | None = None) -> Rollout:
        """Return what has ended, with any grade of the environment."""
        verdict = self.fault or grade
        if verdict is not None and verdict.outcome in UNDECIDED:
            verdict = replace(verdict, method=FAULT)
        return Rollout(
            self.text,
            tuple(self.tokens),
            tuple(self.logprobs),
            self.finish or Finish.STOP,
            tuple(self.segments),
            verdict,
            self.errors,
            tuple(self.steps),
        )


async def play(
    problem: Problem, played: Played | None, generate: Generate, decode: Any, turns: int, most: int
) -> Rollout:
    """Play a rollout with a sampler that is asked for a turn at a time.

    Args:
        problem: what is asked.
        played: its environment; without one the rollout is a single turn.
        generate: draws a turn.
        decode: tokens to the text that the model wrote.
        turns: the most of the model.
        most: tokens of the whole rollout.
    """
    row = Playing(problem)
    while row.finish is None:
        own, logprobs, ended = await generate(row.tokens, most - len(row.tokens))
        row.tokens += own
        row.logprobs += logprobs
        text = decode(own)
        row.end_turn(text, len(own), ended, played is not None)
        if played is not None and row.finish is None:
            found = await asyncio.wrap_future(played.pool.reply(problem, row.state, text))
            given = row.take(found, played.chat, turns, most)
            row.tokens += given
            row.logprobs += [0.0] * len(given)
    if played is None or row.fault is not None or not played.pool.grades:
        return row.rollout()
    grade = await asyncio.wrap_future(played.pool.grade(problem, row.state))
    return row.rollout(grade)
