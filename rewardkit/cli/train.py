"""`rewardkit train`: one configuration file, one run folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import tyro

from rewardkit.cli.printing import note
from rewardkit.config import RunConfig, load_config
from rewardkit.config.flags import Unset
from rewardkit.config.reference import of_run, written
from rewardkit.errors import ConfigError
from rewardkit.recipes import recipe
from rewardkit.registry import BACKENDS, FORECASTS, PLANS
from rewardkit.runs import RunFolder

GPUS = (8, "80GB", 512)
"""What --plan asks about by default: how many, of which memory, how many tokens of prompts."""


def train(
    config: tyro.conf.Positional[Unset[str]] = None,
    set: tyro.conf.UseAppendAction[tuple[str, ...]] = (),
    resume: Annotated[Unset[str], tyro.conf.arg(metavar="RUN")] = None,
    backend: Unset[str] = None,
    overwrite: bool = False,
    plan: bool = False,
    gpus: int = GPUS[0],
    memory: str = GPUS[1],
    prompt_tokens: int = GPUS[2],
    dry_run: bool = False,
    explain: bool = False,
) -> None:
    """Train a model on a task with a recipe.

    Args:
        config: the TOML file of the run; with --resume, the run folder's own is used.
        set: override one setting, as in --set optim.lr=1e-5.
        resume: continue the run in this folder from its last checkpoint.
        backend: native (this process; the default) or verl; with --resume, where the run began.
        overwrite: remove an earlier run in the same folder first.
        plan: say what a step will hold and take on GPUs, whether it fits, what to change, and how
            long it takes on this CPU; keep nothing. By default for every backend that can tell.
        gpus: --plan: how many GPUs train together.
        memory: --plan: memory of each, such as 80GB.
        prompt_tokens: --plan: how long prompts are.
        dry_run: print what would be passed on to verl (overrides, data, command); start nothing.
        explain: print every setting with its value and default, and what it becomes in verl.
    """
    run, backend = _asked_for(config, resume, set, backend, overwrite=overwrite, plan=plan)
    asked = (gpus, memory, prompt_tokens)
    if not plan and asked != GPUS:
        raise ConfigError("--gpus, --memory and --prompt-tokens are for --plan; add it")
    if plan:
        _planned(run, [backend] if backend else FORECASTS.names(), *asked)
        return
    backend = backend or "native"
    if explain and backend not in PLANS.names():
        print(_explained(run))  # noqa: T201
        return
    if dry_run or explain:
        if backend not in PLANS.names():
            raise ConfigError(
                f"--dry-run shows what is passed on, and the {backend} backend passes nothing on. "
                f"It works with --backend {' or '.join(PLANS.names())}; --explain works here"
            )
        note(f"{backend}'s own configuration is composed and checked ...")
        print(PLANS.get(backend)(run, explain=explain))  # noqa: T201
        return
    BACKENDS.get(backend)(run, resume=resume is not None, overwrite=overwrite)


def _asked_for(
    config: str | None,
    resume: str | None,
    set: Sequence[str],
    backend: str | None,
    *,
    overwrite: bool,
    plan: bool,
) -> tuple[RunConfig, str | None]:
    """Return the run of a file or a folder, and the backend that it is for."""
    if config is None and resume is None:
        raise ConfigError("give a configuration file, or --resume RUN")
    if config is not None and resume is not None:
        raise ConfigError(
            f"--resume takes the configuration that {resume} holds; leave out {config}, and change "
            "a setting with --set"
        )
    if resume is not None and overwrite:
        raise ConfigError("--resume continues a run and --overwrite removes it; give one of them")
    if resume is not None:
        folder = RunFolder.open(resume)
        _refuse_other_owner(folder.config_file)
        note(f"{folder.config_file} says what runs: its task, verifier and terms are code")
        return folder.config(set), backend if plan else _backend_of(folder, backend)
    assert config is not None
    return load_config(config, set), backend


def _planned(
    run: RunConfig, backends: Iterable[str], gpus: int, memory: str, prompt_tokens: int
) -> None:
    """Print what a step will hold and take, before anything is loaded."""
    if gpus < 1 or prompt_tokens < 1:
        raise ConfigError("--gpus and --prompt-tokens must be at least 1")
    for name in backends:
        note(f"{name}: its code runs on tensors without numbers ...")
        print(FORECASTS.get(name)(run, gpus=gpus, memory=memory, prompt_tokens=prompt_tokens))  # noqa: T201


def _refuse_other_owner(file: Path) -> None:
    """Refuse a configuration that somebody else wrote: what it names is imported."""
    owner = file.stat().st_uid
    if owner != os.getuid():
        raise ConfigError(
            f"{file} belongs to another user (number {owner}), and the modules that it names would "
            f"run with your rights. Look at it; then copy the folder, and resume your copy"
        )


def _explained(run: RunConfig) -> str:
    """Return a line for each setting: its value, the default where it is another, its meaning.

    A recipe's constants are compared with the published ones.
    """
    published = vars(recipe(run.recipe.name))
    rows = []
    for setting, value in of_run(run):
        section, _, name = setting.key.rpartition(".")
        default = written(published[name]) if section == "recipe" else setting.default
        said = f"(default: {default})" if default not in ("", value) else ""
        rows.append((setting.key, f"{value} {said}".strip(), setting.meaning))
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    return "\n".join(f"{k:<{widths[0]}}  {v:<{min(widths[1], 40)}}  {m}" for k, v, m in rows)


def _backend_of(folder: RunFolder, asked: str | None) -> str:
    """Return the backend that a run began on: the checkpoints of one mean nothing to another."""
    began = str(folder.read_json("manifest.json").get("backend", "native"))
    if asked not in (None, began):
        raise ConfigError(
            f"{folder.path} was begun with --backend {began}, and {asked} cannot go on from its "
            "checkpoints. Leave --backend out, or start a run of its own from its model with "
            f"--set model.name={folder.typed}"
        )
    return began
