"""A checkpoint is a Hugging Face folder plus the trainer's state, whole or not there at all."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError

from rewardkit.errors import DataError, ModelError
from rewardkit.runs import RunFolder
from rewardkit.runs.retention import checkpoints, retain
from rewardkit.runs.seal import check, is_whole, publishing, sweep
from rewardkit.sampling.counts import CountTable, fingerprint
from rewardkit.sampling.leftovers import Leftover, load_leftovers, save_leftovers
from rewardkit.sampling.problems import Cursor
from rewardkit_native.distributed.sharding import load_optimiser_state, optimiser_state
from rewardkit_native.generators import generator_states, set_generator_states
from rewardkit_native.learning.critic import write_critic
from rewardkit_native.learning.update import Updater
from rewardkit_native.setup import Parts

STATE = "trainer_state.pt"
COUNTS = "counts.bin"
"""The problem sampler's table."""
LEFTOVERS = "leftovers.json"


@dataclass
class RunState:
    """Where a run stands: all of its state that is neither weights nor optimiser.

    A rollout is a function of weights, prompt and seed, so that no generator has to be kept. Which
    problem is next is a function of the table of counts, which lies beside it, and the cursor.
    """

    step: int = 0
    cursor: int = 0
    """The next position in the problem stream."""
    drawn: int = 0
    """Problems drawn so far."""
    records: dict[str, int] = field(default_factory=dict)
    """How long each record of the run folder was: what lies behind is of steps to be made again."""
    guards: dict[str, Any] = field(default_factory=dict)
    """The guards' memory, by guard."""
    processes: int = 1
    threads: int = field(default_factory=torch.get_num_threads)
    """CPU threads: another number adds up in another order, and rounds to other bits."""
    entropy_coef: float | None = None
    """The adapted weight of the entropy bonus; None before the first step."""
    leftovers: Sequence[Leftover] = ()
    """Groups with signal for the next step; in a file of their own."""


class ResumePoint(NamedTuple):
    """What there is to resume from, and what was refused, with the reasons."""

    path: Path | None
    refused: dict[Path, str]


def save(folder: RunFolder, progress: RunState, parts: Parts, keep: int) -> Path:
    """Write the checkpoint of this step; keep the last `keep` (all with 0) and the best.

    A step that is already saved and whole is left alone. All ranks must call this; the first one
    writes.

    Raises:
        TrainingError: it could not be written; earlier checkpoints are untouched.
    """
    final = folder.checkpoints / f"step-{progress.step:05d}"
    if parts.ranks.on_first(lambda: is_whole(final)):
        return final
    first = parts.ranks.first
    state = trained_state(parts.updater, keep=first)
    critic = parts.updater.critic
    values = critic.weights(keep=first) if critic else {}
    weights = parts.weights.gathered(keep=first)
    if not first:
        return final
    with folder.writing():
        try:
            with publishing(final, step=progress.step) as part:
                parts.weights.write(part, weights)
                parts.tokenizer.save_pretrained(part)
                if critic:
                    write_critic(part, values)
                kept = {k: v for k, v in vars(progress).items() if k != "leftovers"}
                problems = fingerprint(parts.task.train)
                # A path that torch opens itself has its errors told in torch's own words alone.
                with (part / STATE).open("wb") as file:
                    torch.save(
                        {
                            "progress": kept,
                            **state,
                            "generators": generator_states(),
                            "problems": problems,
                        },
                        file,
                    )
                parts.chooser.table.save(part / COUNTS, until=progress.step)
                save_leftovers(part / LEFTOVERS, progress.leftovers)
        except (RuntimeError, SafetensorError) as error:  # how both report a failed write
            raise OSError(f"could not save {final.name}: {_write_error(error)}") from error
        retain(folder, keep)
    return final


def _write_error(error: BaseException) -> str:
    """Return what the system said of a failed write, of which torch says `unexpected pos`."""
    below = error.__context__
    return below.strerror or str(below) if isinstance(below, OSError) else str(error)


def recover(folder: RunFolder, parts: Parts) -> tuple[RunState, list[str]]:
    """Restore the newest checkpoint that is whole, the run's start if there is none at all.

    A damaged one is set aside under the name `damaged-step-N`. The second result says what the
    user should know: which were refused, and why, or that the run starts again.
    """
    path, refused = parts.ranks.on_first(lambda: newest_whole(folder))
    if path is None:
        return RunState(), [
            f"{folder.path} holds no checkpoint: the run starts again at step 1, and what it had "
            "recorded is replaced"
        ]
    progress = restore(path, parts)
    if parts.ranks.first:
        for damaged in refused:
            rename_damaged(damaged)
    return progress, list(refused.values())


def newest_whole(folder: RunFolder) -> ResumePoint:
    """Return the newest checkpoint that is whole, and why later ones are not.

    Raises:
        ModelError: there are checkpoints and all are damaged.
    """
    sweep(folder.checkpoints)
    refused: dict[Path, str] = {}
    for path in reversed(checkpoints(folder)):
        try:
            check(path)
        except ModelError as error:
            refused[path] = str(error)
        else:
            return ResumePoint(path, refused)
    if refused:
        raise ModelError(
            "no checkpoint is left to resume from:\n  "
            + "\n  ".join(refused.values())
            + f"\nBring one of them back from a copy, or start again with --overwrite. "
            f"Nothing in {folder.path} was changed."
        )
    return ResumePoint(None, refused)


def keep_threads(progress: RunState, asked: int, processes: int) -> None:
    """Go on with as many threads as before, unless the user `asked` for a number.

    On a machine with fewer cores, or with another number of processes, there is nothing to keep:
    it rounds in its own way.
    """
    same = progress.processes == processes and progress.threads <= (os.cpu_count() or 1)
    if same and not asked:
        torch.set_num_threads(progress.threads)
    progress.threads, progress.processes = torch.get_num_threads(), processes


def rename_damaged(path: Path) -> None:
    """Rename a damaged checkpoint, so that nothing takes it for one."""
    renamed = path.with_name(f"damaged-{path.name}")
    number = 1
    while renamed.exists():
        number += 1
        renamed = path.with_name(f"damaged-{path.name}-{number}")
    path.rename(renamed)


OPTIMISERS = ("optimiser", "critic_optimiser")
"""Names in the trainer's state, for the policy and for its critic."""


def trained_state(updater: Updater, *, keep: bool) -> dict[str, Any]:
    """Return the state of every optimiser; a collective of all ranks."""
    return {
        name: optimiser_state(one, keep=keep)
        for name, one in zip(OPTIMISERS, updater.optimisers, strict=False)
    }


@contextmanager
def settings_kept(optimiser: torch.optim.Optimizer) -> Iterator[None]:
    """Let what is loaded keep the configuration's betas and their like, not the saved ones."""
    settings = [{k: v for k, v in one.items() if k != "params"} for one in optimiser.param_groups]
    yield
    for group, kept in zip(optimiser.param_groups, settings, strict=True):
        group.update(kept)


def restore(path: Path, parts: Parts) -> RunState:
    """Put weights, trainer state and generators back, and return where the run stood.

    Whether it is whole is for `recover` to know.

    Raises:
        ModelError: the checkpoint is of another model or optimiser.
        DataError: the training problems are not those that the run has seen.
    """
    try:
        parts.weights.load(path)
        # Mapped, not read: of several ranks each takes no more than its slices to its device.
        state: Mapping[str, Any] = torch.load(
            path / STATE, map_location="cpu", mmap=True, weights_only=True
        )
        if parts.updater.critic:
            parts.updater.critic.load(path)
        for name, optimiser in zip(OPTIMISERS, parts.updater.optimisers, strict=False):
            with settings_kept(optimiser):
                load_optimiser_state(optimiser, state[name])
        progress = RunState(**state["progress"])
        problems, generators = state["problems"], state["generators"]
    except pickle.UnpicklingError as error:
        raise ModelError(
            f"{path / STATE} holds more than tensors and numbers, which could run code, and is not "
            f"loaded: {str(error).splitlines()[0]}"
        ) from error
    except (RuntimeError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise ModelError(
            f"{path} is whole, but does not fit this run's model or optimiser ({error}); resume "
            "with the settings that it was saved with"
        ) from error
    if problems != fingerprint(parts.task.train):
        raise DataError(
            f"the training problems of task {parts.task.name} are not those that this run was "
            "training on; put them back, or start a new run from "
            f"--set model.name={path} in another folder"
        )
    cursor = Cursor(progress.step, progress.cursor, progress.drawn)
    table = CountTable(problems)
    if (path / COUNTS).exists():  # a checkpoint of before there was one is sealed without it
        table = CountTable.load(path / COUNTS, problems)
        progress.leftovers = load_leftovers(path / LEFTOVERS, parts.task.train)
    parts.chooser.restore(table, cursor)
    set_generator_states(generators)
    return progress
