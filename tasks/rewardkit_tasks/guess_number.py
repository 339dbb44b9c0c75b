"""Guess a number: an environment that says higher or lower after each guess.

Source: generated here. Licence: Apache-2.0. Version: 1.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rewardkit.environments import Reply
from rewardkit.errors import ConfigError
from rewardkit.types import Message, Outcome, Problem, Task, Verdict

ASKED = "I think of a whole number from 1 to {most}. Guess it: write one number in each turn."


@dataclass(frozen=True)
class Guessing:
    """Answers the last number of a turn: higher, lower, or, at the right one, nothing."""

    stop: Sequence[str] = ()
    roles: Sequence[str] = ("user",)

    def begin(self, problem: Problem) -> dict[str, Any]:
        """Return that nothing was guessed."""
        return {"guesses": []}

    def reply(self, problem: Problem, state: dict[str, Any], turn: str) -> Reply:
        """Return the hint.

        >>> Guessing().reply(Problem("1", "", "7"), {"guesses": []}, "I say 5").said[0]["content"]
        'Higher than 5.'
        """
        found = re.findall(r"\d+", turn)
        if not found:
            return Reply(_user("Write a number."), state, errors=1)
        guess = int(found[-1][:9])
        state = {"guesses": [*state["guesses"], guess]}
        hidden = int(problem.answer)
        if guess == hidden:
            return Reply((), state)
        return Reply(_user(f"{'Higher' if guess < hidden else 'Lower'} than {guess}."), state)

    def grade(self, problem: Problem, state: dict[str, Any]) -> Verdict:
        """Return whether the last guess was right."""
        guesses, hidden = state["guesses"], int(problem.answer)
        if not guesses:
            return Verdict(Outcome.NO_ANSWER, gold=problem.answer, method="guess")
        outcome = Outcome.CORRECT if guesses[-1] == hidden else Outcome.INCORRECT
        return Verdict(outcome, str(guesses[-1]), problem.answer, "guess")


def _user(text: str) -> list[Message]:
    return [{"role": "user", "content": text}]


def grade_text(response: str, answer: str) -> bool:
    """Return whether the last number of a response is the hidden one, where no turns are played."""
    found = re.findall(r"\d+", response)
    return bool(found) and found[-1] == answer


def _chat(problem: Problem) -> list[Message]:
    return _user(problem.question)


def guess_number(
    most: int = 10, seed: int = 0, train_size: int = 10_000, test_size: int = 64
) -> Task:
    """Return the task: a number from 1 to `most`.

    Raises:
        ConfigError: `most` is not from 2 to a million.

    >>> guess_number(most=5).train[0].question
    'I think of a whole number from 1 to 5. Guess it: write one number in each turn.'
    """
    if not 2 <= most <= 1_000_000:
        raise ConfigError(f"task.args.most is from 2 to 1000000, found {most}")

    def problems(name: str, count: int) -> list[Problem]:
        rng = random.Random(f"guess {name} {seed}")
        return [
            Problem(f"{name}-{i}", ASKED.format(most=most), str(rng.randint(1, most)), "guess")
            for i in range(count)
        ]

    return Task(
        name="guess_number",
        train=problems("train", train_size),
        test=problems("test", test_size),
        messages=_chat,
        verifier=grade_text,
        source="generated",
        licence="Apache-2.0",
        generated=True,
        environment=Guessing(),
    )
