"""The options of every command that draws responses, and how they become `EvalSettings`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tyro

from rewardkit.cli.options.asking import AskingFlags
from rewardkit.cli.options.pairs import pairs_of
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.evaluation.asking.limits import parse_lengths
from rewardkit.evaluation.asking.problems import refuse_code
from rewardkit.evaluation.asking.protocols import protocol_of
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.asking.trained import is_run, task_of_run
from rewardkit.evaluation.engines.base import DecodingSettings, EngineOptions


@dataclass(frozen=True)
class Drawing:
    """How much is drawn, from which problems, by what.

    Attributes:
        samples: the most samples a problem; by default the protocol's, or 16.
        seed: another seed draws other samples.
        max_tokens: the longest response, such as 32768 or 32k; of a list, 2k,4k,8k, the longest is
            drawn, and the score told at each.
        limit: only the first problems of each set.
        task_args: KEY=VALUE arguments of the task, such as difficulty=3 for `generated`.
        set: task.KEY=VALUE of the section [task], such as task.system="Be brief.".
        engine: transformers, fast, vllm, openai, or package.module:attribute.
        workers: how many verifier processes at most; by default one a core.
        trust: import the package.module:attribute that a run in the place of a task names.
        asking: how the model is asked, and what grades, in the place of what the task says.
    """

    samples: Unset[int] = None
    seed: int = 0
    max_tokens: Unset[str] = None
    limit: Unset[int] = None
    task_args: tyro.conf.UseAppendAction[tuple[str, ...]] = ()
    set: tyro.conf.UseAppendAction[tuple[str, ...]] = ()
    engine: str = "transformers"
    workers: Unset[int] = None
    trust: bool = False
    asking: AskingFlags = field(default_factory=AskingFlags)


SAMPLES = 16
"""A problem, unless something says another number."""
PARTIAL = 3
"""The exit code where samples are missing: the same command draws them."""


def settings_of(
    model: str,
    run_dir: Path | None,
    task: str,
    drawing: Drawing,
    decoding: DecodingSettings,
    engine_specific: EngineOptions,
    split: str = "test",
) -> EvalSettings:
    """Return the settings of an evaluation, by default into eval-runs/MODEL.

    A run of ours in the place of a task stands for what that run learned.

    Raises:
        ConfigError: an option that is impossible, or that the engine does not read.
    """
    asking = drawing.asking.asking()
    extra = pairs_of("--extra-body", drawing.asking.extra_body)
    lengths = parse_lengths(drawing.max_tokens) if drawing.max_tokens else ()
    decoding = replace(decoding, extra_body=extra, max_tokens=lengths[-1] if lengths else None)
    if len(lengths) > 1:
        decoding = replace(decoding, marks=lengths[:-1])
    samples = drawing.samples
    if asking.protocol:
        protocol = protocol_of(asking.protocol)
        decoding = protocol.decoding(decoding)
        samples = protocol.samples if samples is None else samples
    tasks, arguments = split_tasks(task), task_arguments(drawing.task_args)
    lines: list[str] = []
    if any(map(is_run, tasks)):
        if len(tasks) > 1:
            raise ConfigError(f"--task {task}: a run stands alone; evaluate each by itself")
        run = tasks[0]
        name, own, lines = task_of_run(run, asking, split)
        if not drawing.trust:
            refuse_code((name,), own, lines, f"{run}/config.toml", Asking())
        tasks, arguments = (name,), own | arguments
    return EvalSettings(
        model=model,
        tasks=tasks,
        run_dir=run_dir or default_folder(model),
        samples=SAMPLES if samples is None else samples,
        seed=drawing.seed,
        limit=drawing.limit,
        engine=drawing.engine,
        decoding=decoding,
        options=engine_specific,
        task_arguments=arguments,
        workers=drawing.workers,
        task_settings=(*lines, *drawing.set),
        asking=asking,
        split=split,
        lengths=lengths if len(lengths) > 1 else (),
    )


def default_folder(model: str) -> Path:
    """Return where an evaluation of `model` goes unless another folder is named."""
    return Path("eval-runs") / slug(model)


def split_tasks(names: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list.

    >>> split_tasks("aime24, file:a.jsonl")
    ('aime24', 'file:a.jsonl')
    """
    return tuple(name.strip() for name in names.split(",") if name.strip())


def slug(name: str) -> str:
    """Return a model's name as one that a folder can have.

    >>> slug("models/smol 1")
    'models-smol-1'
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "model"


def task_arguments(pairs: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a task's factory.

    >>> task_arguments(["difficulty=3", "templates=urn,ruin"])
    {'difficulty': 3, 'templates': 'urn,ruin'}
    """
    return {key.replace("-", "_"): value for key, value in pairs_of("--task-args", pairs).items()}
