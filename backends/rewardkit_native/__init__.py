"""The native backend: the whole of RLVR training on one machine, on its CPU or its GPUs."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from rewardkit.config import RunConfig
from rewardkit.errors import MissingExtraError

os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")
"""How many compiled products oneDNN keeps, one for every shape and type; read at its first.

Each batch brings shapes of its own, and few are met again while its default of 1,024 fills: in
bfloat16 on a CPU that takes half a gigabyte. Compiling the few again costs 0.1 s a step.
"""


def train(config: RunConfig, *, resume: bool = False, overwrite: bool = False) -> Path:
    """Train as `config` says and return the run folder; see `rewardkit_native.loop`."""
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "native")
    from rewardkit_native.before_torch import check_early, wait_briefly

    if os.environ.get("RANK", "0") == "0":  # of several processes one tells it
        from rewardkit.report.display import loading

        check_early(config, resume=resume, overwrite=overwrite)
        loading(config)
    # Before torch is loaded, which reads it then.
    late = wait_briefly()
    import torch

    from rewardkit_native.loop import train

    if config.model.device != "cpu" and torch.cuda.is_available():
        from rewardkit_native.planning.bound import check_this_machine

        check_this_machine(config)

    return train(config, resume=resume, overwrite=overwrite, remarks=[late] if late else [])
