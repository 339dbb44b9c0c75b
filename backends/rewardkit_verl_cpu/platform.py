"""A verl platform that computes on the CPU.

verl schedules its workers on accelerators: here they are Ray's *logical* GPUs, which
`ray.init(num_gpus=N)` makes out of nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import psutil
import torch
from verl.plugin.platform import PlatformBase, PlatformRegistry


class _Index(str):
    """The device's id: "cpu" for torch, but "0" in a formatted string.

    verl uses one value both as a device, `tensor.to(get_device_id())`, and as an index,
    f"{device_name}:{get_device_id()}".
    """

    def __format__(self, spec: str) -> str:
        return "0"


CPU = _Index("cpu")


def register() -> None:
    """Make the platform known to verl as "cpu"."""
    PlatformRegistry.register(platform="cpu")(CpuPlatform)


class _Device(ModuleType):
    """`torch.cpu`, and what verl calls on `torch.cuda` beyond that."""

    def __getattr__(self, name: str) -> Any:
        return getattr(torch.cpu, name)

    def current_device(self) -> _Index:
        return CPU

    def get_device_name(self, *_: Any) -> str:
        return "CPU"

    def mem_get_info(self, *_: Any) -> tuple[int, int]:
        memory = psutil.virtual_memory()
        return memory.available, memory.total

    def manual_seed(self, seed: int) -> None:
        torch.manual_seed(seed)

    manual_seed_all = manual_seed

    def get_rng_state(self, *_: Any) -> torch.Tensor:
        return torch.get_rng_state()

    def set_rng_state(self, state: torch.Tensor, *_: Any) -> None:
        torch.set_rng_state(state)

    def _resident(self, *_: Any) -> int:
        return int(psutil.Process().memory_info().rss)

    memory_allocated = memory_reserved = _resident
    max_memory_allocated = max_memory_reserved = _resident

    def _nothing(self, *_: Any, **__: Any) -> None:
        """There is nothing to empty, to wait for or to choose."""

    empty_cache = ipc_collect = reset_peak_memory_stats = synchronize = set_device = _nothing


class CpuPlatform(PlatformBase):
    """Chosen by `VERL_PLATFORM=cpu` alone, never detected; methods as verl calls them."""

    device_name = "cpu"
    vendor_name = "cpu"
    device_module = _Device("rewardkit_verl_cpu.device")

    def is_available(self) -> bool:
        """Return True: there always is a CPU."""
        return True

    def is_platform_available(self, use_smi_check: bool = False) -> bool:
        """Return False, so that a machine with GPUs is never taken for one without."""
        return False

    def current_device(self) -> _Index:
        """Return the one device."""
        return CPU

    def device_count(self) -> int:
        """Return 1, for each process."""
        return 1

    def manual_seed(self, seed: int) -> None:
        """Seed torch."""
        torch.manual_seed(seed)

    manual_seed_all = manual_seed

    def get_device_capability(self, device_index: int = 0) -> tuple[int | None, int | None]:
        """Return that there is no compute capability."""
        return None, None

    def communication_backend_name(self) -> str:
        """Return torch.distributed's CPU backend."""
        return "gloo"

    def visible_devices_envvar(self) -> str:
        """Return the variable that Ray sets for what verl asks it for, logical GPUs."""
        return "CUDA_VISIBLE_DEVICES"

    def ray_resource_name(self) -> str:
        """Return "GPU": verl counts that and "NPU" only."""
        return "GPU"

    def ray_noset_envvars(self) -> list[str]:
        """Return nothing: Ray may set what it likes."""
        return []

    def rollout_env_vars(self) -> dict[str, str]:
        """Return what a rollout server's process must know to be on the CPU as well."""
        kept = ("VERL_PLATFORM", "VERL_ENGINE_DEVICE", "VERL_USE_EXTERNAL_MODULES")
        names = (*kept, "VLLM_CPU_KVCACHE_SPACE")
        return {name: os.environ[name] for name in names if name in os.environ}

    def is_ipc_supported(self) -> bool:
        """Return False: weights go from trainer to vLLM through shared memory."""
        return False

    @contextmanager
    def nvtx_range(self, msg: str) -> Iterator[None]:
        """Mark nothing."""
        yield

    def _nothing(self, *_: Any, **__: Any) -> None:
        """There is one device, which neither runs behind, nor caches, nor is profiled."""

    set_device = synchronize = set_allocator_settings = empty_cache = _nothing
    profiler_start = profiler_stop = cudart = _nothing
