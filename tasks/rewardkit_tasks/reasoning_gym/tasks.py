"""The tasks: a stream of one puzzle by seed and index, in two splits that share no question."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rewardkit.data.lazy import LazyProblems
from rewardkit.errors import ConfigError
from rewardkit.types import Message, Problem, Task
from rewardkit_tasks.reasoning_gym.library import (
    check_order_of_sets,
    entry_as_json,
    generator,
    scorer,
    size_of,
)
from rewardkit_tasks.reasoning_gym.verifier import ReasoningGymVerifier

VERSION = 1
HELD_OUT_SHARE = 0.2
TRIES = 200
STEP = 7919
"""Shares no divisor with the numbers of puzzles, so that attempts meet new ones."""
SYSTEM = (
    "Think step by step, then give the answer, and nothing else, between <answer> and </answer>. "
    "Where the question shows a form, keep to it."
)
EXAMPLES = ("example_correct_answer", "example_answer", "possible_answer")
"""Where a puzzle of many solutions keeps one."""
UNSTABLE = "codeio"


def reasoning_gym(
    puzzle: str,
    seed: int = 0,
    train_size: int | None = None,
    test_size: int = 64,
    **config: Any,
) -> Task:
    """Return one puzzle of reasoning-gym as a task.

    Args:
        puzzle: its name, as in `reasoning_gym:chain_sum`.
        seed: another seed gives another training stream; the test problems stay.
        train_size: training problems, each made when it is asked for; by default all of a seed.
        test_size: test problems, the same for every seed.
        config: the puzzle's own settings, such as `max_terms` of chain_sum.

    Raises:
        MissingExtraError: reasoning-gym is not installed.
        UnknownNameError: no such puzzle.
        ConfigError: a setting that the puzzle does not take.
    """
    scorer(puzzle, config)
    check_order_of_sets(puzzle)
    most = size_of(puzzle) // 2  # the other half is for those of the wrong split
    train_size = most if train_size is None else train_size
    for name, size in (("train_size", train_size), ("test_size", test_size)):
        if not 0 <= size <= most:
            raise ConfigError(f"{name} of {puzzle} is from 0 to {most:,}, found {size}")
    unstable = "some problems run sample programs whose results differ from run to run"
    return Task(
        name=f"reasoning_gym:{puzzle}",
        train=Stream(puzzle, f"train {seed}", train_size, False, config),
        test=Stream(puzzle, "test", test_size, True, config),
        messages=chat,
        verifier=ReasoningGymVerifier(),
        source=f"reasoning-gym {importlib.metadata.version('reasoning-gym')}",
        licence="Apache-2.0",
        version=VERSION,
        remarks=(unstable,) if puzzle == UNSTABLE else (),
        generated=True,
    )


def chat(problem: Problem) -> Sequence[Message]:
    """Return the chat that asks for the answer in tags."""
    return [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": problem.question},
    ]


@dataclass(frozen=True)
class Stream(LazyProblems):
    """`size` problems of one puzzle, each made when it is asked for.

    A question is for testing or for training by its hash; a draw of the other split is drawn anew.
    """

    puzzle: str
    name: str
    size: int
    held_out: bool
    config: Mapping[str, Any] = field(default_factory=dict)

    def _count(self) -> int:
        return self.size

    def _make(self, place: int) -> Problem:
        puzzles = generator(self.puzzle, self._seed, self.config)
        for attempt in range(TRIES):
            entry = puzzles[self._place(place, attempt)]
            if _is_held_out(entry["question"]) == self.held_out:
                return self._problem(place, entry)
        raise ConfigError(
            f"reasoning_gym:{self.puzzle} gave no question for this split in {TRIES} draws; it has "
            "too few of them with these settings"
        )

    def _place(self, index: int, attempt: int) -> int:
        """Return where the puzzle of an attempt is: at first its own place, then in the rest."""
        most = size_of(self.puzzle) // 2
        return index if not attempt else most + (31 * index + STEP * attempt) % most

    @property
    def _seed(self) -> int:
        text = f"reasoning_gym v{VERSION} {self.name}"
        # 31 bits with room for the index, which the puzzles add to it, within numpy's 32.
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) >> 1

    def _problem(self, index: int, entry: Mapping[str, Any]) -> Problem:
        found = entry_as_json(entry)
        examples = (entry["metadata"].get(name) for name in EXAMPLES)
        answer = next((x for x in (entry["answer"], *examples) if x is not None), "")
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return Problem(
            id=f"{self.puzzle} {self.name} {index}",
            question=entry["question"],
            answer=text,
            source=f"reasoning_gym:{self.puzzle}",
            info={"reasoning_gym": {"puzzle": self.puzzle, "config": dict(self.config), **found}},
        )


def _is_held_out(question: str) -> bool:
    return hashlib.sha256(question.encode()).digest()[0] < HELD_OUT_SHARE * 256
