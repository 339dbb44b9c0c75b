"""Sums and products of small numbers, generated.

Training and test problems share no unordered pair of operands: `9 * 2` never tests what `2 * 9`
taught. Each problem comes from a random stream of its own, named by (seed, index), so that
different seeds share no stretch of problems.

Source: generated here. Licence: Apache-2.0. Version: 1.
"""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

from rewardkit.data.lazy import LazyProblems, check_sizes
from rewardkit.errors import ConfigError
from rewardkit.types import Message, Problem, Task
from rewardkit.verifiers import MathVerifier

HELD_OUT_SHARE = 1 / 3
EXAMPLE_OPERANDS = ("+", 2, 2)


@dataclass(frozen=True)
class Level:
    """One kind of problem: an operation, and how many digits each operand has."""

    operation: str
    digits: tuple[int, int]

    def operands(self, rng: random.Random) -> tuple[int, int]:
        """Draw a left and a right operand; neither is 0, and no product has a factor 1."""
        left, right = (self._bounds(digits) for digits in self.digits)
        return rng.randint(*left), rng.randint(*right)

    def _bounds(self, digits: int) -> tuple[int, int]:
        least = 2 if self.operation == "*" else 1
        return (least if digits == 1 else 10 ** (digits - 1) + 1), 10**digits - 1

    def problem(self, left: int, right: int) -> Problem:
        """Return the problem of two operands."""
        answer = left + right if self.operation == "+" else left * right
        text = f"{left} {self.operation} {right}"
        return Problem(text, f"What is {text}?", str(answer), "rewardkit arithmetic v1")


def held_out(operation: str, left: int, right: int) -> bool:
    """Return whether a pair of operands, in either order, is kept for testing.

    The pair of the worked example is not: its answer stands in every prompt.
    """
    if (operation, left, right) == EXAMPLE_OPERANDS:
        return False
    name = f"{operation} {min(left, right)} {max(left, right)}"
    digest = hashlib.sha256(name.encode()).digest()
    return int.from_bytes(digest[:8], "big") < HELD_OUT_SHARE * 2**64


@dataclass(frozen=True)
class TrainingStream(LazyProblems):
    """`size` training problems, each made when it is asked for."""

    levels: tuple[Level, ...]
    seed: int
    size: int

    def _count(self) -> int:
        return self.size

    def _make(self, place: int) -> Problem:
        rng = random.Random(f"arithmetic train {self.seed} {place}")
        level = rng.choice(self.levels)
        while True:
            left, right = level.operands(rng)
            if not held_out(level.operation, left, right):
                return level.problem(left, right)


def held_out_problems(levels: Sequence[Level], most: int) -> list[Problem]:
    """Return up to `most` distinct held-out problems, the same ones for every seed."""
    return list(_held_out_problems(tuple(levels), most))


@functools.cache
def _held_out_problems(levels: tuple[Level, ...], most: int) -> tuple[Problem, ...]:
    rng = random.Random("arithmetic test")
    found: dict[str, Problem] = {}
    # A small level is exhausted long before the tries are; a large one fills up at once.
    for _ in range(100 * most):
        level = rng.choice(levels)
        left, right = level.operands(rng)
        if held_out(level.operation, left, right):
            problem = level.problem(left, right)
            found[problem.id] = problem
        if len(found) == most:
            break
    return tuple(found.values())


EXAMPLE: tuple[Message, ...] = (
    {"role": "user", "content": "What is 2 + 2?"},
    {"role": "assistant", "content": "2 + 2 = 4, so the answer is \\boxed{4}."},
)
"""Without one worked example a small model never boxes anything, and there is no reward."""


def chat(problem: Problem) -> Sequence[Message]:
    """Return the chat that asks for the answer in a box, with one worked example."""
    system = {"role": "system", "content": "Answer in \\boxed{}."}
    return [system, *EXAMPLE, {"role": "user", "content": problem.question}]


def arithmetic(
    operations: Sequence[str] = ("+", "*"),
    digits: Sequence[int] = (1, 1),
    seed: int = 0,
    train_size: int = 100_000,
    test_size: int = 64,
) -> Task:
    """Return the task: `operations` on operands of `digits[0]` and `digits[1]` digits.

    The suite `harder` holds products of a two-digit and a one-digit number, whatever the level
    that is trained on.

    Raises:
        ConfigError: an operation other than + and *, or digits outside 1 to 6.

    >>> arithmetic(operations=["*"]).train[0].question.startswith("What is")
    True
    """
    if isinstance(digits, int) or isinstance(operations, int):
        raise ConfigError('task.args.operations and task.args.digits are lists: ["+"], [1, 1]')
    unknown = set(operations) - {"+", "*"}
    if unknown or not operations:
        raise ConfigError(f"task.args.operations takes '+' and '*', found {list(operations)}")
    if len(digits) != 2 or not all(1 <= d <= 6 for d in digits):
        raise ConfigError(f"task.args.digits takes two numbers from 1 to 6, found {list(digits)}")
    check_sizes(train_size, test_size)
    levels = tuple(Level(operation, (digits[0], digits[1])) for operation in operations)
    return Task(
        name="arithmetic",
        train=TrainingStream(levels, seed, train_size),
        test=held_out_problems(levels, test_size),
        messages=chat,
        verifier=MathVerifier(answer_in="box"),
        source="generated",
        licence="Apache-2.0",
        suites={"harder": held_out_problems([Level("*", (2, 1))], test_size)},
        generated=True,
    )
