"""Which weights a model's name stands for, and a fingerprint that changes when they do."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Collection
from pathlib import Path

from rewardkit.data.hub import reach_hub
from rewardkit.errors import ModelError, nearest_hint
from rewardkit.files import read_toml
from rewardkit.registry import MODELS
from rewardkit.runs.seal import sealed_digests, sha256

WEIGHTS = ("*.safetensors", "*.bin", "*.gguf")
INSIDE = (".", "model", "hf", "huggingface", "actor/huggingface", "policy")
"""Where a checkpoint of ours, or of verl, keeps a model that transformers can load."""


def resolve_model(model: str) -> str:
    """Return the folder to load for a folder, a checkpoint or a run; a hub id as it is.

    A run folder stands for its last checkpoint.

    Raises:
        ModelError: a folder without a model that can be loaded, or neither a folder nor a hub id;
            one of the hub that was never fetched, while there is no network.
    """
    folder = Path(model)
    if model in MODELS.names():
        folder = Path(MODELS.get(model)())
    elif not folder.exists():
        return _of_hub(model)
    for inside in INSIDE:
        found = folder / inside
        if (found / "config.json").exists():
            if not _weights(found):
                shards = found.parent if found.name == "huggingface" else found
                raise ModelError(
                    f"{found}: has a config.json but no weights; a sharded verl checkpoint is "
                    "first merged:\n  python -m verl.model_merger merge --backend fsdp "
                    f"--local_dir {shlex.quote(str(shards))} --target_dir OUT"
                )
            return str(found)
    if steps := numbered_checkpoints(folder):
        return resolve_model(str(steps[-1][1]))
    if alone := unmerged(folder, ()):
        raise ModelError(
            f"{model}: its checkpoints are shards of verl's, of which the last one of a launch "
            f"is merged when that ends. By hand:\n  {merging(folder, alone[-1])}"
        )
    raise ModelError(f"{model}: holds no config.json, so it is no model, checkpoint or run folder")


def _of_hub(model: str) -> str:
    """Return the name of a model on the hub, unless it cannot be one."""
    if not is_hub_id(model):
        raise ModelError(
            f"no model {model!r}: no such folder, not a hub id (owner/name), and not a model that "
            f"rewardkit fetches{nearest_hint(model, MODELS.names())}"
        )
    owner, _, name = model.partition("/")
    folder = Path(owner)
    if folder.is_dir() and (owner == "runs" or any(folder.glob("*/manifest.json"))):
        # Mistyped: a hub would be asked for it, and for a minute.
        raise ModelError(
            f"no model {model!r}: {owner!r} is a folder of runs, and there is no {name!r} in it. "
            "If a hub id is meant, start where there is no such folder"
        )
    if away := reach_hub():
        from huggingface_hub import try_to_load_from_cache

        if not isinstance(try_to_load_from_cache(model, "config.json"), str):
            raise ModelError(
                f"could not load {model!r}: {away}, and it was not fetched before. Without a "
                "network, give a local folder, or a model that `rewardkit fetch` lists"
            )
    return model


def is_hub_id(model: str) -> bool:
    """Return whether a name has the form of a model's on the hub.

    >>> is_hub_id("Qwen/Qwen3-4B"), is_hub_id("/data/qwen"), is_hub_id("./qwen"), is_hub_id("qwen")
    (True, False, False, False)
    """
    return re.fullmatch(r"[\w.-]+/[\w.-]+", model) is not None and not model.startswith(".")


def numbered_checkpoints(run: Path) -> list[tuple[int, Path]]:
    """Return (step, folder) of a run's checkpoints, by step.

    Folders whose names end in a number count (`step-000010`, `global_step_10`, `checkpoint-10`),
    directly in the run folder or in its `checkpoints/`.
    """
    found = []
    for parent in (run, run / "checkpoints"):
        for folder in parent.iterdir() if parent.is_dir() else ():
            number = re.fullmatch(r"(?:global_step|step|checkpoint|ckpt)[-_]?(\d+)", folder.name)
            if number and folder.is_dir():
                found.append((int(number[1]), folder))
    return sorted(found)


def trained_dtype(path: str) -> str | None:
    """Return the type in which a run of ours sampled the checkpoint in `path`; None for others.

    Small steps of training are lost where weights are rounded to bfloat16, and not in float32, so
    that the same weights may score ten points apart in the two.
    """
    run = run_of(path)
    model = read_toml(run / "config.toml").get("model") if run else None
    found = model.get("dtype") if isinstance(model, dict) else None
    return found if isinstance(found, str) else None


def run_of(path: str) -> Path | None:
    """Return the folder of the run of ours that a checkpoint lies in, or that `path` is itself."""
    here = Path(path)
    if not here.is_dir():
        return None
    for folder in (here, *here.resolve().parents[:4]):
        if (folder / "config.toml").exists() and (folder / "manifest.json").exists():
            return folder.resolve()
    return None


def shown(folder: Path) -> str:
    """Return a folder as one would type it here."""
    here = Path.cwd()
    return str(folder.relative_to(here)) if folder.is_relative_to(here) else str(folder)


def unmerged(run: Path, there: Collection[int]) -> list[int]:
    """Return the steps, in order, of which a run has shards of verl's alone, that nobody can load.

    A checkpoint is made of the last step when a launch ends; `there` are the steps that have one.
    """
    names = [path.parent.name for path in run.glob("verl/checkpoints/global_step_*/actor")]
    steps = [name.removeprefix("global_step_") for name in names]
    return sorted(int(step) for step in steps if step.isdecimal() and int(step) not in there)


def merging(run: Path, step: int) -> str:
    """Return the line that makes the checkpoint of a step where the run keeps its checkpoints."""
    return f"python -m rewardkit_verl.launcher.checkpoint {shlex.quote(str(run))} {step}"


def older_than_shards(model: str) -> str:
    """Return the note that a run's last checkpoint is older than shards of verl's, if it is."""
    run = Path(model)
    latest = max((step for step, _ in numbered_checkpoints(run)), default=None)
    later = [step for step in unmerged(run, ()) if step > (latest or 0)]
    if latest is None or not later:
        return ""
    return (
        f"NOTE {model} is its checkpoint of step {latest} here; of step {later[-1]} it has shards "
        f"of verl's, to merge by:\n  {merging(run, later[-1])}"
    )


def fingerprint(path: str) -> str:
    """Return a name for the weights: the hub id, or a hash over all of a folder's weight files.

    Samples of a file would not do: training may change few of its tensors. A checkpoint of ours
    brings its hashes; other files are read just before they are loaded.
    """
    folder = Path(path)
    if not folder.is_dir():
        return f"hub:{path}"
    sealed = sealed_digests(folder)
    together = hashlib.sha256()
    for file in _weights(folder):
        together.update(f"{file.name} {sealed.get(file.name) or sha256(file)}\n".encode())
    return f"weights:{together.hexdigest()[:16]}"


def _weights(folder: Path) -> list[Path]:
    found = sorted(file for pattern in WEIGHTS for file in folder.glob(pattern))
    # Beside other weights a .pt is the trainer's state: several times as long, and never loaded.
    return found or sorted(folder.glob("*.pt"))
