"""The weights being trained, seen from outside: plain, whole, under the model's own names.

The trained model may be cut into slices (`sharding`) or carry adapters (`lora`). Samplers and
checkpoints want neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from rewardkit_native import lora
from rewardkit_native.sharding import put, whole

ADAPTER = "adapter"


class Weights:
    """What a sampler samples from and what a checkpoint holds.

    Args:
        model: the model that is trained.
        mirror: a plain copy of it, in any dtype, where the trained model is not plain itself.
    """

    def __init__(self, model: Any, mirror: Any | None = None) -> None:
        self.model = model
        self._mirror = mirror

    @torch.no_grad()
    def for_sampling(self) -> Any:
        """Return a plain model with the weights as they are now; a meeting of all ranks."""
        if self._mirror is None:
            return self.model
        target = dict(self._mirror.named_parameters())
        for name, value in self.named():
            target[name].copy_(value)
        return self._mirror

    def named(self) -> Iterator[tuple[str, Tensor]]:
        """Yield names and full weights, adapters merged; a meeting of all ranks."""
        return lora.merged(self.model)

    def save(self, folder: Path, *, write: bool) -> None:
        """Write a Hugging Face folder, and any adapter below it; a meeting of all ranks."""
        if self._mirror is None:
            self.model.save_pretrained(folder)
            return
        values = {name: value.cpu() for name, value in self.named()}
        adapter = {name: whole(value).cpu() for name, value in lora.adapters(self.model)}
        if not write:
            return
        self._mirror.save_pretrained(folder, state_dict=values)
        self._mirror.config.dtype = torch.float32
        self._mirror.config.save_pretrained(folder)
        if adapter:
            (folder / ADAPTER).mkdir()
            lora.config_of(self.model).save_pretrained(folder / ADAPTER)
            save_file(
                {f"base_model.model.{name}": value for name, value in adapter.items()},
                folder / ADAPTER / "adapter_model.safetensors",
            )

    def load(self, folder: Path) -> None:
        """Put back what `save` wrote; with adapters, the base is what the run started from."""
        trained = dict(lora.adapters(self.model))
        if trained:
            path, prefix = folder / ADAPTER / "adapter_model.safetensors", "base_model.model."
        else:
            path, prefix = folder / "model.safetensors", ""
            trained = dict(self.model.named_parameters())
        with safe_open(path, "pt") as file:
            for name, parameter in trained.items():
                put(file.get_tensor(prefix + name), parameter)
