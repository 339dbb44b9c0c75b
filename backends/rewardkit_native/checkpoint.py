"""A checkpoint is a Hugging Face folder plus the trainer's state, whole or not there at all."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError

from rewardkit.errors import ModelError
from rewardkit.runs import RunFolder
from rewardkit_native.setup import Parts
from rewardkit_native.sharding import load_optimiser_state, optimiser_state

STATE = "trainer_state.pt"


@dataclass
class Progress:
    """Where a run stands: steps done, and the next position in the problem stream."""

    step: int = 0
    cursor: int = 0
    steps_without_signal: int = 0


def save(folder: RunFolder, progress: Progress, parts: Parts, keep: int) -> Path:
    """Write a checkpoint beside its final place, then rename it there; keep the last `keep`."""
    final = folder.checkpoints / f"step-{progress.step:05d}"
    part = folder.checkpoints / f".part-{progress.step:05d}"
    optimiser = optimiser_state(parts.updater.optimiser)
    if not parts.ranks.first:
        parts.weights.save(part, write=False)  # its slices are in what the first rank writes
        return final
    with folder.writing():
        shutil.rmtree(part, ignore_errors=True)
        try:
            parts.weights.save(part, write=True)
            parts.tokenizer.save_pretrained(part)
            torch.save(
                {
                    "progress": vars(progress),
                    "optimiser": optimiser,
                    "schedule": parts.updater.schedule.state_dict(),
                },
                part / STATE,
            )
            for file in part.rglob("*"):
                _flush(file)
            shutil.rmtree(final, ignore_errors=True)
            part.rename(final)
            _flush(folder.checkpoints)
        except (RuntimeError, SafetensorError) as error:  # how both report a failed write
            raise OSError(f"could not save {final.name}: {error}") from error
        finally:
            shutil.rmtree(part, ignore_errors=True)
    for old in checkpoints(folder)[:-keep]:
        shutil.rmtree(old)
    return final


def checkpoints(folder: RunFolder) -> list[Path]:
    """Return the run's checkpoints, oldest first."""
    found = folder.checkpoints.glob("step-*")
    return sorted(found, key=lambda path: int(path.name.removeprefix("step-")))


def restore(path: Path, parts: Parts) -> Progress:
    """Put weights and trainer state back, and return where the run stood.

    Raises:
        ModelError: the checkpoint is damaged.
    """
    try:
        parts.weights.load(path)
        state = torch.load(path / STATE, map_location=parts.model.device, weights_only=True)
    except Exception as error:
        raise ModelError(
            f"checkpoint {path} is damaged ({error}); remove that folder to resume from the one "
            "before it"
        ) from error
    load_optimiser_state(parts.updater.optimiser, state["optimiser"])
    parts.updater.schedule.load_state_dict(state["schedule"])
    return Progress(**state["progress"])


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
