"""A task's problems as parquet files in verl's format, in the order that training meets them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

from rewardkit.checks import chat_of, encode_problem
from rewardkit.config import RunConfig
from rewardkit.errors import ConfigError, DataError
from rewardkit.sampling.choice import task_sampler
from rewardkit.sampling.order import order_of
from rewardkit.tasks.mixture import held_out_sets
from rewardkit.types import Problem, Task
from rewardkit_verl.curriculum import chooses_problems
from rewardkit_verl.rows import problem_fields

CHUNK = 4096


@dataclass(frozen=True)
class DataFiles:
    """The two files of a run, and what is in them."""

    train: Path
    test: Path
    train_rows: int
    test_rows: int


def write_data(config: RunConfig, task: Task, folder: Path) -> DataFiles:
    """Write `train.parquet` and `test.parquet` into `folder`.

    The training file is the stream of problems that the native backend draws from, position by
    position, epochs and their shuffling included; verl reads it from top to bottom. With group
    filtering it holds `sampling.rounds` times what the steps need at least, and verl starts again
    at the top if even that runs out.

    Where `sampling.curriculum` chooses the problems, it holds each of them once, by number, and our
    trainer takes the rows that it wants.
    """
    folder.mkdir(parents=True, exist_ok=True)
    train, test = folder / "train.parquet", folder / "test.parquet"
    if chooses_problems(config):
        # What cannot be used is refused here, and not in a process of Ray's.
        task_sampler(config.sampling.curriculum, task.train, config.seed)
        rows = max(len(task.train), config.sampling.problems)  # verl wants one batch at least
        _write(train, numbered_rows(task, rows))
    else:
        rounds = config.sampling.rounds if config.recipe.filter_groups else 1
        rows = config.steps * config.sampling.problems * rounds
        _write(train, islice(training_rows(config, task), rows))
    held_out = list(held_out_rows(config, task))
    _write(test, held_out)
    return DataFiles(train, test, rows, len(held_out))


def training_rows(config: RunConfig, task: Task) -> Iterator[dict[str, Any]]:
    """Yield the endless stream of training rows, in the run's order."""
    order = order_of(task.train, config.seed)
    for position in count():
        yield row(task, "train", position, task.train[order.at(position)])


def numbered_rows(task: Task, rows: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each problem, by number; from the first again where there are too few."""
    for number in range(rows):
        yield row(task, "train", number, task.train[number % len(task.train)])


def held_out_rows(config: RunConfig, task: Task) -> Iterator[dict[str, Any]]:
    """Yield a row for each held-out problem; without evaluation, the one row that verl insists on.

    verl opens its validation file and refuses an empty one even if it never validates.
    """
    if not config.eval.samples:
        yield row(task, "train", 0, task.train[0])
        return
    index = 0
    for name, problems in held_out_sets(task, config.eval.problems).items():
        for problem in problems:
            yield row(task, name, index, problem)
            index += 1


def row(task: Task, split: str, index: int, problem: Problem) -> dict[str, Any]:
    """Return one problem in verl's format."""
    return {
        "data_source": f"{task.name}/{split}",
        "prompt": [dict(message) for message in chat_of(task, problem)],
        "ability": "math",
        **problem_fields(problem, split=split, index=index),
    }


def longest_prompt(config: RunConfig, task: Task, tokenizer: Any) -> int:
    """Return the most tokens that a prompt of the run has, its chat template included.

    Raises:
        DataError: a prompt is longer than `verl.max_prompt_tokens`; verl would cut its beginning.
    """
    held_out = held_out_sets(task, config.eval.problems) if config.eval.samples else {}
    problems = [*_drawn(config, task), *(p for found in held_out.values() for p in found)]
    limit, longest = config.verl.max_prompt_tokens, 0
    for problem in problems:
        tokens = len(encode_problem(tokenizer, task, problem))
        if limit and tokens > limit:
            raise DataError(
                f"the prompt of problem {problem.id!r} has {tokens} tokens, and "
                f"verl.max_prompt_tokens is {limit}; raise it, or leave the problem out (verl "
                "would cut off the beginning of the prompt)"
            )
        longest = max(longest, tokens)
    return limit or longest


def _drawn(config: RunConfig, task: Task) -> Iterable[Problem]:
    """Return each problem that training can meet, once."""
    rounds = config.sampling.rounds if config.recipe.filter_groups else 1
    drawn = config.steps * config.sampling.problems * rounds
    if drawn >= len(task.train) or chooses_problems(config):
        return [task.train[i] for i in range(len(task.train))]
    order = order_of(task.train, config.seed)
    return [task.train[order.at(position)] for position in range(drawn)]


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:  # comes with datasets, which verl needs as well
        raise ConfigError("writing verl's data needs pyarrow: pip install pyarrow") from error
    text = pa.string()
    schema = pa.schema(
        {
            "data_source": text,
            "prompt": pa.list_(pa.struct({"role": text, "content": text})),
            "ability": text,
            "reward_model": pa.struct({"style": text, "ground_truth": text}),
            "extra_info": pa.struct(
                {
                    "index": pa.int64(),
                    **dict.fromkeys(("split", "id", "question", "source", "info"), text),
                }
            ),
        }
    )
    remaining = iter(rows)
    with pq.ParquetWriter(path, schema) as writer:
        while chunk := _list(islice(remaining, CHUNK)):
            writer.write_table(pa.Table.from_pylist(chunk, schema=schema))


def _list(rows: Iterable[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    return list(rows)
