"""The weights being trained, seen from outside: plain, whole, under the model's own names; copies.

The trained model may be cut into slices (`sharding`) or carry adapters (`lora`). Samplers and
checkpoints want neither.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from rewardkit_native.distributed.sharding import copy_full, full_tensor
from rewardkit_native.model import lora

ADAPTER = "adapter"
"""The folder, within a checkpoint, of the adapters alone, as peft reads them."""

ONE_FILE = 1 << 62
"""Bytes: weights are never cut into several files, since `load` reads one."""

PREFIX = "base_model.model."
"""What peft puts before the names in an adapter's file."""


class Gathered(NamedTuple):
    """What a checkpoint of a model that is not plain holds: whole tensors by name."""

    weights: dict[str, Tensor]
    adapter: dict[str, Tensor]


class Weights(Mapping[str, Tensor]):
    """Names -> whole weights of the trained model, adapters merged.

    Where the model is sharded, looking up a weight is a collective: all ranks must look up the same
    ones in the same order. Nothing is kept, so at most one whole weight is there at a time.

    Args:
        model: the model that is trained.
        skeleton: a model without storage that says how the plain one is saved; None where the
            trained model is itself plain.
    """

    def __init__(self, model: Any, skeleton: Any | None = None) -> None:
        self.model = model
        self._skeleton = skeleton

    def __getitem__(self, name: str) -> Tensor:
        return lora.merged(self.model, name)

    def __iter__(self) -> Iterator[str]:
        return lora.plain_names(self.model)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def for_sampling(self) -> Any | Mapping[str, Tensor]:
        """Return what a sampler refreshes itself from: the model where it is plain, or this."""
        return self.model if self._skeleton is None else self

    def gathered(self, *, keep: bool) -> Gathered:
        """Return what `write` needs, in main memory; a collective of all ranks.

        Ranks without `keep` only lend their slices.
        """
        found = Gathered({}, {})
        if self._skeleton is None:
            return found  # the model itself has it all
        for name, value in self.items():
            if keep:
                found.weights[name] = value.cpu().contiguous()
        for name, value in lora.adapters(self.model):
            adapter = full_tensor(value.detach())
            if keep:
                found.adapter[PREFIX + name] = adapter.cpu()
        return found

    def write(self, folder: Path, gathered: Gathered) -> None:
        """Write a Hugging Face folder, and any adapter below it."""
        if self._skeleton is None:
            self.model.save_pretrained(folder, max_shard_size=ONE_FILE)
            return
        self._skeleton.save_pretrained(folder, state_dict=gathered.weights, max_shard_size=ONE_FILE)
        if gathered.adapter:
            (folder / ADAPTER).mkdir()
            lora.settings_of(self.model).save_pretrained(folder / ADAPTER)
            save_file(gathered.adapter, folder / ADAPTER / "adapter_model.safetensors")

    def load(self, folder: Path) -> None:
        """Put back what `write` wrote; with adapters, the base is what the run started from.

        Raises:
            ValueError: one of both has adapters, and the other has none.
        """
        trained = {PREFIX + name: value for name, value in lora.adapters(self.model)}
        path = folder / ADAPTER / "adapter_model.safetensors"
        if bool(trained) != path.exists():
            raise ValueError("with adapters (lora.rank) here, and without them there")
        if not trained:
            trained = dict(self.model.named_parameters())
            path = folder / "model.safetensors"
        with safe_open(path, "pt") as file:
            renamed = path.parent == folder and not trained.keys() <= set(file.keys())
            read = renamed_weights(folder).__getitem__ if renamed else file.get_tensor
            for name, parameter in trained.items():
                copy_full(read(name), parameter)


def renamed_weights(folder: Path) -> dict[str, Tensor]:
    """Return a saved model's weights under the names that they have in memory.

    transformers stores the experts of most models one by one, and joins them when it loads.

    Raises:
        ValueError: the folder lacks some of them.
    """
    from transformers import AutoModelForCausalLM

    model, report = AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, output_loading_info=True
    )
    if report["missing_keys"]:
        raise ValueError(f"there is no {min(report['missing_keys'])}")
    return dict(model.named_parameters())


def skeleton(model: Any) -> Any:
    """Return a plain model of the same kind without any storage, for `Weights`."""
    with torch.device("meta"):
        made = type(model)(model.config)
    made.generation_config = model.generation_config
    return made


def sampling_copy(model: Any, dtype: torch.dtype) -> Any:
    """Return a copy whose parameters, and nothing else, are of another precision.

    Rounding RoPE's frequencies, which are a buffer, would turn late positions by whole angles.
    """
    copied = copy.deepcopy(model)
    for parameter in copied.parameters():
        parameter.data = parameter.data.to(dtype)
    return copied


def blank_copy(model: Any, dtype: torch.dtype, device: torch.device) -> Any:
    """Return the same with weights of 0 on `device`, to be filled: `model` may have none itself."""
    made = {
        id(p): nn.Parameter(torch.zeros(p.shape, dtype=dtype, device=device), requires_grad=False)
        for p in model.parameters()
    }
    copied = copy.deepcopy(model, made)  # which takes what it is given for copies
    for module in copied.modules():
        for name, buffer in module._buffers.items():
            if buffer is not None:
                module._buffers[name] = buffer.to(device)
    return copied


def reference_copy(model: Any, dtype: torch.dtype, *, itself: bool = False) -> Any:
    """Return a copy that is not trained, its layers' matrices in the type that passes take.

    Autocast would round them to the same bits at each pass; what it leaves alone stays as it was.
    With `itself` the model becomes that, and no copy is made.
    """
    copied = (model if itself else copy.deepcopy(model)).requires_grad_(False)
    head = copied.get_output_embeddings()
    for module in copied.modules():
        if isinstance(module, nn.Linear) and module is not head:
            for parameter in module.parameters():
                parameter.data = parameter.data.to(dtype)
    return copied
