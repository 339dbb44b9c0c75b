"""`rewardkit train`: one configuration file, one run folder."""

from __future__ import annotations

from typing import Annotated

import tyro

from rewardkit.config import load_config
from rewardkit.errors import ConfigError
from rewardkit.registry import BACKENDS, PLANS
from rewardkit.runs import RunFolder


def train(
    config: tyro.conf.Positional[str | None] = None,
    set: tyro.conf.UseAppendAction[tuple[str, ...]] = (),
    resume: Annotated[str | None, tyro.conf.arg(metavar="RUN")] = None,
    backend: str = "native",
    overwrite: bool = False,
    dry_run: bool = False,
    explain: bool = False,
) -> None:
    """Train a model on a task with a recipe.

    Args:
        config: The TOML file of the run; with --resume, the run folder's own is used.
        set: Override one setting, as in --set optim.lr=1e-5; may be given several times.
        resume: Continue the run in this folder from its last checkpoint.
        backend: Where to train: native (this process) or verl (its FSDP and vLLM workers).
        overwrite: Remove an earlier run in the same folder first.
        dry_run: Print what would be passed on to the backend (verl's overrides, data files and
            command), and start nothing.
        explain: Print what each setting becomes there, and what it would be by default.
    """
    if (config is None) == (resume is None):
        raise ConfigError("give a configuration file, or --resume RUN")
    if resume is not None and overwrite:
        raise ConfigError("--resume continues a run and --overwrite removes it; give one of them")
    if resume is not None:
        run = RunFolder.open(resume).config(set)
    else:
        assert config is not None
        run = load_config(config, set)
    if dry_run or explain:
        if backend not in PLANS.names():
            raise ConfigError(
                f"--dry-run and --explain show what is passed on, and the {backend} backend passes "
                f"nothing on. They work with --backend {' or '.join(PLANS.names())}"
            )
        print(PLANS.get(backend)(run, explain=explain))  # noqa: T201
        return
    BACKENDS.get(backend)(run, resume=resume is not None, overwrite=overwrite)
