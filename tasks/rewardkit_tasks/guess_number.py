"""Guess a number: higher or lower is said after each guess.

Source: generated here. Licence: Apache-2.0. Version: 1.
"""

from __future__ import annotations

import random
import re

from rewardkit.environments import Attempts
from rewardkit.errors import ConfigError
from rewardkit.tasks import PromptTemplate
from rewardkit.types import Outcome, Problem, Task, Verdict

ASKED = "I think of a whole number from 1 to {most}. Guess it: write one number in each turn."


def guess(response: str, answer: str) -> Verdict:
    """Return whether the last number of a response is the hidden one, and else the hint.

    >>> guess("I say 5", "7").reason
    'Higher than 5.'
    """
    found = re.findall(r"\d+", response)
    if not found:
        return Verdict(Outcome.NO_ANSWER, None, answer, "guess", "Write a number.")
    said, hidden = int(found[-1][:9]), int(answer)
    outcome = Outcome.CORRECT if said == hidden else Outcome.INCORRECT
    hint = f"{'Higher' if said < hidden else 'Lower'} than {said}." if said != hidden else ""
    return Verdict(outcome, str(said), answer, "guess", hint)


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
        messages=PromptTemplate("{question}"),
        verifier=guess,
        source="generated",
        licence="Apache-2.0",
        generated=True,
        environment=Attempts(guess, "{reason}"),
    )
