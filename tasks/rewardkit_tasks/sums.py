"""Sums of several numbers, worked out a line at a time: each line is checked and scored.

For process rewards: the verdict says of every line whether it is right, so that an error is told
from the right lines before it. Training and test problems share no set of numbers.

Source: generated here. Licence: Apache-2.0. Version: 1.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate

from rewardkit.data.lazy import LazyProblems, check_sizes
from rewardkit.errors import ConfigError
from rewardkit.shaping.response_steps import lines
from rewardkit.types import UNDECIDED, Message, Problem, StepScore, Task, Verdict
from rewardkit.verifiers import MathVerifier

HELD_OUT_SHARE = 1 / 3
EXAMPLE = (1, 2, 3)
WORKED = "worked"
"""The column with the whole of a right response."""
_LINE = re.compile(r"(\d{1,9}) \+ (\d{1,9}) = (\d{1,9})")


def worked(numbers: Sequence[int]) -> str:
    r"""Return the right response, from left to right.

    >>> worked([1, 2, 3]).splitlines()
    ['1 + 2 = 3', '3 + 3 = 6', '\\boxed{6}']
    """
    totals = list(accumulate(numbers))
    pairs = zip(totals, numbers[1:], totals[1:], strict=False)
    return "".join(f"{a} + {b} = {c}\n" for a, b, c in pairs) + f"\\boxed{{{totals[-1]}}}"


def line_scores(found: Sequence[str], numbers: Sequence[int], *, right: bool) -> list[float]:
    """Return a score a line: 1 where it adds the next number to what the line before it stated.

    An error is counted where it is made: the next line may go on from the wrong total. The last
    line that is due holds the answer, and is right if the verdict is; further lines score 0, or
    a model would be paid for lines.

    Args:
        found: the lines of a response.
        numbers: what was to be added.
        right: whether the answer is.

    >>> line_scores(["1 + 2 = 4", "4 + 3 = 7", "so 7"], [1, 2, 3], right=False)
    [0.0, 1.0, 0.0]
    """
    carried = numbers[0]
    scores = []
    for place, line in enumerate(found):
        if place >= len(numbers) - 1:
            scores.append(float(right and place == len(numbers) - 1))
            continue
        stated = [int(number) for number in found_numbers(line)]
        due = numbers[place + 1]
        scores.append(float(stated == [carried, due, carried + due]))
        carried = stated[2] if stated else carried + due
    return scores


def found_numbers(line: str) -> Sequence[str]:
    """Return the three numbers of a line that is a sum of two, and none of any other line."""
    matched = _LINE.fullmatch(line)
    return matched.groups() if matched else ()


@dataclass(frozen=True)
class SumsVerifier:
    r"""Grade the boxed answer, and score the lines before it by the column `numbers`.

    >>> verdict = SumsVerifier()("1 + 2 = 3\n3 + 3 = 7\n\\boxed{7}", "6", numbers=[1, 2, 3])
    >>> verdict.outcome.value, [step.score for step in verdict.steps]
    ('incorrect', [1.0, 0.0, 0.0])
    """

    verifier: MathVerifier = field(default_factory=partial(MathVerifier, answer_in="box"))

    def __call__(self, response: str, answer: str, numbers: Sequence[int]) -> Verdict:
        """Return the verdict on one response, with its steps."""
        return _with_steps(self.verifier(response, answer), response, numbers)

    def quick(self, response: str, answer: str, numbers: Sequence[int]) -> Verdict | None:
        """Return the verdict if it needs no worker process (see `VerifierPool`)."""
        verdict = self.verifier.quick(response, answer)
        return verdict and _with_steps(verdict, response, numbers)

    def warm(self) -> None:
        """Prepare what all workers of a pool share."""
        self.verifier.warm()


def _with_steps(verdict: Verdict, response: str, numbers: Sequence[int]) -> Verdict:
    if verdict.outcome in UNDECIDED:
        return verdict
    found = lines(response)
    scores = line_scores([line.text for line in found], numbers, right=verdict.correct)
    steps = [StepScore(line.end, score) for line, score in zip(found, scores, strict=True)]
    return replace(verdict, steps=steps)


def problem_of(numbers: Sequence[int]) -> Problem:
    """Return the problem that asks for the sum of some numbers."""
    text = " + ".join(map(str, numbers))
    info = {"numbers": list(numbers), WORKED: worked(numbers)}
    return Problem(text, f"What is {text}?", str(sum(numbers)), "rewardkit sums v1", info)


def held_out(numbers: Sequence[int]) -> bool:
    """Return whether these numbers, in any order, are kept for testing; the example's are not."""
    if sorted(numbers) == sorted(EXAMPLE):
        return False
    name = "sums " + " ".join(map(str, sorted(numbers)))
    digest = hashlib.sha256(name.encode()).digest()
    return int.from_bytes(digest[:8], "big") < HELD_OUT_SHARE * 2**64


def drawn(rng: random.Random, terms: int, digits: int) -> list[int]:
    """Draw the numbers of a problem, none of them 0."""
    low = 1 if digits == 1 else 10 ** (digits - 1)
    return [rng.randint(low, 10**digits - 1) for _ in range(terms)]


@dataclass(frozen=True)
class TrainingStream(LazyProblems):
    """`size` training problems, each made when it is asked for."""

    terms: int
    digits: int
    seed: int
    size: int

    def _count(self) -> int:
        return self.size

    def _make(self, place: int) -> Problem:
        rng = random.Random(f"sums train {self.seed} {place}")
        while held_out(numbers := drawn(rng, self.terms, self.digits)):
            pass
        return problem_of(numbers)


def held_out_problems(terms: int, digits: int, most: int) -> list[Problem]:
    """Return up to `most` distinct held-out problems, the same ones for every seed."""
    rng = random.Random("sums test")
    found: dict[str, Problem] = {}
    for _ in range(100 * most):  # one digit twice has few problems
        if len(found) == most:
            break
        if held_out(numbers := drawn(rng, terms, digits)):
            problem = problem_of(numbers)
            found[problem.id] = problem
    return list(found.values())


def chat(problem: Problem) -> Sequence[Message]:
    """Return the chat that asks for a sum a line and the answer in a box, with one example."""
    asked = "Add from left to right, one sum a line, and end with the result in \\boxed{}."
    example = problem_of(EXAMPLE)
    return [
        {"role": "system", "content": asked},
        {"role": "user", "content": example.question},
        {"role": "assistant", "content": worked(EXAMPLE)},
        {"role": "user", "content": problem.question},
    ]


def sums(
    terms: int = 4,
    digits: int = 1,
    seed: int = 0,
    train_size: int = 100_000,
    test_size: int = 64,
) -> Task:
    """Return the task: sums of `terms` numbers of so many digits, with scores of each line.

    The suite `harder` has one number more.

    Raises:
        ConfigError: fewer than 2 or more than 20 terms, or digits outside 1 to 6.

    >>> sums(terms=3).train[0].question.count("+")
    2
    """
    if not 2 <= terms <= 20:
        raise ConfigError(f"task.args.terms is from 2 to 20, found {terms}")
    if not 1 <= digits <= 6:
        raise ConfigError(f"task.args.digits is from 1 to 6, found {digits}")
    check_sizes(train_size, test_size)
    return Task(
        name="sums",
        train=TrainingStream(terms, digits, seed, train_size),
        test=held_out_problems(terms, digits, test_size),
        messages=chat,
        verifier=SumsVerifier(),
        source="generated",
        licence="Apache-2.0",
        suites={"harder": held_out_problems(terms + 1, digits, test_size)},
        reference=WORKED,
        generated=True,
    )
