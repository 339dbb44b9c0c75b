"""verl's sharded checkpoints, the Hugging Face folders made of them, and where a run goes on."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from rewardkit.config import RunConfig
from rewardkit.errors import ModelError
from rewardkit.files import write_text
from rewardkit.runs import RunFolder
from rewardkit.runs.seal import publishing
from rewardkit.runs.training_results import evaluation_label
from rewardkit_verl.launcher.export import export
from rewardkit_verl.launcher.prepare import metrics_file

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
    """Let verl go on from `step`, with its last `keep` checkpoints up to there, or all with 0.

    What verl wrote later comes again, and the old must not be read as new. Of earlier checkpoints
    a new process of verl's knows nothing, and would keep them for ever.
    """
    if step:
        # Before anything is removed: a kill in between leaves a tracker that is right.
        write_text(verl_checkpoints(folder) / TRACKER, str(step))
    kept = [saved for saved in saved_steps(folder) if saved <= step][-keep:]
    for saved, path in _folders(folder).items():
        if saved not in kept:
            shutil.rmtree(path)
    for path in (folder.path / "verl").glob("*/*.jsonl"):  # rollouts and validation
        if path.stem.isdigit() and (int(path.stem) > step or step == 0):
            path.unlink()
    metrics_file(folder.path, step).unlink(missing_ok=True)


def merge(folder: RunFolder, step: int) -> Path:
    """Make `checkpoints/step-...`, a Hugging Face folder, of verl's shards; whole and sealed."""
    final = folder.checkpoints / f"step-{step:05d}"
    with folder.writing(), publishing(final, step=step) as part:
        export(_actor(folder, step), part, folder.config())
    return final


def _folders(folder: RunFolder) -> dict[int, Path]:
    paths = verl_checkpoints(folder).glob("global_step_*")
    numbers = {path: path.name.removeprefix("global_step_") for path in paths}
    return {int(number): path for path, number in numbers.items() if number.isdecimal()}


def _actor(folder: RunFolder, step: int) -> Path:
    return verl_checkpoints(folder) / f"global_step_{step}" / "actor"


def resumable_step(folder: RunFolder) -> int:
    """Return the last step that was saved and recorded, 0 where nothing was saved.

    verl saves a step before it evaluates and logs it: a stop in between leaves a checkpoint whose
    step would never be measured. Where no checkpoint has all its records, the last one counts.
    """
    last, config = latest_step(folder), folder.config()
    steps = [step for step in saved_steps(folder) if step <= last]
    return next((s for s in reversed(steps) if not missing_records(config, folder, s)), last)


def missing_records(config: RunConfig, folder: RunFolder, step: int) -> list[str]:
    """Return what the run folder lacks of a step that was saved, in words."""
    found = []
    if step not in {row["step"] for row in folder.rows("metrics.jsonl")}:
        found.append("its row in metrics.jsonl and its rollouts")
    evaluated = {result["step"] for result in folder.evaluations().values()}
    if evaluation_label(config, step) and step not in evaluated:
        found.append("its evaluation in results.json")
    return found


if __name__ == "__main__":  # by hand, of a step that has shards alone: RUN STEP
    sys.stdout.write(f"{merge(RunFolder.open(sys.argv[1]), int(sys.argv[2]))}\n")
