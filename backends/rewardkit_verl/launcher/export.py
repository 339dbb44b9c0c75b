"""verl's shards of a checkpoint as a Hugging Face folder: whole weights, adapters merged.

In the type that samples, which verl's own merger rounds to bfloat16 in any case; it leaves adapters
beside the weights.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from rewardkit.config import LoraConfig, RunConfig
from rewardkit.errors import ModelError
from rewardkit.files import read_json
from rewardkit_verl.adapters import merged, plain_names

DAMAGED = OSError, ValueError, LookupError, TypeError, RuntimeError, EOFError, UnpicklingError
"""What reading shards raises that are cut off or not what they should be."""

ADAPTER = "adapter"
"""The folder, within a checkpoint, of the adapters alone, as peft reads them."""


def export(shards: Path, target: Path, config: RunConfig) -> None:
    """Write the model of `shards`, an actor's folder of verl's, into `target`.

    Raises:
        ModelError: the shards are damaged, or of another model.
    """
    try:
        state = stored(shards)
        write(state, shards / "huggingface", target, config)
    except DAMAGED as error:
        raise ModelError(
            f"{shards} is no whole checkpoint of verl's: {type(error).__name__}: {error}"
        ) from error


def stored(shards: Path) -> dict[str, list[Any]]:
    """Return the parts of each weight, rank by rank, by its name there; they stay in the files."""
    import torch
    import torch.distributed.tensor  # its types may be read where weights alone are

    count = int(read_json(shards / "fsdp_config.json")["world_size"])
    ranks = [
        torch.load(
            shards / f"model_world_size_{count}_rank_{rank}.pt",
            map_location="cpu",
            mmap=True,
            weights_only=True,
        )
        for rank in range(count)
    ]
    return {name: [rank[name] for rank in ranks] for name in ranks[0]}


def whole(parts: Sequence[Any]) -> Any:
    """Return a weight of the slices that FSDP2 made of it."""
    import torch

    first = parts[0]
    if not hasattr(first, "placements"):
        return first.float()
    placement = first.placements[-1]  # before it, copies on several nodes
    local = [part._local_tensor.float() for part in parts[: first.device_mesh.mesh.shape[-1]]]
    return local[0] if placement.is_replicate() else torch.cat(local, placement.dim)


def write(state: Mapping[str, Any], described: Path, target: Path, config: RunConfig) -> None:
    """Write whole weights with the model's settings and tokenizer, which lie in `described`."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    dtype = getattr(torch, config.on_gpus().model.dtype)
    scale = config.lora.alpha / config.lora.rank if config.lora.rank else 0.0
    weights = {
        name: merged(state, here, scale, whole).to(dtype)
        for name, here in plain_names(state).items()
    }
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(described), dtype=dtype)
    model.load_state_dict(weights, assign=True)
    model.tie_weights()
    model.save_pretrained(target)
    for file in described.iterdir():
        if file.name != "config.json":
            shutil.copy(file, target)
    if config.lora.rank:
        _write_adapter(state, target / ADAPTER, config.lora, config.model.name)


def _write_adapter(state: Mapping[str, Any], target: Path, config: LoraConfig, base: str) -> None:
    import peft
    from safetensors.torch import save_file

    peft.LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        target_modules=list(config.targets) or "all-linear",
        task_type="CAUSAL_LM",
        base_model_name_or_path=base,
    ).save_pretrained(target)
    adapters = {
        name.replace(".default.", "."): whole(parts).contiguous()
        for name, parts in state.items()
        if ".lora_" in name
    }
    save_file(adapters, target / "adapter_model.safetensors")
