"""From a model and a task to ratings: samples are drawn as an evaluation draws them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

from rewardkit.curation.ratings import Rating, counts_of
from rewardkit.errors import ConfigError, nearest_hint
from rewardkit.evaluation.asking.names import check_names
from rewardkit.evaluation.asking.problems import asked_task
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.drawing.ledger import Ledger
from rewardkit.evaluation.drawing.runner import Activity, OnSample, draw_missing
from rewardkit.evaluation.drawing.sets import sets_to_draw
from rewardkit.evaluation.engines.base import load_engine
from rewardkit.types import Problem, Task


class Shard(NamedTuple):
    """Every `of`-th problem, from the `number`-th on, counted from 1."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read "3/16".

        Raises:
            ConfigError: it is none.

        >>> Shard.parse("3/16").take(range(40))
        [2, 18, 34]
        """
        found = re.fullmatch(r"(\d+)/(\d+)", text.strip())
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise ConfigError(f"--shard is one of 1/N to N/N, such as 3/16, found {text!r}")
        return cls(int(found[1]), int(found[2]))

    def take(self, problems: Sequence[Problem]) -> list[Problem]:
        """Return the problems of this shard."""
        return [problems[i] for i in range(self.number - 1, len(problems), self.of)]


def split_problems(settings: EvalSettings, split: str) -> tuple[Task, Sequence[Problem]]:
    """Return the one task that is rated, and the problems of its split.

    Raises:
        ConfigError: several tasks, no such split, or an empty one.
    """
    if len(settings.tasks) != 1:
        raise ConfigError(f"one task is rated at a time, found {', '.join(settings.tasks)}")
    task = asked_task(settings, settings.tasks[0], "train" if split == "train" else "evaluate")
    splits = {"train": task.train, "test": task.test, **task.suites}
    if split not in splits:
        raise ConfigError(f"{task.name} has no split {split!r}{nearest_hint(split, splits)}")
    problems = splits[split][: settings.limit]
    if not problems:
        there = ", ".join(f"{name} {len(found)}" for name, found in splits.items())
        raise ConfigError(f"the split {split!r} of {task.name} has no problem; there are: {there}")
    return task, problems


def rate_model(
    settings: EvalSettings,
    split: str,
    shard: Shard,
    *,
    progress: OnSample = lambda activity, wanted: None,
) -> tuple[list[Rating], Activity]:
    """Draw what the ledger of the settings' folder lacks, and return the ratings of its problems.

    Called again with more samples it tops up, as an evaluation does.

    Raises:
        RewardkitError: of many kinds; what was drawn so far stays in the ledger.
    """
    task, problems = split_problems(settings, split)
    if not (taken := shard.take(problems)):
        raise ConfigError(
            f"--shard {shard.number}/{shard.of} holds none of the {len(problems)} problems; take "
            f"fewer shards, --shard 1/{len(problems)} at most"
        )
    check_names(settings)
    engine = load_engine(settings.engine, settings.model, settings.decoding, settings.options)
    with closing(engine):
        named = {f"{task.name}/{split}": (task, taken)}
        reasoning = settings.asking.grade_reasoning
        sets = sets_to_draw(
            named, engine, settings.samples, settings.seed, grade_reasoning=reasoning
        )
        with Ledger(settings.run_dir) as ledger:
            activity = draw_missing(sets, engine, ledger, settings.workers, progress)
            samples = ledger.samples
    [rated] = sets
    drawn: dict[str, list[str]] = {problem.id: [] for problem in rated.problems}
    for slot in rated.slots:
        if slot.key in samples:
            drawn[slot.problem.id].append(slot.key)
    return [
        Rating(p, {settings.model: counts_of(samples[key] for key in drawn[p.id])})
        for p in rated.problems
    ], activity
