"""What an audit is given: problems of a task, rows of a file, the responses that a run recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewardkit.config import load_config
from rewardkit.errors import ConfigError, RewardkitError
from rewardkit.evaluation.models import run_of, shown
from rewardkit.registry import named_by
from rewardkit.runs.graded_rows import GradedRow, read_rows, row_from
from rewardkit.runs.rollouts import ROLLOUTS, any_rollouts, read_rollouts
from rewardkit.tasks.settings import grading_task, settings_from, task_of
from rewardkit.types import Problem
from rewardkit.validation.golds import right_response
from rewardkit.verifiers.declaration import answer_in_of

SAMPLES = "samples.jsonl"
"""What `rewardkit eval` leaves in its folder."""
MOST_OF_A_RUN = 5_000
"""Responses of a run that are graded anew, evenly spread over it."""


@dataclass(frozen=True, slots=True)
class Source:
    """Problems whose golds are probed, and what a model is asked for one."""

    name: str
    problems: Sequence[Problem]
    prompt_of: Callable[[Problem], str] = lambda problem: problem.question
    right_of: Callable[[Problem], str] = lambda _: ""
    """A right response, where the gold alone is none; empty where nothing says one."""
    answer_in: tuple[str, ...] = ()
    """Where the task declares that the answer stands; empty where nothing says so."""


def from_task(name: str, args: Mapping[str, Any], overrides: Sequence[str]) -> Source:
    """Return the test problems of a task, or its training ones where it has no others.

    Args:
        name: the task's name, file:PATH or hf:NAME.
        args: its arguments.
        overrides: `task.KEY=VALUE` of the section [task].

    Raises:
        RewardkitError: a name, a setting or a row that cannot be used.
    """
    task = task_of(settings_from(name, args, overrides), "show")

    def prompt_of(problem: Problem) -> str:
        return "\n".join(message["content"] for message in task.messages(problem))

    def right_of(problem: Problem) -> str:
        column = task.part_of(problem).reference
        return right_response(problem, column, name) if column else ""

    place = answer_in_of(task.verifier)
    return Source(name, task.test or task.train, prompt_of, right_of, place)


def from_rows(
    name: str, rows: Sequence[GradedRow], reference: str = "", run: Path | None = None
) -> Source:
    """Return the problems that stored responses answer; `reference` is the column of a right one.

    Of a `run` of ours, the answer stands where its task declares it.
    """
    problems = list({row.gold: row.as_problem() for row in reversed(rows)}.values())[::-1]

    def right_of(problem: Problem) -> str:
        return right_response(problem, reference, name) if reference else ""

    place = _declared_by(run) if run else ()
    return Source(name, problems, right_of=right_of, answer_in=place)


def _declared_by(run: Path) -> tuple[str, ...]:
    config = run / "config.toml"
    try:
        with named_by(str(config)):
            return answer_in_of(grading_task(load_config(config)).verifier)
    except RewardkitError:  # what rewardkit eval left, a task that only a script knows, or code
        return ()


def read_stored(
    responses: Path | None, run: Path | None, gold: str = "gold", response: str = "response"
) -> list[GradedRow]:
    """Return the rows of a file and of a run, whichever are given.

    `gold` and `response` are the file's columns of gold answers and of responses.

    Raises:
        RewardkitError: they cannot be read.
    """
    rows = [] if responses is None else list(read_rows(responses, gold, response))
    return rows if run is None else [*rows, *rows_of_run(run)]


def rows_of_run(folder: Path) -> list[GradedRow]:
    """Return responses that a run recorded, evenly spread over it.

    Raises:
        ConfigError: the folder holds none.
        DataError: what it holds cannot be read.
    """
    if not any_rollouts(folder):
        if (folder / SAMPLES).exists():
            return list(read_rows(folder / SAMPLES))
        around = run_of(str(folder))
        hint = f"; did you mean {shown(around)}?" if around not in (None, folder.resolve()) else ""
        raise ConfigError(
            f"{folder}: holds no responses ({', '.join(ROLLOUTS)} of a training run, {SAMPLES} of "
            f"rewardkit eval){hint}"
        )
    every = -(-sum(1 for _ in read_rollouts(folder)) // MOST_OF_A_RUN)
    return [
        row_from(row, f"{folder}, response {number}")
        for number, row in enumerate(read_rollouts(folder), start=1)
        if number % every == 0
    ]
