"""verl's sharded checkpoints, and the Hugging Face folders that are made of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from rewardkit.errors import ModelError
from rewardkit.runs import RunFolder
from rewardkit_verl.prepare import metrics_file

TRACKER = "latest_checkpointed_iteration.txt"
"""verl writes a checkpoint's step in here when all of it is on the disk."""


def verl_checkpoints(folder: RunFolder) -> Path:
    """Return where verl keeps its checkpoints of a run."""
    return folder.path / "verl" / "checkpoints"


def latest_step(folder: RunFolder) -> int:
    """Return the step of the last whole checkpoint, 0 where there is none.

    Raises:
        ModelError: verl's tracker names a checkpoint that is not there.
    """
    tracker = verl_checkpoints(folder) / TRACKER
    if not tracker.exists():
        return 0
    named = tracker.read_text().strip()
    if not named.isdigit() or not _actor(folder, int(named)).is_dir():
        raise ModelError(
            f"{tracker} names step {named!r}, and there is no such checkpoint beside it; write "
            "the step of one that is there into that file"
        )
    return int(named)


def saved_steps(folder: RunFolder) -> list[int]:
    """Return the steps of which there is a checkpoint, in order; the last may be half written."""
    return sorted(step for step in _folders(folder) if _actor(folder, step).is_dir())


def go_back(folder: RunFolder, step: int, keep: int) -> None:
    """Let verl go on from `step`, with its last `keep` checkpoints up to there.

    What verl wrote later comes again, and the old must not be read as new. Of earlier checkpoints
    a new process of verl's knows nothing, and would keep them for ever.
    """
    if step:
        # Before anything is removed: a kill in between leaves a tracker that is right.
        part = verl_checkpoints(folder) / f"{TRACKER}.part"
        part.write_text(str(step))
        part.replace(part.with_name(TRACKER))
    kept = [saved for saved in saved_steps(folder) if saved <= step][-keep:]
    for saved, path in _folders(folder).items():
        if saved not in kept:
            shutil.rmtree(path)
    for path in (folder.path / "verl").glob("*/*.jsonl"):  # rollouts and validation
        if path.stem.isdigit() and (int(path.stem) > step or step == 0):
            path.unlink()
    metrics_file(folder.path, step).unlink(missing_ok=True)


def merge(folder: RunFolder, step: int) -> Path:
    """Make `checkpoints/step-...`, a Hugging Face folder, of verl's shards.

    verl's own model merger does it, in a process of its own, and the folder appears whole.

    Raises:
        ModelError: the merger failed; carries its last lines.
    """
    final = folder.checkpoints / f"step-{step:05d}"
    part = folder.checkpoints / f".part-{step:05d}"
    shutil.rmtree(part, ignore_errors=True)
    command = [sys.executable, "-m", "verl.model_merger", "merge", "--backend", "fsdp"]
    command += ["--local_dir", str(_actor(folder, step)), "--target_dir", str(part)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        # The merger works on a CPU wherever it runs, and needs no plugin.
        env={**os.environ, "VERL_USE_EXTERNAL_MODULES": "", "VERL_USE_EXTERNAL_PLUGINS": "none"}
        | {"VERL_PLATFORM": ""},
        check=False,
    )
    if done.returncode:
        shutil.rmtree(part, ignore_errors=True)
        last = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise ModelError(
            f"verl's model merger could not read {_actor(folder, step)}. Try it by hand:\n"
            f"  {' '.join(command)}\n{last}"
        )
    shutil.rmtree(final, ignore_errors=True)
    part.rename(final)
    return final


def _folders(folder: RunFolder) -> dict[int, Path]:
    paths = verl_checkpoints(folder).glob("global_step_*")
    numbers = {path: path.name.removeprefix("global_step_") for path in paths}
    return {int(number): path for path, number in numbers.items() if number.isdecimal()}


def _actor(folder: RunFolder, step: int) -> Path:
    return verl_checkpoints(folder) / f"global_step_{step}" / "actor"
