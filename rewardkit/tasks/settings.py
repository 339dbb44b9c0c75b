"""From the sections [task] and [[tasks]] of a configuration to a task."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from rewardkit.config import RunConfig, SourceConfig, TaskConfig, build, overridden
from rewardkit.data.asking import DefaultPrompt, Reworded
from rewardkit.data.lazy import lazy
from rewardkit.data.opening import is_data
from rewardkit.environments.table import TurnLimits
from rewardkit.errors import ConfigError
from rewardkit.tasks.loading import make_task, opened, with_its_tools
from rewardkit.tasks.mixture import mixed_task
from rewardkit.types import Problem, Task

OF_DATA = ("columns", "split", "test", "test_split", "gold")
"""Settings that only a data set has."""
Purpose = Literal["train", "evaluate", "show"]
"""What `where`, `limit` and `shuffle` choose: training problems, held-out ones, or both."""


def run_task(config: RunConfig) -> Task:
    """Return the task of a run, a mixture where it has several.

    Raises:
        RewardkitError: of many kinds; a name, a setting or a row that cannot be used.
    """
    return _run_task(config, opening=True)


def grading_task(config: RunConfig) -> Task:
    """Return the task of a run for a process that only grades: no data set is opened."""
    return _run_task(config, opening=False)


def turn_limits(config: RunConfig, shared_by: int = 1) -> TurnLimits:
    """Return the limits of environments, whose processes so many others of the run share."""
    verify = config.verify
    workers = max(1, verify.processes // shared_by)
    return TurnLimits(
        config.sampling.turns, workers, config.sampling.tool_deadline_s, verify.memory_mb
    )


def task_of(settings: TaskConfig, purpose: Purpose = "train") -> Task:
    """Return one task as its settings say, its data opened and checked.

    >>> task_of(TaskConfig("arithmetic", limit=5, system="Be brief.")).train[4].id != ""
    True
    """
    return opened(unopened(settings, purpose))


def settings_from(name: str, args: Mapping[str, Any], overrides: Sequence[str]) -> TaskConfig:
    """Return the settings of a task as a command line gives them: `task.where=level >= 3`.

    Raises:
        ConfigError: an override of something else than a task, or of an unknown key.
    """
    for override in overrides:
        if not override.startswith("task.") or override.startswith("task.name="):
            raise ConfigError(
                f"--set takes settings of the task here, such as task.where=..., found {override!r}"
            )
    found = overridden({"task": {"name": name, "args": dict(args)}}, overrides)
    return build(TaskConfig, found["task"], "task")


def _run_task(config: RunConfig, *, opening: bool) -> Task:
    made = opened if opening else lambda task: task
    if not config.tasks:
        return made(unopened(judged(config.task, config), "train"))
    parts: dict[str, Task] = {}
    for one, label in zip(config.tasks, labels_of(config), strict=True):
        if label in parts:
            raise ConfigError(
                f"two tasks of the mixture are called {label!r}; give one of them another label, "
                f'label = "{label}2"'
            )
        parts[label] = made(unopened(judged(one, config), "train"))
    weights = [one.weight for one in config.tasks]
    return mixed_task(parts, dict(zip(parts, weights, strict=True)))


def judged(settings: TaskConfig, config: RunConfig) -> TaskConfig:
    """Return a task's settings with [judge] among the options of a verifier that asks it."""
    if not settings.verifier.endswith("judge"):
        return settings
    options = {**config.judge.options, **settings.verifier_options}
    return replace(settings, verifier_options=options)


def task_names(config: RunConfig) -> str:
    """Return what a run learns, for a person.

    >>> task_names(RunConfig("x", 1, tasks=(SourceConfig("gsm8k"), SourceConfig("countdown"))))
    'gsm8k + countdown'
    """
    return " + ".join(labels_of(config)) or config.task.name


def labels_of(config: RunConfig) -> tuple[str, ...]:
    """Return what the tasks of a mixture are called; nothing where there is one task."""
    return tuple(one.label or label_of(one.name) for one in config.tasks)


def teachers_of(config: RunConfig) -> dict[str, str]:
    """Return the teacher of each task of a mixture that is trained, by its label.

    >>> from rewardkit.recipes import recipe
    >>> tasks = SourceConfig("gsm8k", teacher="a"), SourceConfig("countdown", weight=0)
    >>> teachers_of(RunConfig("x", 1, recipe=recipe("opd"), tasks=tasks))
    {'gsm8k': 'a'}
    """
    named = zip(labels_of(config), config.tasks, strict=True)
    return {label: one.teacher or config.model.teacher for label, one in named if one.weight}


def label_of(name: str) -> str:
    """Return what a task of a mixture is called unless it has a label.

    >>> [label_of(name) for name in ("gsm8k", "file:data/math.jsonl", "hf:openai/gsm8k:main@e5")]
    ['gsm8k', 'math', 'gsm8k']
    >>> label_of("aime24=copies/aime.jsonl"), label_of("mine.tasks:countdown")
    ('aime24', 'countdown')
    """
    if is_data(name):
        path = re.sub(r"^hf:([^:@]+).*", r"\1", name).removeprefix("file:")
        return path.rstrip("/").rpartition("/")[2].partition(".")[0]
    return name.partition("=")[0].rpartition(":")[2]


def unopened(settings: TaskConfig, purpose: Purpose) -> Task:
    """Return what `task_of` does, with data that are opened when they are first looked at."""
    arguments = dict(settings.args)
    given = {name: value for name in OF_DATA if (value := getattr(settings, name))}
    if given and not is_data(settings.name):
        raise ConfigError(
            f"{_key(settings, next(iter(given)))} is for data sets, file: and hf:, and task "
            f"{settings.name!r} knows its own; what it takes is set in {_key(settings, 'args')}"
        )
    if settings.tools:
        if len(with_its_tools(settings.name)) == 1:
            raise ConfigError(
                f"{_key(settings, 'tools')} are options of tools that stand behind a task's name, "
                f"such as {settings.name}+calculator"
            )
        given["tools"] = dict(settings.tools)
    task = make_task(settings.name, **(arguments | given))
    task = replace(task, reference=settings.reference or task.reference)
    return _chosen(_asked(under_verifier(task, settings), settings), settings, purpose)


def under_verifier(task: Task, settings: TaskConfig) -> Task:
    """Return the task under the verifier of its settings, which reads where the task declares.

    The one place that says where a run, an evaluation or an audit reads the answer: where the
    settings say, else where the options of a verifier that is named do, else where the task does.

    Raises:
        UnknownNameError: no such verifier.
        ConfigError: the options do not fit, or the verifier reads no answer from a place.
    """
    from rewardkit.verifiers import load_verifier
    from rewardkit.verifiers.declaration import FIELD, answer_in_of, reads_answers, with_answer_in

    found = task.verifier
    if settings.verifier:
        found = load_verifier(settings.verifier, **settings.verifier_options)
        if FIELD not in settings.verifier_options:
            place = answer_in_of(found) or answer_in_of(task.verifier)
            found = with_answer_in(found, place) if place and reads_answers(found) else found
    elif settings.verifier_options:
        raise ConfigError(
            f"{_key(settings, 'verifier_options')} are those of a verifier that is named beside "
            f"them, such as {_key(settings, 'verifier')}=math"
        )
    if settings.lenient or settings.answer_in:
        key = _key(settings, "lenient" if settings.lenient else FIELD)
        found = with_answer_in(found, () if settings.lenient else settings.answer_in, key)
    return replace(task, verifier=found)


def _asked(task: Task, settings: TaskConfig) -> Task:
    from rewardkit.verifiers.declaration import answer_in_of

    kwargs = {**task.chat_template_kwargs, **settings.chat_template_kwargs}
    messages = task.messages
    if isinstance(messages, DefaultPrompt):
        messages = DefaultPrompt(answer_in_of(task.verifier))
    if settings.system or settings.prompt:
        messages = Reworded(messages, settings.system, settings.prompt)
    return replace(task, messages=messages, chat_template_kwargs=kwargs)


def _chosen(task: Task, settings: TaskConfig, purpose: Purpose) -> Task:
    choice = settings.where, settings.limit, settings.shuffle
    any_choice = choice != ("", 0, None)

    def choose(problems: Sequence[Problem], *, wanted: bool) -> Sequence[Problem]:
        return lazy(problems).chosen(*choice) if wanted and any_choice else problems

    trained, tested = purpose != "evaluate", purpose != "train"
    train, test = choose(task.train, wanted=trained), choose(task.test, wanted=tested)
    if task.train is task.test and trained and tested:
        test = train
    return replace(
        task,
        train=train,
        test=test,
        suites={name: choose(problems, wanted=tested) for name, problems in task.suites.items()},
    )


def _key(settings: TaskConfig, name: str) -> str:
    return f"tasks.N.{name}" if isinstance(settings, SourceConfig) else f"task.{name}"
