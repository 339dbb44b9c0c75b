"""Which verl this backend runs on, and whether this machine can run it."""

from __future__ import annotations

import contextlib
import importlib
import os
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from rewardkit.errors import ConfigError, RewardkitError

SUPPORTED = ("0.9.1",)
"""verl's versions. It moves its keys and its extension points between minor versions, so every
entry is one that the tests have run; what is needed beside it stands in pyproject.toml."""

PIP_LINES = """In a clone of rewardkit, type
  pip install -c constraints-gpu.txt -e '.[verl]' 'verl[vllm]'   # on GPUs
  pip install -c constraints.txt -e '.[verl]'                    # without one"""
"""As docs/verl.md has them."""

BESIDE = ("TransferQueue", "tensordict", "ray")
"""Distributions that verl's trainer imports; verl 0.9.1 does not require the first by itself."""

PLATFORM = "VERL_PLATFORM"
VALUE_HEAD = "AutoModelForCausalLMWithValueHead"


class UnsupportedVerlError(ConfigError):
    """verl is missing, or of a version that this backend was not tested with."""


class NoDeviceError(RewardkitError):
    """There is neither a GPU nor the word that a CPU is meant."""


def check_version() -> str:
    """Return the installed verl's version.

    Raises:
        UnsupportedVerlError: verl, or what its trainer imports, is missing or of another version.
    """
    try:
        found = version("verl")
    except PackageNotFoundError as error:
        raise UnsupportedVerlError(f"verl is not installed. {PIP_LINES}") from error
    if found not in SUPPORTED:
        raise UnsupportedVerlError(
            f"verl {found} is installed, and this backend is tested with "
            f"{', '.join(SUPPORTED)}. {PIP_LINES}"
        )
    for package in BESIDE:
        try:
            version(package)
        except PackageNotFoundError as error:
            raise UnsupportedVerlError(
                f"verl's trainer imports {package}, which is not installed. {PIP_LINES}"
            ) from error
    return found


def check_trl() -> None:
    """Refuse a TRL that verl trips over: it asks any TRL it finds for a class that left it.

    On a CPU the backend hides TRL from verl; on GPUs nothing of verl is patched.

    Raises:
        UnsupportedVerlError: says what to remove.
    """
    if on_cpu() or find_spec("trl") is None:
        return
    for module in ("trl.experimental.ppo", "trl"):
        with contextlib.suppress(ImportError):
            if hasattr(importlib.import_module(module), VALUE_HEAD):
                return
    raise UnsupportedVerlError(
        f"TRL {version('trl')} is installed, and has no {VALUE_HEAD}, which verl asks any TRL for "
        "as soon as it builds a model. Type:\n  pip uninstall trl"
    )


def has_flash() -> bool:
    """Return whether flash-attention is installed, without which verl's rows are padded."""
    return find_spec("flash_attn") is not None


def on_cpu() -> bool:
    """Return whether verl was told to run on a CPU."""
    return os.environ.get(PLATFORM, "").strip().lower() == "cpu"


def check_device(address: str = "") -> None:
    """Refuse to start where no worker could: no GPU here, no cluster, and no word of a CPU.

    Raises:
        NoDeviceError: says which of the two to do.
    """
    if os.environ.get(PLATFORM) or address:
        return  # a platform that was asked for, or GPUs that are elsewhere
    import torch

    if not torch.cuda.is_available():
        raise NoDeviceError(
            "there is no GPU that torch can use. To train on GPUs, run this where they are, or "
            "name a Ray cluster that has them (--set verl.address=HOST:6379). To try the verl "
            f"backend on this CPU, with tiny models, set {PLATFORM}=cpu:\n"
            f"  {PLATFORM}=cpu rewardkit train ... --backend verl"
        )
