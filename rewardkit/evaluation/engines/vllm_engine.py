"""One way of making a vLLM engine, for training's sampler and for evaluation alike."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

from rewardkit.errors import ConfigError, MissingExtraError, ModelError

CPU_CACHE_BYTES = 2 << 30
"""Keys and values of one engine on a CPU, where vLLM would else reserve most of the memory."""
LAUNCHERS = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE")
"""What torchrun tells a process about the others; vLLM on a CPU writes its own into the last."""
DECIDED = {
    "model": "--model",
    "dtype": "--dtype",
    "tensor_parallel_size": "--tensor-parallel",
    "data_parallel_size": "--data-parallel",
}
"""Arguments of `LLM` that have a setting of their own, and which."""


def llm_arguments(
    model: str,
    dtype: str,
    *,
    device: str,
    room: int | None = None,
    tensor_parallel: int = 1,
    seed: int = 0,
    own: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what `vllm.LLM` is made with; loads nothing.

    Args:
        model: folder or Hugging Face id.
        dtype: of the weights: float32, bfloat16.
        device: cpu, or cuda for any GPU.
        room: tokens of the longest prompt and response together; None leaves it to the model, whose
            context may be many times what is asked of it, and sizes buffers and the cache.
        tensor_parallel: GPUs that share one copy of the model.
        seed: of vLLM's own generators; a request with a seed does not draw from them.
        own: further arguments, which win.

    >>> llm_arguments("m", "float32", device="cpu", room=64)["enable_chunked_prefill"]
    False
    """
    found: dict[str, Any] = {
        "model": model,
        "dtype": dtype,
        "seed": seed,
        "tensor_parallel_size": tensor_parallel,
        "enable_prefix_caching": True,
    }
    if room is not None:
        found["max_model_len"] = room
    if device == "cpu":
        # A seeded prompt that is read in pieces makes vLLM rewind the row's generator, and a
        # generator on a CPU has no offset: one long prompt would end the whole engine.
        found["enable_chunked_prefill"] = False
        found["enforce_eager"] = True  # compiling takes minutes
        if not os.environ.get("VLLM_CPU_KVCACHE_SPACE"):  # vLLM's own variable, in GiB
            found["kv_cache_memory_bytes"] = CPU_CACHE_BYTES
    return found | dict(own or {})


def parse_engine_arguments(pairs: Sequence[str]) -> dict[str, Any]:
    """Return KEY=VALUE arguments of `vllm.LLM`; a value that reads as JSON is taken as such.

    Raises:
        ConfigError: no KEY=VALUE, or an argument that has an option of its own.

    >>> parse_engine_arguments(["max-num-seqs=64", "quantization=fp8"])
    {'max_num_seqs': 64, 'quantization': 'fp8'}
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        key = key.strip().removeprefix("--").replace("-", "_")
        if not equals or not key:
            raise ConfigError(
                f"--engine-args takes KEY=VALUE, such as gpu_memory_utilization=0.8, found {pair!r}"
            )
        if key in DECIDED:
            raise ConfigError(f"--engine-args {pair}: type {DECIDED[key]} instead")
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found


def refuse_without_vllm() -> None:
    """Raise a MissingExtraError where vLLM is not installed; it is not imported for that."""
    if "vllm" not in sys.modules and find_spec("vllm") is None:
        raise MissingExtraError("vllm", "vllm")


def make_llm(arguments: Mapping[str, Any]) -> Any:
    """Return `vllm.LLM(**arguments)`, with its scheduler in this process.

    Everything that vLLM would change of the process around it is as it was before: the number of
    torch's threads, all random generators, which vLLM seeds for itself, and what torchrun said.

    Raises:
        ModelError: vLLM cannot make it, with its own words.
    """
    # One process: weights are handed over as they are, and nothing outlives a kill.
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    # Others use the same threads; vLLM may not bind them to its own cores.
    os.environ.setdefault("VLLM_CPU_OMP_THREADS_BIND", "nobind")
    refuse_without_vllm()
    with _process_untouched():
        from vllm import LLM

        try:
            return LLM(**arguments)
        except (TypeError, ValueError, RuntimeError, OSError) as error:
            shown = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
            raise ModelError(f"vLLM cannot make LLM({shown}): {error}") from error


def end_vllms_groups() -> None:
    """End the process groups that vLLM made, and torch's own with them; without vLLM, nothing.

    An engine that is made later in this process would else talk through groups that are no more.
    """
    if state := sys.modules.get("vllm.distributed.parallel_state"):
        state.destroy_model_parallel()
        state.destroy_distributed_environment()


def _put_back(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is not None:
            os.environ[name] = value


@contextmanager
def _process_untouched() -> Iterator[None]:
    """Within, vLLM may seed generators and set threads; after, all is as it was.

    A library that was not there before has nothing that anybody relies on.
    """
    with ExitStack() as after:
        after.callback(_put_back, {name: os.environ.get(name) for name in LAUNCHERS})
        after.callback(random.setstate, random.getstate())
        if numpy := sys.modules.get("numpy"):
            after.callback(numpy.random.set_state, numpy.random.get_state())
        if torch := sys.modules.get("torch"):
            after.callback(torch.set_num_threads, torch.get_num_threads())
            # vllm-cpu puts a function there that does nothing.
            after.callback(setattr, torch, "set_num_threads", torch.set_num_threads)
            after.enter_context(torch.random.fork_rng())
        yield
