"""A checkpoint is a Hugging Face folder plus the trainer's state, whole or not there at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_model

from rewardkit.errors import ModelError
from rewardkit.runs import RunFolder
from rewardkit_native.generators import generator_states, set_generator_states
from rewardkit_native.retention import checkpoints, retain
from rewardkit_native.sealed import check, is_whole, publishing, sweep
from rewardkit_native.setup import Parts

STATE = "trainer_state.pt"


@dataclass
class Progress:
    """Where a run stands: all of its state that is neither weights nor optimiser.

    A sampler has no state and there are no leftover groups: a rollout is a function of weights,
    prompt and seed, and a batch is topped up by no more groups than it lacks.
    """

    step: int = 0
    cursor: int = 0
    """The next position in the problem stream."""
    records: dict[str, int] = field(default_factory=dict)
    """How long each record of the run folder was: what lies behind is of steps to be made again."""
    guards: dict[str, Any] = field(default_factory=dict)
    """The guards' memory, by guard."""


def save(folder: RunFolder, progress: Progress, parts: Parts, keep: int) -> Path:
    """Write the checkpoint of this step; keep the last `keep` and the best.

    A step that is already saved and whole is left alone.

    Raises:
        TrainingError: it could not be written; earlier checkpoints are untouched.
    """
    final = folder.checkpoints / f"step-{progress.step:05d}"
    if is_whole(final):
        return final
    with folder.writing():
        try:
            with publishing(final, step=progress.step) as part:
                parts.model.save_pretrained(part)
                parts.tokenizer.save_pretrained(part)
                torch.save(
                    {
                        "progress": vars(progress),
                        "optimiser": parts.updater.optimiser.state_dict(),
                        "schedule": parts.updater.schedule.state_dict(),
                        "generators": generator_states(),
                    },
                    part / STATE,
                )
        except (RuntimeError, SafetensorError) as error:  # how both report a failed write
            raise OSError(f"could not save {final.name}: {error}") from error
        retain(folder, keep)
    return final


def recover(folder: RunFolder, parts: Parts) -> tuple[Progress, list[str]]:
    """Restore the newest checkpoint that is whole, the run's start if there never was one.

    A damaged one is set aside under the name `damaged-step-N`. The second result says which were
    refused, and why.

    Raises:
        ModelError: there are checkpoints and all are damaged, or one does not fit this model.
    """
    sweep(folder.checkpoints)
    refused: dict[Path, str] = {}
    progress = Progress()
    for path in reversed(checkpoints(folder)):
        try:
            check(path)
        except ModelError as error:
            refused[path] = str(error)
            continue
        updater = parts.updater
        progress = restore(path, parts.model, updater.optimiser, updater.schedule)
        break
    else:
        if refused:
            raise ModelError(
                "no checkpoint is left to resume from:\n  "
                + "\n  ".join(refused.values())
                + f"\nBring one of them back from a copy, or start again with --overwrite. "
                f"Nothing in {folder.path} was changed."
            )
    for path in refused:
        set_aside(path)
    return progress, list(refused.values())


def set_aside(path: Path) -> None:
    """Rename a damaged checkpoint, so that nothing takes it for one; the newest such stays."""
    aside = path.with_name(f"damaged-{path.name}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"damaged-{path.name}-{number}")
    path.rename(aside)


def restore(
    path: Path,
    model: Any,
    optimiser: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
) -> Progress:
    """Put weights, trainer state and generators back, and return where the run stood.

    Whether it is whole is for `recover` to know.

    Raises:
        ModelError: the checkpoint is of another model or optimiser.
    """
    try:
        load_model(model, str(path / "model.safetensors"), device=str(model.device))
        state: Mapping[str, Any] = torch.load(
            path / STATE, map_location=model.device, weights_only=True
        )
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        progress = Progress(**state["progress"])
    except (RuntimeError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise ModelError(
            f"{path} is whole, but does not fit this run's model or optimiser ({error}); resume "
            "with the settings that it was saved with"
        ) from error
    set_generator_states(state["generators"])
    return progress
