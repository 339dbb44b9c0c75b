"""Load a task by name, or make one of any data set (`file:PATH`, `hf:OWNER/NAME`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rewardkit.checks import check_columns
from rewardkit.data.asking import DefaultPrompt, PromptTemplate
from rewardkit.data.lazy import LazyProblems
from rewardkit.data.mapping import RowMapping
from rewardkit.data.opening import (
    FILE,
    HUB,
    KINDS,
    as_data,
    is_data,
    local_path,
    parse_hub,
    pinned,
    splits_of,
)
from rewardkit.data.problems import DataProblems
from rewardkit.environments import TOOLS, with_tools
from rewardkit.environments.environment import refuse_misshapen
from rewardkit.environments.grades import OneTurn, grades_itself
from rewardkit.errors import ConfigError, DataError, UnknownNameError
from rewardkit.options import check_kinds
from rewardkit.registry import FAMILIES, TASKS, import_object, refuse_named
from rewardkit.types import Problem, Task, VerifierLike

__all__ = ["data_task", "load_task"]

HELD_OUT = ("test", "validation", "valid", "val", "dev", "eval")
"""Splits that are looked for, in this order, to evaluate on."""


def load_task(name: str, **arguments: Any) -> Task:
    """Return the task behind a name, a data set, `NAME=PATH`, or `package.module:attribute`.

    `file:PATH` and `hf:OWNER/NAME[:CONFIG][@REVISION]` are data sets, see `data_task` for their
    arguments. `NAME=PATH` reads the problems of a known task from a local copy, where its hub
    cannot be reached. Other names go to `rewardkit.registry.TASKS`, and the arguments to its
    factory.

    Raises:
        UnknownNameError: no such task; lists the known ones, nearest first.
        ConfigError: an argument that the task does not take.
        DataError: a file or row that cannot be used, or one without a column that the task's
            verifier asks for.
    """
    return opened(make_task(name, **arguments))


def make_task(name: str, **arguments: Any) -> Task:
    """Return what `load_task` does, with data sets that are opened when they are first looked at.

    So a process that only grades does not read what it will never ask.
    """
    name, *tools = with_its_tools(name)
    if tools:
        options = arguments.pop("tools", {})
        return with_tools(make_task(name, **arguments), tools, options)
    if is_data(name):
        return _call(data_task, name, {"reference": name, **arguments})
    if "=" in name:
        name, _, path = name.partition("=")
        found = _registered(name)
        arguments = {_path_parameter(found, name): path, **arguments}
    else:
        found = _registered(name)
    if isinstance(found, Task):
        if arguments:
            raise ConfigError(f"task {name!r} takes no arguments, found {sorted(arguments)}")
        return _with_verdicts(found)
    return _with_verdicts(_call(found, name, arguments))


def with_its_tools(name: str) -> list[str]:
    """Return the name of a task and those of the tools that stand behind it.

    Raises:
        UnknownNameError: what stands behind a task is no tool.

    >>> with_its_tools("gsm8k+python"), with_its_tools("file:data/c++.jsonl")
    (['gsm8k', 'python'], ['file:data/c++.jsonl'])
    >>> with_its_tools("hf:owner/code:C++")  # no name of a tool is empty
    ['hf:owner/code:C++']
    """
    base, *tools = name.split("+")
    unknown = [tool for tool in tools if tool not in TOOLS.names() and ":" not in tool]
    if unknown and unknown[0] and _is_whole(base, name):
        raise UnknownNameError("tool", unknown[0], [*TOOLS.names(), "module:function"])
    return [base, *tools] if tools and not unknown else [name]


def _is_whole(base: str, name: str) -> bool:
    """Return whether a task's name ends before the plus sign: only a path may hold one."""
    if base.startswith(FILE):
        return local_path(base).exists() and not local_path(name).exists()
    return base in TASKS.names() or (":" in base and "=" not in base)


def check_name(name: str) -> None:
    """Refuse what is no task by its name alone; nothing is read.

    Raises:
        UnknownNameError: no such task.
        ConfigError: a name of no form that a task has.
        DataError: a file that is not there.
    """
    name = with_its_tools(name)[0]
    if not is_data(name):
        of, _, path = name.partition("=")
        if ":" in of:
            return  # an object of a module: importing it may cost anything
        if path:
            _path_parameter(_registered(of), of)
            name = f"{FILE}{path}"
        elif of not in TASKS.names():
            _registered(of)
    if name.startswith(FILE) and not local_path(name).exists():
        raise DataError(f"{local_path(name)}: no such file")


def opened(task: Task) -> Task:
    """Return a task whose data are open and checked, with what there is to remark on them.

    Its source names the commit of what came from the hub.

    Raises:
        DataError: a file or row that cannot be used, or one without a column that the task's
            verifier asks for.
    """
    remarks = list(task.remarks)
    for problems in (task.train, task.test, *task.suites.values()):
        if isinstance(problems, LazyProblems):
            len(problems)
            remarks += problems.remarks
    check_columns(task)
    return replace(task, remarks=list(dict.fromkeys(remarks)), source=pinned(task.source))


def data_task(
    reference: str,
    train: str | None = None,
    test: str | None = None,
    split: str = "",
    test_split: str = "",
    columns: Mapping[str, str] | None = None,
    prompt: str = "",
    verifier: str = "math",
    answer_in: str | tuple[str, ...] | list[str] = (),
    gold: str = "",
) -> Task:
    """Return a task of the rows of a data set.

    Where a data set has splits (one of the hub, or a folder whose files are named so), `split` is
    trained on, and `test_split` tested on: `train`, and the first of `HELD_OUT` that is there. A
    file is trained on where `test` names another, tested on where `train` does; alone it is both,
    and a run has to turn its evaluation off.

    Args:
        reference: `file:PATH` (.jsonl, .json, .csv, .parquet, .arrow, or a folder of them), or
            `hf:OWNER/NAME[:CONFIG][@REVISION]`.
        train: another data set to train on.
        test: another data set to test on.
        split: the split to train on.
        test_split: the split to test on.
        columns: which column is what, see `rewardkit.data.mapping`.
        prompt: the template that asks a question which is a text, by default for its answer where
            it is read; chats are asked as they are.
        verifier: a registered name, or `package.module:attribute`.
        answer_in: where the prompt says that the answer stands, as in `MathVerifier`; by default
            it is read anywhere.
        gold: which part of a gold is the answer: `boxed`, `hash`, `last_line` or `as_is`; by
            default that is found out from the rows.

    Raises:
        DataError: at the first look, for a file or row that cannot be used.
        ConfigError: a setting that cannot be used, or the verifier is not registered.
    """
    from rewardkit.verifiers.declaration import answer_in_of

    mapping = RowMapping(columns or {})
    asked = {"train": split or ("train",), "test": test_split or HELD_OUT}
    has_splits = reference.startswith(HUB) or bool(splits_of(reference))

    def problems(of: str, other: str | None) -> Sequence[Problem]:
        named = reference if other is None else as_data(other)
        several = other is None or named.startswith(HUB) or bool(splits_of(named))
        return DataProblems(named, mapping, asked[of] if several else of, gold)

    alone, grading = DataProblems(reference, mapping, gold=gold), _made(verifier, answer_in)
    return Task(
        name=name_of(reference),
        train=problems("train", train) if has_splits or train else alone,
        test=problems("test", test) if has_splits or test else alone,
        messages=PromptTemplate(prompt) if prompt else DefaultPrompt(answer_in_of(grading)),
        verifier=grading,
        source=reference,
    )


def _made(verifier: str, answer_in: str | tuple[str, ...] | list[str]) -> VerifierLike:
    from rewardkit.verifiers import load_verifier
    from rewardkit.verifiers.declaration import with_answer_in

    found = load_verifier(verifier)
    return with_answer_in(found, answer_in) if answer_in else found


def read_problems(path: Path) -> list[Problem]:
    """Return the problems of a file: .jsonl, .json, .csv, .parquet, .arrow, or a folder of them.

    Each row holds `problem` (or `question`) and `answer` (or `gold`), both non-empty; `id` (the
    row's number where absent) and `source` are optional, and further columns go to `info`.

    Raises:
        DataError: names the file, the line and the field.
    """
    return list(DataProblems(str(path)))


def name_of(reference: str) -> str:
    """Return what results call a data set.

    >>> name_of("file:data/held_out.jsonl"), name_of("hf:openai/gsm8k:main@e5")
    ('held_out', 'openai/gsm8k')
    """
    if reference.startswith(HUB):
        return parse_hub(reference)[0]
    return Path(reference.removeprefix(FILE)).stem


def _with_verdicts(task: Task) -> Task:
    """Return the task with a verifier whose bools and scores are turned into verdicts.

    Where its environment grades, that is the verifier, too.

    Raises:
        ConfigError: it is no task, or its environment is none.
    """
    from rewardkit.verifiers.functions import as_verifier

    if not isinstance(task, Task):
        raise ConfigError(f"a task's factory must return a Task, found a {type(task).__name__}")
    if task.environment is not None:
        refuse_misshapen(task.environment, task.name)
    if grades_itself(task):
        return replace(task, verifier=as_verifier(OneTurn(task.environment)))
    return replace(task, verifier=as_verifier(task.verifier))


def _registered(name: str) -> Any:
    """Return what `TASKS` holds under a name; what is wrong with the name is said in full."""
    if Path(name).suffix in KINDS:
        raise ConfigError(f"no task is called {name!r}; a file of problems is file:{name}")
    family, _, member = name.partition(":")
    if family in FAMILIES:
        if family == "verifiers":
            refuse_named("task", name)  # it imports an installed package of that name
        return partial(import_object(FAMILIES[family], "task"), member)
    if "/" in name:
        form = f"file:{name}" if Path(name).exists() else f"hf:{name}"
        raise ConfigError(f"no task is called {name!r}; a data set of that name is {form}")
    try:
        return TASKS.get(name)
    except UnknownNameError as error:
        if ":" not in name:
            error.add_note(
                "A task that a script registers is known to that script alone. Elsewhere, from the "
                f"script's folder, it is --task MODULE:FUNCTION, such as {name}:task if {name}.py "
                "holds its function `task`; and a run that the script began is resumed by the "
                "script, with resume=True."
            )
        raise


def _call(factory: Callable[..., Task], name: str, arguments: Mapping[str, Any]) -> Task:
    try:
        inspect.signature(factory).bind(**arguments)
    except TypeError as error:
        known = ", ".join(inspect.signature(factory).parameters) or "none"
        raise ConfigError(f"task {name!r}: {error}; it takes: {known}") from error
    check_kinds(f"task {name!r}", factory, arguments)
    return factory(**arguments)


def _path_parameter(factory: Any, name: str) -> str:
    """Return the argument that takes a local copy: `path`, or `test` where there are splits."""
    parameters = inspect.signature(factory).parameters if callable(factory) else {}
    for parameter in ("path", "test"):
        if parameter in parameters:
            return parameter
    raise ConfigError(f"task {name!r} makes its own problems and reads none from a file")
