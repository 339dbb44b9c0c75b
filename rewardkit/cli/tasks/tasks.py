"""`rewardkit tasks`: what can be trained and evaluated on."""

from __future__ import annotations

from collections.abc import Sequence

import tyro
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from rewardkit.checks import chat_of
from rewardkit.config import load_config
from rewardkit.config.flags import Unset
from rewardkit.environments import ToolEnvironment
from rewardkit.environments.grades import grades_itself
from rewardkit.errors import ConfigError, DataError, MissingExtraError, ModelError
from rewardkit.evaluation.engines.base import EngineOptions, plain_messages
from rewardkit.evaluation.engines.local import give_template
from rewardkit.evaluation.models import resolve_model
from rewardkit.pages.console import Console
from rewardkit.registry import FAMILIES, TASKS
from rewardkit.tasks import opened
from rewardkit.tasks.remarks import first_problem, remarks_on
from rewardkit.tasks.settings import grading_task, run_task, settings_from, unopened
from rewardkit.types import Problem, Task


def tasks(
    name: tyro.conf.Positional[Unset[str]] = None,
    show: Unset[int] = None,
    set: tyro.conf.UseAppendAction[tuple[str, ...]] = (),
    model: Unset[str] = None,
) -> None:
    """List the registered tasks, or show what one of them asks.

    Below its problems stands the chat that asks the first of them; with a model, the prompt that
    the model's chat template makes of it.

    Args:
        name: the task to show, or the .toml file of a run for what it asks; without it, all names
            are listed.
        show: how many problems of each set of the task to show; by default 3.
        set: task.KEY=VALUE of the section [task], such as task.where="level >= 3"; with a .toml
            file, any of its settings.
        model: a folder, checkpoint, run folder or Hugging Face id, for its chat template.
    """
    if show is not None and show < 0:
        raise ConfigError(f"--show must be 0 or more, found {show}")
    if show is not None and name is None:
        raise ConfigError("--show is for the problems of one task: rewardkit tasks NAME --show 3")
    console = Console()
    if name is None:
        families = [f"{family}:NAME" for family in FAMILIES]
        console.print("\n".join(sorted([*TASKS.names(), *families])), markup=False, highlight=False)
        return
    run = load_config(name, set) if name.endswith(".toml") else None
    task = grading_task(run) if run else unopened(settings_from(name, {}, set), "show")
    try:
        task = run_task(run) if run else opened(task)
    except DataError:  # what is known without its data is said all the same
        _print_about(task, console)
        raise
    _print_about(task, console, remarks_on(task))
    for label, problems in {"train": task.train, "test": task.test, **task.suites}.items():
        table = Table("id", "question", "answer", title=f"{label}: {len(problems)} problems")
        for problem in problems[: 3 if show is None else show]:
            table.add_row(*map(Text, (problem.id, problem.question, problem.answer)))
        console.print(table)
    asked = f"asked as the model {model} gets it" if model else "asked as"
    for part in task.parts.values() or [task]:
        if (first := first_problem(part)) is not None:
            console.print(f"problem {first.id} is {asked}:", markup=False, highlight=False)
            console.print(Text(_prompt(part, first, model)), soft_wrap=True)


def _print_about(task: Task, console: Console, remarks: Sequence[str] = ()) -> None:
    console.print(
        f"[bold]{escape(task.name)}[/] version {task.version}; "
        f"source: {escape(task.source or 'not stated')}; "
        f"licence: {escape(task.licence or 'not stated')}"
    )
    for remark in (*task.remarks, *remarks):
        console.print(f"NOTE {remark}", markup=False, soft_wrap=True)
    if task.environment is not None:
        console.print(environment_of(task), markup=False, highlight=False, soft_wrap=True)


def environment_of(task: Task) -> str:
    """Return what answers the turns of a task, in a line.

    >>> from rewardkit.tasks import load_task
    >>> environment_of(load_task("guess_number"))[:56]
    "environment Attempts: a turn ends with the model's own e"
    """
    found, parts = task.environment, list[str]()
    if isinstance(found, ToolEnvironment):
        tools = (f"{tool.name}({', '.join(tool.parameters)})" for tool in found.tools)
        parts.append(f"tools {', '.join(tools)}")
    parts.append("a turn ends with " + " or ".join(["the model's own end", *map(repr, found.stop)]))
    parts.append("it answers as " + (" or ".join(found.roles) or "a part of the model's turn"))
    parts.append("graded by the " + ("environment" if grades_itself(task) else "verifier"))
    return f"environment {type(found).__name__}: {'; '.join(parts)}"


def _prompt(task: Task, problem: Problem, model: str | None) -> str:
    chat = plain_messages(chat_of(task, problem))
    if model is None:
        return "\n".join(f"{turn['role']}: {turn['content']}" for turn in chat)
    try:
        from transformers import AutoTokenizer
    except ModuleNotFoundError as error:
        raise MissingExtraError("transformers", "native") from error
    try:
        tokenizer = AutoTokenizer.from_pretrained(resolve_model(model))
    except (OSError, ValueError) as error:
        raise ModelError(f"could not load the tokenizer of {model!r}: {error}") from error
    give_template(tokenizer, EngineOptions(), model)
    text: str = tokenizer.apply_chat_template(
        chat, tokenize=False, add_generation_prompt=True, **task.chat_template_kwargs
    )
    return text
