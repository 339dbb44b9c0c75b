"""The tasks: solvable problems, drawn by seed and index, in two splits without overlap."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from random import Random

from rewardkit.data.lazy import LazyProblems, check_sizes
from rewardkit.environments import Attempts
from rewardkit.errors import ConfigError
from rewardkit.tasks import PromptTemplate
from rewardkit.types import Problem, Task
from rewardkit_tasks.countdown.solver import bare, combined, number, solution
from rewardkit_tasks.countdown.verifier import CountdownVerifier

VERSION = 1
"""Raise it whenever a draw changes: equal versions and seeds give equal problems."""
HELD_OUT_SHARE = 0.2
CARDS = range(1, 14)
TRIES = 10_000
PROMPT = "{question}\n\nPut your final expression within \\boxed{{}}."
RULES = "Use each number exactly once, with +, -, *, / and brackets."


def countdown(
    count: Sequence[int] = (3, 4),
    largest: int = 99,
    targets: Sequence[int] = (10, 99),
    seed: int = 0,
    train_size: int = 100_000,
    test_size: int = 256,
    hints: bool = False,
) -> Task:
    """Return the task: make a target of `count[0]` to `count[1]` numbers from 1 to `largest`.

    Args:
        count: how many numbers a problem has, from and to.
        largest: the largest number.
        targets: the target, from and to.
        seed: another seed gives another training stream; the test problems stay.
        train_size: training problems, each drawn when it is asked for.
        test_size: test problems.
        hints: behind a wrong expression say what it makes, and let the model try again.

    Raises:
        ConfigError: a range in which there are no such problems.

    >>> countdown().test[0].info["target"] in range(10, 100)
    True
    """
    for name, pair in (("count", count), ("targets", targets)):
        if isinstance(pair, int) or len(pair) != 2 or not 1 <= pair[0] <= pair[1]:
            raise ConfigError(f"task.args.{name} takes two numbers, from and to, found {pair}")
    if not (2 <= count[0] <= count[1] <= 8 and 2 <= largest <= 9999):
        raise ConfigError("countdown takes count from 2 to 8 and largest from 2 to 9999")

    def draw(random: Random, held_out: bool) -> Problem | None:
        numbers = [random.randint(1, largest) for _ in range(random.randint(*count))]
        steps = [number(value) for value in numbers]
        while len(steps) > 1:  # only by whole, positive numbers, as on television
            first, second = (steps.pop(random.randrange(len(steps))) for _ in "ab")
            steps.append(random.choice([s for s in combined(first, second) if (s.whole or 0) > 0]))
        target = steps[0].whole
        assert target is not None
        if not targets[0] <= target <= targets[1] or target in numbers:
            return None
        if _is_held_out(_identity("countdown", numbers, target)) != held_out:
            return None
        return _problem("countdown", numbers, target, bare(steps[0]))

    task = _task("countdown", draw, seed, train_size, test_size)
    return replace(task, environment=Attempts(task.verifier)) if hints else task


def game24(seed: int = 0, train_size: int = 10_000, test_size: int = 256) -> Task:
    """Return the task: make 24 of four cards from 1 to 13, of the 1,362 hands that can.

    Args:
        seed: another seed gives another order of the training problems; the test problems stay.
        train_size: training problems, each drawn when it is asked for; a hand comes again.
        test_size: at most so many test problems, no hand twice.
    """
    hands = list(combinations_with_replacement(CARDS, 4))

    def draw(random: Random, held_out: bool) -> Problem | None:
        hand = random.choice(hands)
        if _is_held_out(_identity("game24", hand, 24)) != held_out:
            return None
        text = solution(hand, 24)
        return None if text is None else _problem("game24", random.sample(hand, 4), 24, text)

    return _task("game24", draw, seed, train_size, test_size)


Draw = Callable[[Random, bool], Problem | None]
"""(random numbers, whether for testing) -> a problem, None where what was drawn is none."""


@dataclass(frozen=True)
class Stream(LazyProblems):
    """`size` training problems of one seed, each drawn when it is asked for."""

    name: str
    draw: Draw
    seed: int
    size: int

    def _count(self) -> int:
        return self.size

    def _make(self, place: int) -> Problem:
        random = Random(f"{self.name} v{VERSION} train {self.seed} {place}")
        return _next(self.draw, random, held_out=False)


def _task(name: str, draw: Draw, seed: int, train_size: int, test_size: int) -> Task:
    check_sizes(train_size, test_size)
    random = Random(f"{name} v{VERSION} test")
    test: dict[str, Problem] = {}
    for _ in range(20 * test_size):
        problem = _next(draw, random, held_out=True)
        test.setdefault(problem.id, problem)
        if len(test) == test_size:
            break
    return Task(
        name=name,
        train=Stream(name, draw, seed, train_size),
        test=list(test.values()),
        messages=PromptTemplate(PROMPT),
        verifier=CountdownVerifier("box"),
        source="generated by rewardkit",
        licence="Apache-2.0",
        version=VERSION,
        generated=True,
    )


def _next(draw: Draw, random: Random, held_out: bool) -> Problem:
    for _ in range(TRIES):
        if (problem := draw(random, held_out)) is not None:
            return problem
    raise ConfigError(
        f"no such problem in {TRIES:,} draws; take wider targets, more numbers or smaller ones"
    )


def _identity(name: str, numbers: Sequence[int], target: int) -> str:
    return f"{name} {'-'.join(map(str, sorted(numbers)))} {target}"


def _is_held_out(identity: str) -> bool:
    """Return whether a problem is for testing, whatever the seed and the order of its numbers."""
    return hashlib.sha256(identity.encode()).digest()[0] < HELD_OUT_SHARE * 256


def _problem(name: str, numbers: Sequence[int], target: int, text: str) -> Problem:
    return Problem(
        id=_identity(name, numbers, target),
        question=f"Make {target} from the numbers {', '.join(map(str, numbers))}. {RULES}",
        answer=text,
        source=name,
        info={"numbers": list(numbers), "target": target},
    )
